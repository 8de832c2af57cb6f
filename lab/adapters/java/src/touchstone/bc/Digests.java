package touchstone.bc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.bouncycastle.crypto.ExtendedDigest;
import org.bouncycastle.crypto.Xof;
import org.bouncycastle.crypto.digests.AsconHash256;
import org.bouncycastle.crypto.digests.AsconXof128;
import org.bouncycastle.crypto.digests.Blake2bDigest;
import org.bouncycastle.crypto.digests.Blake2bpDigest;
import org.bouncycastle.crypto.digests.Blake2sDigest;
import org.bouncycastle.crypto.digests.Blake2spDigest;
import org.bouncycastle.crypto.digests.Blake2xsDigest;
import org.bouncycastle.crypto.digests.Blake3Digest;
import org.bouncycastle.crypto.digests.GOST3411Digest;
import org.bouncycastle.crypto.digests.GOST3411_2012_256Digest;
import org.bouncycastle.crypto.digests.GOST3411_2012_512Digest;
import org.bouncycastle.crypto.digests.KeccakDigest;
import org.bouncycastle.crypto.digests.MD2Digest;
import org.bouncycastle.crypto.digests.MD4Digest;
import org.bouncycastle.crypto.digests.MD5Digest;
import org.bouncycastle.crypto.digests.RIPEMD128Digest;
import org.bouncycastle.crypto.digests.RIPEMD160Digest;
import org.bouncycastle.crypto.digests.RIPEMD256Digest;
import org.bouncycastle.crypto.digests.RIPEMD320Digest;
import org.bouncycastle.crypto.digests.SHA1Digest;
import org.bouncycastle.crypto.digests.SHA224Digest;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.digests.SHA384Digest;
import org.bouncycastle.crypto.digests.SHA3Digest;
import org.bouncycastle.crypto.digests.SHA512Digest;
import org.bouncycastle.crypto.digests.SHA512tDigest;
import org.bouncycastle.crypto.digests.SHAKEDigest;
import org.bouncycastle.crypto.digests.SM3Digest;
import org.bouncycastle.crypto.digests.SkeinDigest;
import org.bouncycastle.crypto.digests.TigerDigest;
import org.bouncycastle.crypto.digests.WhirlpoolDigest;
import org.bouncycastle.crypto.engines.GOST28147Engine;
import touchstone.Operation;
import touchstone.Row;
import touchstone.Work;

/** Hashes and extendable-output functions. */
final class Digests {
    private Digests() {}

    /** A hash: its id, the name of its class, and the maker of its objects. */
    record Hash(String primitive, String api, Supplier<ExtendedDigest> maker) {}

    static final List<Hash> ALL = all();

