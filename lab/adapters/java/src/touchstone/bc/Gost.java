package touchstone.bc;

import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.bouncycastle.asn1.x9.ECNamedCurveTable;
import org.bouncycastle.crypto.Digest;
import org.bouncycastle.crypto.digests.GOST3411Digest;
import org.bouncycastle.crypto.digests.GOST3411_2012_256Digest;
import org.bouncycastle.crypto.digests.GOST3411_2012_512Digest;
import org.bouncycastle.crypto.params.ECDomainParameters;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.signers.ECGOST3410Signer;
import org.bouncycastle.util.BigIntegers;
import touchstone.Message;
import touchstone.Operation;
import touchstone.Rejected;
import touchstone.Row;
import touchstone.Unsupported;

/** Signatures by GOST R 34.10 (RFC 5832, RFC 7091). Keys are a factor and a point. */
final class Gost {
    private static final String CRYPTO_PRO = "GostR3410-2001-CryptoPro-A";

    private Gost() {}

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        add(rows, "gost-3410-2001", CRYPTO_PRO, GOST3411Digest::new, 32);
        add(rows, "gost-3410-2012-256", CRYPTO_PRO, GOST3411_2012_256Digest::new, 32);
        add(rows, "gost-3410-2012-512", "Tc26-Gost-3410-12-512-paramSetA", GOST3411_2012_512Digest::new, 64);
        return rows;
    }

    private static void add(List<Row> rows, String primitive, String curve, Supplier<Digest> hash, int bytes) {
        for (boolean signs : new boolean[] {true, false}) {
            rows.add(
                    new Row(
                            primitive,
                            signs ? "sign" : "verify",
                            signs ? "ECGOST3410Signer.generateSignature" : "ECGOST3410Signer.verifySignature",
                            "",
                            work -> () -> new Signer(signs, curve, hash.get(), bytes)));
        }
    }

    private static final class Signer implements Operation {
        private final boolean signs;
        private final ECDomainParameters curve;
        private final Digest hash;
        private final byte[] digest;
        private final int bytes;
        private final SecureRandom random = new SecureRandom();
        private final ECGOST3410Signer signer = new ECGOST3410Signer();

        Signer(boolean signs, String curve, Digest hash, int bytes) {
            this.signs = signs;
            this.curve = new ECDomainParameters(ECNamedCurveTable.getByName(curve));
            this.hash = hash;
            this.digest = new byte[hash.getDigestSize()];
            this.bytes = bytes;
        }

        @Override
        public void setKey(byte[] key) throws Exception {
            try {
                if (signs) {
                    var own = new ECPrivateKeyParameters(new BigInteger(1, key), curve);
                    signer.init(true, new ParametersWithRandom(own, random));
                } else {
                    var point = curve.getCurve().decodePoint(key);
                    signer.init(false, new ECPublicKeyParameters(point, curve));
                }
            } catch (IllegalArgumentException e) {
                throw new Unsupported(e.toString());
            }
        }

        @Override
        public int process(Message message, byte[] output) throws Exception {
            hash.update(message.input, 0, message.length);
            hash.doFinal(digest, 0);
            if (signs) {
                BigInteger[] numbers = signer.generateSignature(digest);
                BigIntegers.asUnsignedByteArray(numbers[0], output, 0, bytes);
                BigIntegers.asUnsignedByteArray(numbers[1], output, bytes, bytes);
                return 2 * bytes;
            }
            byte[] signature = message.others.get("signature");
            if (signature.length != 2 * bytes) {
                throw new Rejected(null);
            }
            var r = BigIntegers.fromUnsignedByteArray(signature, 0, bytes);
            var s = BigIntegers.fromUnsignedByteArray(signature, bytes, bytes);
            if (!signer.verifySignature(digest, r, s)) {
                throw new Rejected(null);
            }
            return 0;
        }
    }
}
