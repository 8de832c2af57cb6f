package touchstone;

/**
 * One operation that a library offers.
 *
 * @param note how the operation differs from its contract
 * @param plan makes objects for a work
 */
public record Row(String primitive, String operation, String api, String note, Plan plan) {
    /**
     * Returns the maker of the objects for a work, or throws if the library does not support the
     * work's parameters.
     */
    @FunctionalInterface
    public interface Plan {
        Maker make(Work work) throws Exception;
    }

    /** Makes one object. */
    @FunctionalInterface
    public interface Maker {
        Operation make() throws Exception;
    }
}
