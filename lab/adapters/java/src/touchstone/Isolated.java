package touchstone;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * A library whose classes are loaded again for each timed algorithm.
 *
 * <p>The JVM compiles a method for the callers and callees that it has seen. If a mode was used
 * with thirty ciphers, it calls the next block through a table. If a mode was used with one cipher,
 * that cipher is inlined. A program uses one or two ciphers, and so does each copy of the classes,
 * independent of the algorithms that were timed before.
 */
final class Isolated implements Backend {
    /**
     * The number of copies that are kept. The sizes and contracts of one algorithm are timed one
     * after the other, so a few copies suffice.
     */
    private static final int KEPT = 4;

    private final String name;
    private final Library library;
    private final Map<String, List<Row>> copies = new LinkedHashMap<>(8, 0.75f, true);

    Isolated(String name) throws Unsupported {
        this.name = name;
        try {
            library = (Library) Class.forName(name).getMethod("library").invoke(null);
        } catch (ReflectiveOperationException | NoClassDefFoundError e) {
            throw new Unsupported("the library is not on the class path: " + e);
        }
    }

    @Override
    public Library library() {
        return library;
    }

    @Override
    public List<Row> apart(Work work) throws Exception {
        String algorithm = work.primitive() + " " + work.operation();
        List<Row> copy = copies.get(algorithm);
        if (copy == null) {
            var rows = Class.forName(name, true, new Copy()).getMethod("rows").invoke(null);
            copy = new ArrayList<>();
            for (Object row : (List<?>) rows) {
                copy.add((Row) row);
            }
            copies.put(algorithm, copy);
            if (copies.size() > KEPT) {
                copies.remove(copies.keySet().iterator().next());
            }
        }
        return copy;
    }

    /**
     * Loads the classes of the adapter and of the library itself, and all other classes by its
     * parent.
     */
    private static final class Copy extends ClassLoader {
        /**
         * The opened files, without a check of signatures, because the check takes most of the time
         * of loading the library.
         */
        private static final Map<String, JarFile> FILES = new LinkedHashMap<>();

        Copy() throws IOException {
            super(Isolated.class.getClassLoader());
            if (FILES.isEmpty()) {
                for (String file : System.getProperty("java.class.path").split(":")) {
                    FILES.put(file, new JarFile(Path.of(file).toFile(), false));
                }
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("org.bouncycastle.") && !name.startsWith("touchstone.bc.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            String path = name.replace('.', '/') + ".class";
            try {
                for (JarFile file : FILES.values()) {
                    JarEntry entry = file.getJarEntry(path);
                    if (entry != null) {
                        byte[] code = file.getInputStream(entry).readAllBytes();
                        return defineClass(name, code, 0, code.length);
                    }
                }
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
            throw new ClassNotFoundException(name);
        }
    }
}
