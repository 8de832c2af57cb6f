package touchstone.jca;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.RC2ParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import touchstone.Message;
import touchstone.Operation;
import touchstone.Rejected;
import touchstone.Row;
import touchstone.Unsupported;
import touchstone.Work;

/** All operations that use the class {@link Cipher}. */
final class Ciphers {
    /**
     * A block cipher: its id, its JCA name, the block's length, the least and the greatest length
     * of a key, in bytes.
     */
    private record Block(String primitive, String name, int bytes, int least, int most) {}

    private static final List<Block> BLOCKS =
            List.of(
                    new Block("aes-128", "AES", 16, 16, 16),
                    new Block("aes-192", "AES", 16, 24, 24),
                    new Block("aes-256", "AES", 16, 32, 32),
                    new Block("des", "DES", 8, 8, 8),
                    new Block("des-ede2", "DESede", 8, 16, 16),
                    new Block("des-ede3", "DESede", 8, 24, 24),
                    new Block("blowfish", "Blowfish", 8, 1, 56),
                    new Block("rc2", "RC2", 8, 5, 128));

    /** Rows: the beginning of an operation's id, and the mode in a transformation's name. */
    private static final String[][] MODES = {
        {"ecb-", "ECB"}, {"cbc-", "CBC"}, {"cfb-", "CFB"}, {"cfb8-", "CFB8"}, {"ofb-", "OFB"},
        {"ctr-", "CTR"}, {"gcm-", "GCM"}, {"cbc-cs3-", "CTS"}, {"kw-", "KW"}, {"kwp-", "KWP"},
    };

