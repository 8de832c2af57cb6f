package touchstone.jca;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import touchstone.Message;
import touchstone.Operation;
import touchstone.Row;
import touchstone.Work;

/** Hashes and HMACs. */
final class Digests {
    /** Rows: the primitive, the hash's JCA name, and the name that follows "Hmac". */
    static final String[][] NAMES = {
        {"md2", "MD2", "MD2"},
        {"md5", "MD5", "MD5"},
        {"sha-1", "SHA-1", "SHA1"},
        {"sha-224", "SHA-224", "SHA224"},
        {"sha-256", "SHA-256", "SHA256"},
        {"sha-384", "SHA-384", "SHA384"},
        {"sha-512", "SHA-512", "SHA512"},
        {"sha-512-224", "SHA-512/224", "SHA512/224"},
        {"sha-512-256", "SHA-512/256", "SHA512/256"},
        {"sha3-224", "SHA3-224", "SHA3-224"},
        {"sha3-256", "SHA3-256", "SHA3-256"},
        {"sha3-384", "SHA3-384", "SHA3-384"},
        {"sha3-512", "SHA3-512", "SHA3-512"},
    };

    private Digests() {}

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (String[] name : NAMES) {
            if (Jca.has(MessageDigest::getInstance, name[1])) {
                rows.add(new Row(name[0], "hash", "MessageDigest " + name[1], "", w -> () -> hash(MessageDigest.getInstance(name[1]))));
            }
            String mac = "Hmac" + name[2];
            if (Jca.has(Mac::getInstance, mac)) {
                rows.add(new Row("hmac-" + name[0], "mac", "Mac " + mac, "", work -> {
                    Work.require(work.key().length > 0, "an empty key");
                    int size = Mac.getInstance(mac).getMacLength();
                    int tag = work.tagOr(size);
                    Work.require(tag <= size, "a tag of " + tag + " bytes");
                    return () -> authentication(Mac.getInstance(mac), tag);
                }));
            }
        }
        return rows;
    }

    private static Operation hash(MessageDigest digest) {
        return (message, output) -> {
            digest.update(message.input, 0, message.length);
            return digest.digest(output, 0, output.length);
        };
    }

    private static Operation authentication(Mac mac, int tag) {
        return new Operation() {
            @Override
            public void setKey(byte[] key) throws GeneralSecurityException {
                mac.init(new SecretKeySpec(key, mac.getAlgorithm()));
            }

            @Override
            public int process(Message message, byte[] output) throws GeneralSecurityException {
                mac.update(message.input, 0, message.length);
                mac.doFinal(output, 0);
                return tag;
            }
        };
    }
}
