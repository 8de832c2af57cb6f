package touchstone;

/** The library does not support the parameters. This is not a wrong answer. */
public final class Unsupported extends Exception {
    private static final long serialVersionUID = 1;

    public Unsupported(String reason) {
        super(reason);
    }
}
