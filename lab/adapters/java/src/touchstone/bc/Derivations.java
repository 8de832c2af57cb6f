package touchstone.bc;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;
import org.bouncycastle.crypto.generators.PKCS5S2ParametersGenerator;
import org.bouncycastle.crypto.generators.SCrypt;
import org.bouncycastle.crypto.params.Argon2Parameters;
import org.bouncycastle.crypto.params.HKDFParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import touchstone.Message;
import touchstone.Operation;
import touchstone.Row;
import touchstone.Unsupported;
import touchstone.Work;

/** Key derivation, and bcrypt. */
final class Derivations {
    private static final String ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    private Derivations() {}

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Digests.Hash hash : Digests.ALL) {
            rows.add(row("hkdf-" + hash.primitive(), "HKDFBytesGenerator(" + hash.api() + ")", work -> {
                int length = length(work);
                int most = 255 * hash.maker().get().getDigestSize();
                Work.require(length <= most, "an output of " + length + " bytes");
                return made((m, out) -> {
                    var generator = new HKDFBytesGenerator(hash.maker().get());
                    generator.init(new HKDFParameters(m.input, m.nonce, m.aad));
                    return generator.generateBytes(out, 0, length);
                });
            }));
            rows.add(row("pbkdf2-hmac-" + hash.primitive(), "PKCS5S2ParametersGenerator(" + hash.api() + ")", work -> {
                int length = length(work);
                int iterations = work.positive("iterations");
                return made((m, out) -> {
                    var generator = new PKCS5S2ParametersGenerator(hash.maker().get());
                    generator.init(m.input, m.nonce, iterations);
                    var derived = (KeyParameter) generator.generateDerivedMacParameters(8 * length);
                    return give(derived.getKey(), out);
                });
            }));
        }
        rows.add(row("scrypt", "SCrypt.generate", Derivations::scrypt));
        rows.add(row("argon2d", "Argon2BytesGenerator", work -> argon2(Argon2Parameters.ARGON2_d, work)));
        rows.add(row("argon2i", "Argon2BytesGenerator", work -> argon2(Argon2Parameters.ARGON2_i, work)));
        rows.add(row("argon2id", "Argon2BytesGenerator", work -> argon2(Argon2Parameters.ARGON2_id, work)));
        rows.add(new Row("crypt-bcrypt", "crypt", "OpenBSDBCrypt.generate", "", Derivations::bcrypt));
        return rows;
    }

    private static Row row(String primitive, String api, Row.Plan plan) {
        return new Row(primitive, "derive", api, "", plan);
    }

    private static int length(Work work) throws Unsupported {
        Work.require(work.length() >= 1, "an output of " + work.length() + " bytes");
        return work.length();
    }

    private static Row.Maker made(Operation derivation) {
        return () -> derivation;
    }

    private static int give(byte[] derived, byte[] output) {
        System.arraycopy(derived, 0, output, 0, derived.length);
        return derived.length;
    }

    private static Row.Maker scrypt(Work work) throws Unsupported {
        int n = work.positive("n");
        int r = work.positive("r");
        int p = work.positive("p");
        int length = length(work);
        Work.require(n > 1 && Integer.bitCount(n) == 1, "n of " + n);
        return made((m, out) -> give(SCrypt.generate(m.input, m.nonce, n, r, p, length), out));
    }

    private static Row.Maker argon2(int type, Work work) throws Unsupported {
        int iterations = work.positive("iterations");
        int memory = work.positive("memory");
        int lanes = work.positive("lanes");
        int length = length(work);
        Work.require(length >= 4, "an output of " + length + " bytes");
        byte[] secret = work.key();
        return made((m, out) -> {
            var parameters =
                    new Argon2Parameters.Builder(type)
                            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                            .withIterations(iterations)
                            .withMemoryAsKB(memory)
                            .withParallelism(lanes)
                            .withSalt(m.nonce)
                            .withSecret(secret)
                            .withAdditional(m.aad)
                            .build();
            var generator = new Argon2BytesGenerator();
            generator.init(parameters);
            return generator.generateBytes(m.input, out, 0, length);
        });
    }

    private static Row.Maker bcrypt(Work work) throws Unsupported {
        String setting = new String(work.nonce(), StandardCharsets.ISO_8859_1);
        Work.require(
                setting.matches("\\$2[aby]\\$[0-9]{2}\\$[./A-Za-z0-9]{22}.*"),
                "a setting other than $2a$, $2b$ or $2y$ with cost and salt");
        int cost = Integer.parseInt(setting.substring(4, 6));
        Work.require(cost >= 4 && cost <= 31, "a cost of " + cost);
        String version = setting.substring(1, 3);
        byte[] salt = salt(setting.substring(7, 29));
        byte[] first = work.key().length > 0 ? work.key() : work.input();
        Work.require(first.length <= 72, "a phrase of more than 72 bytes");
        return () -> new Operation() {
            private byte[] phrase = first;

            @Override
            public void setKey(byte[] key) {
                if (key.length > 0) {
                    phrase = key;
                }
            }

            @Override
            public int process(Message message, byte[] output) {
                String hash = OpenBSDBCrypt.generate(version, phrase, salt, cost);
                return give(hash.getBytes(StandardCharsets.US_ASCII), output);
            }
        };
    }

    /** Decodes a salt of 16 bytes from bcrypt's own base 64. */
    private static byte[] salt(String text) {
        byte[] salt = new byte[16];
        int bits = 0;
        int have = 0;
        int at = 0;
        for (char c : text.toCharArray()) {
            bits = bits << 6 | ALPHABET.indexOf(c);
            have += 6;
            if (have >= 8 && at < salt.length) {
                have -= 8;
                salt[at++] = (byte) (bits >> have);
            }
        }
        return salt;
    }
}
