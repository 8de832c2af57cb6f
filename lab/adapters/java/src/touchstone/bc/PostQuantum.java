package touchstone.bc;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.Signer;
import org.bouncycastle.crypto.params.MLDSAParameters;
import org.bouncycastle.crypto.params.MLDSAPrivateKeyParameters;
import org.bouncycastle.crypto.params.MLDSAPublicKeyParameters;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.params.SLHDSAParameters;
import org.bouncycastle.crypto.params.SLHDSAPrivateKeyParameters;
import org.bouncycastle.crypto.params.SLHDSAPublicKeyParameters;
import org.bouncycastle.crypto.signers.MLDSASigner;
import org.bouncycastle.crypto.signers.SLHDSASigner;
import org.bouncycastle.pqc.crypto.MessageSigner;
import touchstone.Message;
import touchstone.Operation;
import touchstone.Rejected;
import touchstone.Row;
import touchstone.Unsupported;

/** ML-DSA and SLH-DSA. */
final class PostQuantum {
    private static final Map<String, MLDSAParameters> LATTICES =
            Map.of(
                    "ml-dsa-44", MLDSAParameters.ml_dsa_44,
                    "ml-dsa-65", MLDSAParameters.ml_dsa_65,
                    "ml-dsa-87", MLDSAParameters.ml_dsa_87);

    private static final Map<String, SLHDSAParameters> HASHES =
            Map.of(
                    "slh-dsa-sha2-128f", SLHDSAParameters.sha2_128f,
                    "slh-dsa-shake-128f", SLHDSAParameters.shake_128f);

    private PostQuantum() {}

    /** Makes a signer. */
    private interface Make {
        Signing make();
    }

    /** Reads a key. */
    private interface Read {
        CipherParameters read(byte[] encoded);
    }

    /** Signs or verifies one message; the interfaces of the two schemes differ. */
    private interface Signing {
        void init(boolean signs, CipherParameters key);

        byte[] sign(byte[] input, int length) throws Exception;

        boolean verify(byte[] input, int length, byte[] signature);
    }

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        LATTICES.forEach(
                (name, set) ->
                        add(
                                rows,
                                name,
                                "MLDSASigner",
                                () -> new Pieces(new MLDSASigner()),
                                seed -> new MLDSAPrivateKeyParameters(set, seed),
                                key -> new MLDSAPublicKeyParameters(set, key)));
        HASHES.forEach(
                (name, set) ->
                        add(
                                rows,
                                name,
                                "SLHDSASigner",
                                () -> new Whole(new SLHDSASigner()),
                                key -> new SLHDSAPrivateKeyParameters(set, key),
                                key -> new SLHDSAPublicKeyParameters(set, key)));
        return rows;
    }

    private static void add(
            List<Row> rows, String name, String api, Make make, Read privateKey, Read publicKey) {
        String note = "init for each message";
        rows.add(new Row(name, "sign", api, note, work -> () -> new Keyed(make, privateKey, true)));
        rows.add(new Row(name, "verify", api, note, work -> () -> new Keyed(make, publicKey, false)));
    }

    /** A signer that takes a message in pieces. */
    private record Pieces(Signer signer) implements Signing {
        @Override
        public void init(boolean signs, CipherParameters key) {
            signer.init(signs, key);
        }

        @Override
        public byte[] sign(byte[] input, int length) throws Exception {
            signer.update(input, 0, length);
            return signer.generateSignature();
        }

        @Override
        public boolean verify(byte[] input, int length, byte[] signature) {
            signer.update(input, 0, length);
            return signer.verifySignature(signature);
        }
    }

    /** A signer that takes a message as a whole. */
    private record Whole(MessageSigner signer) implements Signing {
        @Override
        public void init(boolean signs, CipherParameters key) {
            signer.init(signs, key);
        }

        @Override
        public byte[] sign(byte[] input, int length) {
            return signer.generateSignature(cut(input, length));
        }

        @Override
        public boolean verify(byte[] input, int length, byte[] signature) {
            return signer.verifySignature(cut(input, length), signature);
        }

        private static byte[] cut(byte[] input, int length) {
            return input.length == length ? input : Arrays.copyOf(input, length);
        }
    }

    private static final class Keyed implements Operation {
        private final Signing signing;
        private final Read read;
        private final boolean signs;
        private CipherParameters key;

        Keyed(Make make, Read read, boolean signs) {
            this.signing = make.make();
            this.read = read;
            this.signs = signs;
        }

        @Override
        public void setKey(byte[] encoded) throws Exception {
            try {
                CipherParameters plain = read.read(encoded);
                key = signs ? new ParametersWithRandom(plain, new SecureRandom()) : plain;
            } catch (RuntimeException e) {
                throw new Unsupported(e.toString());
            }
        }

        @Override
        public int process(Message message, byte[] output) throws Exception {
            signing.init(signs, key);
            if (!signs) {
                byte[] signature = message.others.get("signature");
                if (signature == null || !signing.verify(message.input, message.length, signature)) {
                    throw new Rejected(null);
                }
                return 0;
            }
            byte[] signature = signing.sign(message.input, message.length);
            System.arraycopy(signature, 0, output, 0, signature.length);
            return signature.length;
        }
    }
}
