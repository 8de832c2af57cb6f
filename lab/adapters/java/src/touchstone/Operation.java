package touchstone;

/** An object of a library that processes messages. */
public interface Operation {
    /** Sets a key, which replaces the previous key. An object without a key keeps this method. */
    default void setKey(byte[] key) throws Exception {}

    /**
     * Processes one whole message. The output has room for the input (or for the requested length)
     * and 256 bytes more.
     *
     * @return the number of bytes written
     */
    int process(Message message, byte[] output) throws Exception;
}
