package touchstone;

/**
 * One thing that a library can do.
 *
 * @param note what differs from the contract as written
 * @param plan how to make objects for a work
 */
public record Row(String primitive, String operation, String api, String note, Plan plan) {
    /** Knows from a work how its objects are made, or that its parameters are not taken. */
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
