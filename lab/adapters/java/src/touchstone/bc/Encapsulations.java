package touchstone.bc;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bouncycastle.crypto.kems.MLKEMExtractor;
import org.bouncycastle.crypto.kems.MLKEMGenerator;
import org.bouncycastle.crypto.params.MLKEMParameters;
import org.bouncycastle.crypto.params.MLKEMPrivateKeyParameters;
import org.bouncycastle.crypto.params.MLKEMPublicKeyParameters;
import touchstone.Message;
import touchstone.Operation;
import touchstone.Rejected;
import touchstone.Row;
import touchstone.Unsupported;

/** ML-KEM. */
final class Encapsulations {
    private static final Map<String, MLKEMParameters> SETS =
            Map.of(
                    "ml-kem-512", MLKEMParameters.ml_kem_512,
                    "ml-kem-768", MLKEMParameters.ml_kem_768,
                    "ml-kem-1024", MLKEMParameters.ml_kem_1024);

    private static final int SEED = 64;

    private Encapsulations() {}

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        SETS.forEach(
                (name, set) -> {
                    rows.add(new Row(name, "encapsulate", "MLKEMGenerator", "", work -> () -> new Closing(set)));
                    rows.add(new Row(name, "decapsulate", "MLKEMExtractor", "", work -> () -> new Opening(set)));
                });
        return rows;
    }

    private static final class Closing implements Operation {
        private final MLKEMParameters set;
        private final MLKEMGenerator generator = new MLKEMGenerator(new SecureRandom());
        private MLKEMPublicKeyParameters key;

        Closing(MLKEMParameters set) {
            this.set = set;
        }

        @Override
        public void setKey(byte[] encoded) throws Exception {
            try {
                key = new MLKEMPublicKeyParameters(set, encoded);
            } catch (IllegalArgumentException e) {
                throw new Unsupported(e.toString());
            }
        }

        @Override
        public int process(Message message, byte[] output) {
            var made = generator.generateEncapsulated(key);
            byte[] ciphertext = made.getEncapsulation();
            byte[] secret = made.getSecret();
            System.arraycopy(ciphertext, 0, output, 0, ciphertext.length);
            System.arraycopy(secret, 0, output, ciphertext.length, secret.length);
            return ciphertext.length + secret.length;
        }
    }

    private static final class Opening implements Operation {
        private final MLKEMParameters set;
        private MLKEMExtractor extractor;

        Opening(MLKEMParameters set) {
            this.set = set;
        }

        @Override
        public void setKey(byte[] seed) throws Exception {
            if (seed.length != SEED) {
                throw new Unsupported("a seed of " + seed.length + " bytes");
            }
            extractor = new MLKEMExtractor(new MLKEMPrivateKeyParameters(set, seed));
        }

        @Override
        public int process(Message message, byte[] output) throws Exception {
            byte[] ciphertext = message.others.get("ciphertext");
            if (ciphertext == null || ciphertext.length != extractor.getEncapsulationLength()) {
                throw new Rejected(null);
            }
            byte[] secret = extractor.extractSecret(ciphertext);
            System.arraycopy(secret, 0, output, 0, secret.length);
            return secret.length;
        }
    }
}
