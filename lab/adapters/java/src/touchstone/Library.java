package touchstone;

import java.util.List;

/**
 * Facts about a library, and all that it can do.
 *
 * @param path the file that it was loaded from, if it is one of its own
 */
public record Library(
        String name, String version, String path, String licence, String note, List<Row> rows) {}
