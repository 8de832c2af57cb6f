package touchstone;

/** One live object of a library. */
public interface Operation {
    /** Schedules a key in place of any before it. What has no key keeps the default. */
    default void setKey(byte[] key) throws Exception {}

    /**
     * Does one whole message. The output has room for the input (or the requested length) and 256
     * bytes more.
     *
     * @return the bytes written
     */
    int process(Message message, byte[] output) throws Exception;
}
