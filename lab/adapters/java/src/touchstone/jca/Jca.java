package touchstone.jca;

import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.crypto.NoSuchPaddingException;
import touchstone.Library;
import touchstone.PublicKeys;
import touchstone.Row;

/** The Java Cryptography Architecture (JCA) with the providers that are part of the JDK. */
public final class Jca {
    private Jca() {}

    public static Library library() {
        List<Row> rows = new ArrayList<>();
        rows.addAll(Ciphers.rows());
        rows.addAll(Digests.rows());
        rows.addAll(Derivations.rows());
        rows.addAll(Integers.rows());
        rows.addAll(Generators.rows());
        var curves = Security.getProvider("SunEC");
        var rsa = Security.getProvider("SunRsaSign");
        if (curves != null && rsa != null) {
            var keys = new PublicKeys(curves, curves, rsa, Security.getProvider("SunJCE"));
            rows.addAll(keys.rows(List.of("p256", "p384", "p521")));
            rows.addAll(keys.finite(Security.getProvider("SUN")));
        }
        Set<String> providers = new TreeSet<>();
        for (Provider provider : Security.getProviders()) {
            if (provider.getName().equals("SUN") || provider.getName().equals("SunJCE")) {
                providers.add(provider.getName() + " " + provider.getVersionStr());
            }
        }
        String note =
                String.join(", ", providers)
                        + "; each cell runs until the JIT has done with it, at most 0.3 s, before it is"
                        + " timed; serial GC, compiler threads on the same CPU";
        return new Library(
                "Java JCA",
                Runtime.version().toString(),
                "",
                "GPL-2.0-with-classpath-exception",
                note,
                rows);
    }

    /** Requests an algorithm from the providers by its name. */
    @FunctionalInterface
    interface Lookup {
        Object get(String name) throws NoSuchAlgorithmException, NoSuchPaddingException;
    }

    /** Returns whether any provider has an algorithm. */
    static boolean has(Lookup lookup, String name) {
        try {
            lookup.get(name);
            return true;
        } catch (NoSuchAlgorithmException | NoSuchPaddingException e) {
            return false;
        }
    }
}
