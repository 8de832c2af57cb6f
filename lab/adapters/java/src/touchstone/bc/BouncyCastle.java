package touchstone.bc;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import touchstone.Library;
import touchstone.PublicKeys;
import touchstone.Row;

/**
 * Bouncy Castle, called by its lightweight interface org.bouncycastle.crypto; for public keys by its
 * provider, because programs read keys in DER by it.
 */
public final class BouncyCastle {
    /** The curves of signatures and of key agreement. */
    private static final List<String> CURVES =
            List.of("p224", "p256", "p384", "p521", "secp256k1", "brainpoolp256r1", "brainpoolp384r1",
                    "brainpoolp512r1", "k233", "b233", "k283", "b283", "k409", "b409", "k571", "b571");

    private BouncyCastle() {}

    /** Returns all operations that the library offers. */
    public static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        rows.addAll(Modes.rows());
        rows.addAll(Wraps.rows());
        rows.addAll(Aeads.rows());
        rows.addAll(Streams.rows());
        rows.addAll(Digests.rows());
        rows.addAll(Macs.rows());
        rows.addAll(Derivations.rows());
        rows.addAll(Generators.rows());
        rows.addAll(Points.rows());
        var provider = new BouncyCastleProvider();
        var keys = new PublicKeys(provider, provider, provider, provider);
        rows.addAll(keys.rows(CURVES));
        rows.addAll(keys.finite(provider));
        rows.addAll(keys.deterministic(CURVES));
        rows.addAll(keys.rare());
        rows.addAll(Gost.rows());
        rows.addAll(Encapsulations.rows());
        rows.addAll(PostQuantum.rows());
        return rows;
    }

    public static Library library() {
        return new Library(
                "Bouncy Castle",
                version(),
                path(),
                "MIT",
                "org.bouncycastle.crypto on Java " + Runtime.version().feature()
                        + "; classes loaded anew for each algorithm that is timed; each cell runs until the"
                        + " JIT has done with it, at most 0.3 s, before it is timed; serial GC, compiler"
                        + " threads on the same CPU",
                rows());
    }

    /** Returns the version, which is the end of the provider's information, "… v1.86". */
    private static String version() {
        String info = new BouncyCastleProvider().getInfo();
        return info.substring(info.lastIndexOf('v') + 1);
    }

    private static String path() {
        var source = AESEngine.class.getProtectionDomain().getCodeSource();
        try {
            return source == null ? "" : Path.of(source.getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            return "";
        }
    }
}
