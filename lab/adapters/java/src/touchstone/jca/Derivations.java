package touchstone.jca;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import touchstone.Row;
import touchstone.Unsupported;
import touchstone.Work;

/** Key derivation by PBKDF2. */
final class Derivations {
    private Derivations() {}

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (String[] name : Digests.NAMES) {
            String factory = "PBKDF2WithHmac" + name[2];
            if (Jca.has(SecretKeyFactory::getInstance, factory)) {
                rows.add(new Row(
                        "pbkdf2-hmac-" + name[0],
                        "derive",
                        "SecretKeyFactory " + factory,
                        "passwords are text: the message is made into characters beforehand",
                        work -> plan(factory, work)));
            }
        }
        return rows;
    }

    private static Row.Maker plan(String factory, Work work) throws Unsupported {
        int iterations = work.positive("iterations");
        Work.require(work.length() >= 1, "an output of " + work.length() + " bytes");
        Work.require(work.nonce().length > 0, "an empty salt");
        char[] password = characters(work.input());
        int length = work.length();
        return () -> {
            var secrets = SecretKeyFactory.getInstance(factory);
            return (message, output) -> {
                var spec = new PBEKeySpec(password, message.nonce, iterations, length * 8);
                byte[] derived = secrets.generateSecret(spec).getEncoded();
                System.arraycopy(derived, 0, output, 0, length);
                return length;
            };
        };
    }

    /** Returns the characters that the provider encodes as exactly these bytes. */
    private static char[] characters(byte[] bytes) throws Unsupported {
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            char[] characters = new char[text.remaining()];
            text.get(characters);
            return characters;
        } catch (CharacterCodingException e) {
            throw new Unsupported("a password that is not text in UTF-8");
        }
    }
}