    private static List<Hash> all() {
        List<Hash> all = new ArrayList<>();
        all.add(new Hash("md2", "MD2Digest", MD2Digest::new));
        all.add(new Hash("md4", "MD4Digest", MD4Digest::new));
        all.add(new Hash("md5", "MD5Digest", MD5Digest::new));
        all.add(new Hash("sha-1", "SHA1Digest", SHA1Digest::new));
        all.add(new Hash("sha-224", "SHA224Digest", SHA224Digest::new));
        all.add(new Hash("sha-256", "SHA256Digest", SHA256Digest::new));
        all.add(new Hash("sha-384", "SHA384Digest", SHA384Digest::new));
        all.add(new Hash("sha-512", "SHA512Digest", SHA512Digest::new));
        all.add(new Hash("sha-512-224", "SHA512tDigest", () -> new SHA512tDigest(224)));
        all.add(new Hash("sha-512-256", "SHA512tDigest", () -> new SHA512tDigest(256)));
        for (int bits : new int[] {224, 256, 384, 512}) {
            all.add(new Hash("sha3-" + bits, "SHA3Digest", () -> new SHA3Digest(bits)));
            all.add(new Hash("keccak-" + bits, "KeccakDigest", () -> new KeccakDigest(bits)));
        }
        all.add(new Hash("ripemd-128", "RIPEMD128Digest", RIPEMD128Digest::new));
        all.add(new Hash("ripemd-160", "RIPEMD160Digest", RIPEMD160Digest::new));
        all.add(new Hash("ripemd-256", "RIPEMD256Digest", RIPEMD256Digest::new));
        all.add(new Hash("ripemd-320", "RIPEMD320Digest", RIPEMD320Digest::new));
        all.add(new Hash("whirlpool", "WhirlpoolDigest", WhirlpoolDigest::new));
        all.add(new Hash("tiger", "TigerDigest", TigerDigest::new));
        all.add(new Hash("sm3", "SM3Digest", SM3Digest::new));
        all.add(new Hash("streebog-256", "GOST3411_2012_256Digest", GOST3411_2012_256Digest::new));
        all.add(new Hash("streebog-512", "GOST3411_2012_512Digest", GOST3411_2012_512Digest::new));
        all.add(new Hash("gost94", "GOST3411Digest, D-Test", () -> new GOST3411Digest(GOST28147Engine.getSBox("D-Test"))));
        all.add(new Hash("gost94-cryptopro", "GOST3411Digest, D-A", () -> new GOST3411Digest(GOST28147Engine.getSBox("D-A"))));
        all.add(new Hash("blake2b", "Blake2bDigest", () -> new Blake2bDigest(512)));
        all.add(new Hash("blake2b-384", "Blake2bDigest", () -> new Blake2bDigest(384)));
        all.add(new Hash("blake2b-256", "Blake2bDigest", () -> new Blake2bDigest(256)));
        all.add(new Hash("blake2s", "Blake2sDigest", () -> new Blake2sDigest(256)));
        all.add(new Hash("blake2s-128", "Blake2sDigest", () -> new Blake2sDigest(128)));
        all.add(new Hash("blake3", "Blake3Digest", () -> new Blake3Digest(256)));
        for (int[] skein : new int[][] {
            {256, 256}, {512, 224}, {512, 256}, {512, 384}, {512, 512}, {1024, 256}, {1024, 512}, {1024, 1024}
        }) {
            String name = "skein-" + skein[0] + (skein[0] == skein[1] ? "" : "-" + skein[1]);
            all.add(new Hash(name, "SkeinDigest", () -> new SkeinDigest(skein[0], skein[1])));
        }
        all.add(new Hash("skein-256-512", "SkeinDigest", () -> new SkeinDigest(256, 512)));
        all.add(new Hash("ascon-hash256", "AsconHash256", AsconHash256::new));
        return all;
    }

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Hash hash : ALL) {
            rows.add(new Row(hash.primitive, "hash", hash.api + ".update, doFinal", "", work -> () -> hashing(hash.maker.get())));
        }
        // Without HMAC, which nothing uses with them.
        rows.add(new Row("blake2bp", "hash", "Blake2bpDigest.update, doFinal", "", work -> () -> hashing(new Blake2bpDigest(null))));
        rows.add(new Row("blake2sp", "hash", "Blake2spDigest.update, doFinal", "", work -> () -> hashing(new Blake2spDigest(null))));
        xof(rows, "blake2xs", "Blake2xsDigest", Blake2xsDigest::new);
        xof(rows, "shake128", "SHAKEDigest", () -> new SHAKEDigest(128));
        xof(rows, "shake256", "SHAKEDigest", () -> new SHAKEDigest(256));
        xof(rows, "ascon-xof128", "AsconXof128", AsconXof128::new);
        return rows;
    }

    private static void xof(List<Row> rows, String primitive, String api, Supplier<Xof> maker) {
        rows.add(new Row(primitive, "xof", api + ".update, doFinal", "", work -> {
            Work.require(work.length() >= 0, "no output length");
            return () -> extending(maker.get(), work.length());
        }));
    }

    private static Operation hashing(ExtendedDigest digest) {
        return (message, output) -> {
            digest.update(message.input, 0, message.length);
            return digest.doFinal(output, 0);
        };
    }

    private static Operation extending(Xof xof, int length) {
        return (message, output) -> {
            xof.update(message.input, 0, message.length);
            return xof.doFinal(output, 0, length);
        };
    }
}
