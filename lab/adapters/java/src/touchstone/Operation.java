package touchstone;

/** An object of a library that processes messages. */
public interface Operation {
    /** Sets a key, which replaces the previous key. An object without a key keeps this method. */
    default void setKey(byte[] key) throws Exception {}

    /**
     * Processes one whole message. The output has room for all inputs (or for the requested length)
     * and 256 bytes more.
     *
     * @return the number of bytes written
     */
    int process(Message message, byte[] output) throws Exception;

    /**
     * Writes the result, if {@link #process} left it in the library's own form. The timed loop calls
     * this method only in the contract keyed, which goes from bytes to bytes.
     *
     * @param written the answer of {@code process}
     * @return the number of bytes written
     */
    default int deliver(byte[] output, int written) {
        return written;
    }
}
