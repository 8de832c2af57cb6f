package touchstone;

import java.util.List;

/**
 * Facts about a library, and all operations that it offers.
 *
 * @param path the file from which the library was loaded, if the library has its own file
 */
public record Library(
        String name, String version, String path, String licence, String note, List<Row> rows) {}