    private Ciphers() {}

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Block block : BLOCKS) {
            for (String[] mode : MODES) {
                String transformation = block.name + "/" + mode[1] + "/NoPadding";
                if (!Jca.has(Cipher::getInstance, transformation)) {
                    continue;
                }
                for (String way : new String[] {"encrypt", "decrypt"}) {
                    // If decryption is the same function as encryption, only encryption has an
                    // id.
                    if (way.equals("decrypt") && (mode[1].equals("OFB") || mode[1].equals("CTR"))) {
                        continue;
                    }
                    boolean encrypt = way.equals("encrypt");
                    rows.add(
                            new Row(
                                    block.primitive,
                                    mode[0] + way,
                                    "Cipher " + transformation,
                                    "init and doFinal for each message; the provider keeps the schedule of a key that stays"
                                            + (block.primitive.equals("des-ede2") ? "; K1 appended as third key" : ""),
                                    work -> plan(block, mode[1], transformation, encrypt, work)));
                }
            }
        }
        String each = "the key is taken with each message";
        if (Jca.has(Cipher::getInstance, "ARCFOUR")) {
            rows.add(new Row("rc4", "stream-encrypt", "Cipher ARCFOUR, update", "", Ciphers::arcfour));
        }
        if (Jca.has(Cipher::getInstance, "ChaCha20")) {
            rows.add(new Row("chacha20", "stream-encrypt", "Cipher ChaCha20", each, Ciphers::chaCha));
        }
        if (Jca.has(Cipher::getInstance, "ChaCha20-Poly1305")) {
            rows.add(new Row("chacha20-poly1305", "aead-encrypt", "Cipher ChaCha20-Poly1305", each, w -> poly(true, w)));
            rows.add(new Row("chacha20-poly1305", "aead-decrypt", "Cipher ChaCha20-Poly1305", each, w -> poly(false, w)));
        }
        return rows;
    }

    private static Row.Maker plan(Block block, String mode, String transformation, boolean encrypt, Work work)
            throws Exception {
        work.requireKey(block.least, block.most);
        Work.require(work.cost("rounds") == 0, "a number of rounds");
        Parameters parameters = nonce -> new IvParameterSpec(nonce);
        switch (mode) {
            case "ECB" -> {
                work.requireBlocks(block.bytes);
                work.requireNonce(0);
                parameters = null;
            }
            case "KW", "KWP" -> {
                // Without a nonce, the cipher uses the constant IV of the standard.
                work.requireNonce(0);
                parameters = null;
            }
            case "GCM" -> {
                int bits = work.tagOr(16) * 8;
                Work.require(work.nonce().length > 0, "no nonce");
                Work.require(bits >= 96 && bits <= 128, "a tag of " + bits / 8 + " bytes");
                parameters = nonce -> new GCMParameterSpec(bits, nonce);
            }
            case "CTS" -> {
                work.requireNonce(block.bytes);
                Work.require(work.input().length >= block.bytes, "a message of less than a block");
            }
            default -> {
                work.requireNonce(block.bytes);
                if (mode.equals("CBC")) {
                    work.requireBlocks(block.bytes);
                }
            }
        }
        if (block.name.equals("RC2")) {
            long bits = work.cost("effective-bits");
            int effective = bits == 0 ? work.key().length * 8 : Math.toIntExact(bits);
            Work.require(effective >= 1 && effective <= 1024, effective + " effective bits");
            boolean iv = parameters != null;
            parameters = nonce -> iv ? new RC2ParameterSpec(effective, nonce) : new RC2ParameterSpec(effective);
        }
        Parameters chosen = parameters;
        boolean sealed = mode.equals("GCM") || mode.startsWith("KW");
        return () -> new Mode(transformation, block.name, encrypt, sealed, chosen, work);
    }

    private static Row.Maker arcfour(Work work) throws Exception {
        work.requireKey(5, 128);
        work.requireNonce(0);
        Work.require(work.cost("drop") == 0, "dropping keystream");
        return () -> {
            var cipher = Cipher.getInstance("ARCFOUR");
            return new Operation() {
                @Override
                public void setKey(byte[] key) throws GeneralSecurityException {
                    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "ARCFOUR"));
                }

                @Override
                public int process(Message message, byte[] output) throws GeneralSecurityException {
                    // update continues the keystream. doFinal would return to the keystream's
                    // beginning.
                    return cipher.update(message.input, 0, message.length, output, 0);
                }
            };
        };
    }

    private static Row.Maker chaCha(Work work) throws Exception {
        work.requireKey(32, 32);
        work.requireNonce(12);
        long counter = work.cost("counter");
        Work.require(
                counter <= Integer.MAX_VALUE,
                "a counter of " + counter + ", which the parameters' signed number does not hold");
        return () -> new Mode("ChaCha20", "ChaCha20", true, false, nonce -> new ChaCha20ParameterSpec(nonce, (int) counter), work);
    }

    private static Row.Maker poly(boolean encrypt, Work work) throws Exception {
        work.requireKey(32, 32);
        work.requireNonce(12);
        Work.require(work.tagOr(16) == 16, "a tag of " + work.tag() + " bytes");
        return () -> new Mode("ChaCha20-Poly1305", "ChaCha20", encrypt, true, IvParameterSpec::new, work);
    }

    /** Converts a nonce into the parameters of init. */
    @FunctionalInterface
    private interface Parameters {
        AlgorithmParameterSpec of(byte[] nonce);
    }

    private static final class Mode implements Operation {
        private final String transformation;
        private final String keyName;
        private final int way;
        private final boolean sealed;
        private final Parameters parameters;
        private final byte[] otherNonce;
        private Cipher cipher;
        private SecretKeySpec key;
        private byte[] keyBytes = {};

        Mode(String transformation, String keyName, boolean encrypt, boolean sealed, Parameters parameters, Work work)
                throws GeneralSecurityException {
            this.transformation = transformation;
            this.keyName = keyName;
            this.way = encrypt ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE;
            this.sealed = sealed;
            this.parameters = parameters;
            this.otherNonce = work.setup() ? Work.otherNonce(work.nonce()) : null;
            this.cipher = Cipher.getInstance(transformation);
        }

        @Override
        public void setKey(byte[] given) throws GeneralSecurityException {
            boolean remembers = sealed || keyName.equals("ChaCha20");
            if (remembers && Arrays.equals(given, keyBytes)) {
                // Authenticated modes and ChaCha20 store the last key and nonce, to refuse the
                // same pair. A repeated key occurs only when an answer is checked again,
                // because a loop alternates between keys.
                cipher = Cipher.getInstance(transformation);
            }
            keyBytes = given;
            byte[] whole = given;
            if (keyName.equals("DESede") && given.length == 16) {
                whole = Arrays.copyOf(given, 24);
                System.arraycopy(given, 0, whole, 16, 8);
            }
            key = new SecretKeySpec(whole, keyName);
            if (parameters == null) {
                cipher.init(way, key);
            } else if (otherNonce != null) {
                // init is the only method that sets a key.
                cipher.init(way, key, parameters.of(otherNonce));
            }
        }

        private void start(byte[] nonce) throws GeneralSecurityException, Unsupported {
            try {
                cipher.init(way, key, parameters.of(nonce));
            } catch (InvalidKeyException e) {
                // The key's length was checked, so the reason is another one: an object of
                // ChaCha20 refuses the same nonce twice in a row, for decryption too.
                if (keyName.equals("ChaCha20")) {
                    throw new Unsupported(e.getMessage());
                }
                throw e;
            }
        }

        @Override
        public int process(Message message, byte[] output) throws Exception {
            if (parameters != null) {
                start(message.nonce);
            }
            if (message.aad.length > 0) {
                cipher.updateAAD(message.aad);
            }
            try {
                return cipher.doFinal(message.input, 0, message.length, output, 0);
            } catch (AEADBadTagException e) {
                throw new Rejected(e);
            } catch (IllegalBlockSizeException e) {
                // Key wrapping throws this exception for a failed integrity check and for a
                // wrong length.
                if (sealed && way == Cipher.DECRYPT_MODE) {
                    throw new Rejected(e);
                }
                throw e;
            }
        }
    }
}
