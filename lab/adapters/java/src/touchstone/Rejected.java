package touchstone;

/** The library refused the input as forged. */
public final class Rejected extends Exception {
    private static final long serialVersionUID = 1;

    public Rejected(Throwable cause) {
        super(cause);
    }
}
