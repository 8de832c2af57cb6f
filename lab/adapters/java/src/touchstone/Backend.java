package touchstone;

import java.util.List;
import touchstone.jca.Jca;

/** A library for which this program is a worker. */
interface Backend {
    Library library();

    /**
     * Returns the library's rows for the timed object of a work. If possible, the rows use classes
     * that no other work has used, so that the JVM compiles them for this work alone.
     */
    List<Row> apart(Work work) throws Exception;

    static Backend of(String which) throws Unsupported {
        return switch (which) {
            case "jca" -> shared(Jca.library());
            case "bouncycastle" -> new Isolated("touchstone.bc.BouncyCastle");
            default -> throw new Unsupported("the argument must be jca or bouncycastle, not " + which);
        };
    }

    /**
     * A backend whose classes are shared by all works, because the JDK's classes exist only once.
     */
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
