package touchstone;

import java.util.List;
import touchstone.jca.Jca;

/** One of the libraries that this program has workers for. */
interface Backend {
    Library library();

    /**
     * The library's rows as the timed object of a work shall have them: where possible, with code
     * that has not been compiled for other uses too.
     */
    List<Row> apart(Work work) throws Exception;

    static Backend of(String which) throws Unsupported {
        return switch (which) {
            case "jca" -> shared(Jca.library());
            case "bouncycastle" -> new Isolated("touchstone.bc.BouncyCastle");
            default -> throw new Unsupported("the argument must be jca or bouncycastle, not " + which);
        };
    }

    /** Code of the JDK itself exists only once. */
    private static Backend shared(Library library) {
        return new Backend() {
            @Override
            public Library library() {
                return library;
            }

            @Override
            public List<Row> apart(Work work) {
                return library.rows();
            }
        };
    }
}
