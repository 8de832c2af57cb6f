package touchstone.bc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.engines.AsconAEAD128;
import org.bouncycastle.crypto.engines.AsconEngine;
import org.bouncycastle.crypto.modes.AEADCipher;
import org.bouncycastle.crypto.modes.CCMBlockCipher;
import org.bouncycastle.crypto.modes.ChaCha20Poly1305;
import org.bouncycastle.crypto.modes.EAXBlockCipher;
import org.bouncycastle.crypto.modes.GCMBlockCipher;
import org.bouncycastle.crypto.modes.GCMSIVBlockCipher;
import org.bouncycastle.crypto.modes.OCBBlockCipher;
import org.bouncycastle.crypto.modes.XChaCha20Poly1305;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import touchstone.Message;
import touchstone.Rejected;
import touchstone.Row;
import touchstone.Unsupported;
import touchstone.Work;

/** Authenticated encryption: modes of block ciphers, and AEADs with their own design. */
final class Aeads {
    private static final String EACH = "the key is scheduled with each message";

    private Aeads() {}

    /** The check of a mode's lengths of nonce and tag, in bytes. */
    @FunctionalInterface
    private interface Takes {
        boolean lengths(int nonce, int tag);
    }

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Block block : Block.ALL) {
            boolean plainKey = !block.primitive().startsWith("gost28147") && !block.primitive().startsWith("rc");
            if (block.bytes() == 16) {
                add(rows, block, "gcm", "GCMBlockCipher", false, (n, t) -> n >= 1 && t >= 4 && t <= 16,
                        () -> GCMBlockCipher.newInstance(block.engine().get()));
                add(rows, block, "ccm", "CCMBlockCipher", false,
                        (n, t) -> n >= 7 && n <= 13 && t >= 4 && t <= 16 && t % 2 == 0,
                        () -> CCMBlockCipher.newInstance(block.engine().get()));
                add(rows, block, "ocb", "OCBBlockCipher", false, (n, t) -> n <= 15 && t >= 8 && t <= 16,
                        () -> new OCBBlockCipher(block.engine().get(), block.engine().get()));
            }
            if (block.primitive().startsWith("aes-") && block.least() != 24) {
                add(rows, block, "gcm-siv", "GCMSIVBlockCipher", true, (n, t) -> n == 12 && t == 16,
                        () -> new GCMSIVBlockCipher(block.engine().get()));
            }
            if (plainKey) {
                add(rows, block, "eax", "EAXBlockCipher", true, (n, t) -> t >= 1 && t <= block.bytes(),
                        () -> new EAXBlockCipher(block.engine().get()));
            }
        }
        add(rows, "chacha20-poly1305", "ChaCha20Poly1305", 32, 12, false, ChaCha20Poly1305::new);
        add(rows, "xchacha20-poly1305", "XChaCha20Poly1305", 32, 24, true, XChaCha20Poly1305::new);
        add(rows, "ascon-aead128", "AsconAEAD128", 16, 16, true, AsconAEAD128::new);
        beforeTheStandard(rows);
        return rows;
    }

    /**
     * Ascon as submitted to NIST's competition. Bouncy Castle marks it as deprecated, because
     * NIST's standard differs from it.
     */
    @SuppressWarnings("deprecation")
    private static void beforeTheStandard(List<Row> rows) {
        add(rows, "ascon-128", "AsconEngine", 16, 16, true,
                () -> new AsconEngine(AsconEngine.AsconParameters.ascon128));
        add(rows, "ascon-128a", "AsconEngine", 16, 16, true,
                () -> new AsconEngine(AsconEngine.AsconParameters.ascon128a));
    }

    private static void add(
            List<Row> rows, Block block, String mode, String api, boolean each, Takes takes, Supplier<AEADCipher> maker) {
        for (boolean encrypt : new boolean[] {true, false}) {
            String operation = mode + (encrypt ? "-encrypt" : "-decrypt");
            rows.add(new Row(block.primitive(), operation, api + "(" + block.api() + ")", each ? EACH : "", work -> {
                block.keys(work);
                return plan(takes, Math.min(16, block.bytes()), each, encrypt, maker, work);
            }));
        }
    }

    private static void add(
            List<Row> rows, String primitive, String api, int key, int nonce, boolean each, Supplier<AEADCipher> maker) {
        for (boolean encrypt : new boolean[] {true, false}) {
            String operation = "aead" + (encrypt ? "-encrypt" : "-decrypt");
            rows.add(new Row(primitive, operation, api, each ? EACH : "", work -> {
                work.requireKey(key, key);
                return plan((n, t) -> n == nonce && t == 16, 16, each, encrypt, maker, work);
            }));
        }
    }

    private static Row.Maker plan(
            Takes takes, int usual, boolean each, boolean encrypt, Supplier<AEADCipher> maker, Work work)
            throws Unsupported {
        int tag = work.tagOr(usual);
        Work.require(
                takes.lengths(work.nonce().length, tag),
                "a nonce of " + work.nonce().length + " bytes with a tag of " + tag);
        return () -> new Sealing(maker, encrypt, 8 * tag, each, work);
    }

    private static final class Sealing extends Keyed {
        private final Supplier<AEADCipher> maker;
        private final boolean encrypt;
        private final int tagBits;
        private AEADCipher mode;
        private byte[] last = {};

        Sealing(Supplier<AEADCipher> maker, boolean encrypt, int tagBits, boolean each, Work work) {
            super(KeyParameter::new, each, work);
            this.maker = maker;
            this.encrypt = encrypt;
            this.tagBits = tagBits;
            this.mode = maker.get();
        }

        @Override
        public void setKey(byte[] given) {
            if (Arrays.equals(given, last)) {
                // Some modes store the last key and nonce, to refuse the same pair. A repeated
                // key occurs only when an answer is checked again, because a loop alternates
                // between keys.
                mode = maker.get();
            }
            last = given;
            super.setKey(given);
        }

        @Override
        void init(CipherParameters key, byte[] nonce, byte[] aad) {
            mode.init(encrypt, new AEADParameters((KeyParameter) key, tagBits, nonce, aad));
        }

        @Override
        public int process(Message message, byte[] output) throws Exception {
            start(message);
            try {
                int written = mode.processBytes(message.input, 0, message.length, output, 0);
                return written + mode.doFinal(output, written);
            } catch (InvalidCipherTextException e) {
                throw new Rejected(e);
            }
        }
    }
}
