package touchstone.bc;

import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.BufferedBlockCipher;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.MultiBlockCipher;
import org.bouncycastle.crypto.StreamCipher;
import org.bouncycastle.crypto.modes.CBCBlockCipher;
import org.bouncycastle.crypto.modes.CFBBlockCipher;
import org.bouncycastle.crypto.modes.NISTCTSBlockCipher;
import org.bouncycastle.crypto.modes.OFBBlockCipher;
import org.bouncycastle.crypto.modes.SICBlockCipher;
import org.bouncycastle.crypto.params.ParametersWithIV;
import touchstone.Message;
import touchstone.Operation;
import touchstone.Row;
import touchstone.Work;

/** Modes without authentication. */
final class Modes {
    private Modes() {}

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Block block : Block.ALL) {
            for (boolean encrypt : new boolean[] {true, false}) {
                String way = encrypt ? "-encrypt" : "-decrypt";
                rows.add(row(block, "ecb" + way, "processBlock", work -> ecb(block, encrypt, work)));
                rows.add(row(block, "cbc" + way, "CBCBlockCipher.processBlocks", work -> cbc(block, encrypt, work)));
                rows.add(stream(block, "cfb" + way, "CFBBlockCipher.processBytes", encrypt,
                        engine -> CFBBlockCipher.newInstance(engine, 8 * engine.getBlockSize())));
                rows.add(stream(block, "cfb8" + way, "CFBBlockCipher.processBytes", encrypt,
                        engine -> CFBBlockCipher.newInstance(engine, 8)));
                if (encrypt) {
                    rows.add(stream(block, "ofb-encrypt", "OFBBlockCipher.processBytes", true,
                            engine -> new OFBBlockCipher(engine, 8 * engine.getBlockSize())));
                    rows.add(stream(block, "ctr-encrypt", "SICBlockCipher.processBytes", true,
                            SICBlockCipher::newInstance));
                }
                for (int type = NISTCTSBlockCipher.CS1; type <= NISTCTSBlockCipher.CS3; type++) {
                    int chosen = type;
                    rows.add(row(block, "cbc-cs" + type + way, "NISTCTSBlockCipher.processBytes, doFinal",
                            work -> stealing(block, chosen, encrypt, work)));
                }
            }
        }
        return rows;
    }

    private static Row row(Block block, String operation, String api, Row.Plan plan) {
        return new Row(block.primitive(), operation, block.api() + ", " + api, "", plan);
    }

    private static Row.Maker ecb(Block block, boolean encrypt, Work work) throws Exception {
        var keys = block.keys(work);
        work.requireBlocks(block.bytes());
        work.requireNonce(0);
        return () -> new Ecb(block.engine().get(), keys, encrypt);
    }

    private static Row.Maker cbc(Block block, boolean encrypt, Work work) throws Exception {
        var keys = block.keys(work);
        work.requireBlocks(block.bytes());
        work.requireNonce(block.bytes());
        return () -> new Cbc(block.engine().get(), keys, encrypt, work);
    }

    @FunctionalInterface
    private interface Mode {
        StreamCipher on(BlockCipher engine);
    }

    private static Row stream(Block block, String operation, String api, boolean encrypt, Mode mode) {
        return row(block, operation, api, work -> {
            var keys = block.keys(work);
            work.requireNonce(block.bytes());
            return () -> new StreamMode(mode.on(block.engine().get()), keys, encrypt, work);
        });
    }

    private static Row.Maker stealing(Block block, int type, boolean encrypt, Work work) throws Exception {
        var keys = block.keys(work);
        work.requireNonce(block.bytes());
        Work.require(work.input().length >= block.bytes(), "a message of less than a block");
        return () -> new Stealing(
                new NISTCTSBlockCipher(type, block.engine().get()), keys, encrypt, work);
    }

    private static final class Ecb implements Operation {
        private final BlockCipher engine;
        private final Block.Keys keys;
        private final boolean encrypt;
        private final int size;

        Ecb(BlockCipher engine, Block.Keys keys, boolean encrypt) {
            this.engine = engine;
            this.keys = keys;
            this.encrypt = encrypt;
            this.size = engine.getBlockSize();
        }

        @Override
        public void setKey(byte[] key) {
            engine.init(encrypt, keys.of(key));
        }

        @Override
        public int process(Message message, byte[] output) {
            byte[] input = message.input;
            for (int at = 0; at < message.length; at += size) {
                engine.processBlock(input, at, output, at);
            }
            return message.length;
        }
    }

    /**
     * The part of a mode that holds the key. Bouncy Castle schedules it together with the first IV;
     * later IVs come with a key of null, which leaves it as it is.
     */
    private abstract static class Keyed implements Operation {
        private final Block.Keys keys;
        private final byte[] otherNonce;
        private CipherParameters pending;

        Keyed(Block.Keys keys, Work work) {
            this.keys = keys;
            this.otherNonce = work.setup() ? Work.otherNonce(work.nonce()) : null;
        }

        abstract void init(CipherParameters parameters);

        @Override
        public void setKey(byte[] key) {
            pending = keys.of(key);
            if (otherNonce != null) {
                start(otherNonce);
            }
        }

        final void start(byte[] nonce) {
            init(new ParametersWithIV(pending, nonce));
            pending = null;
        }
    }

    private static final class Cbc extends Keyed {
        private final MultiBlockCipher mode;
        private final boolean encrypt;
        private final int size;

        Cbc(BlockCipher engine, Block.Keys keys, boolean encrypt, Work work) {
            super(keys, work);
            this.mode = CBCBlockCipher.newInstance(engine);
            this.encrypt = encrypt;
            this.size = engine.getBlockSize();
        }

        @Override
        void init(CipherParameters parameters) {
            mode.init(encrypt, parameters);
        }

        @Override
        public int process(Message message, byte[] output) {
            start(message.nonce);
            return mode.processBlocks(message.input, 0, message.length / size, output, 0);
        }
    }

    private static final class StreamMode extends Keyed {
        private final StreamCipher mode;
        private final boolean encrypt;

        StreamMode(StreamCipher mode, Block.Keys keys, boolean encrypt, Work work) {
            super(keys, work);
            this.mode = mode;
            this.encrypt = encrypt;
        }

        @Override
        void init(CipherParameters parameters) {
            mode.init(encrypt, parameters);
        }

        @Override
        public int process(Message message, byte[] output) {
            start(message.nonce);
            return mode.processBytes(message.input, 0, message.length, output, 0);
        }
    }

    private static final class Stealing extends Keyed {
        private final BufferedBlockCipher mode;
        private final boolean encrypt;

        Stealing(BufferedBlockCipher mode, Block.Keys keys, boolean encrypt, Work work) {
            super(keys, work);
            this.mode = mode;
            this.encrypt = encrypt;
        }

        @Override
        void init(CipherParameters parameters) {
            mode.init(encrypt, parameters);
        }

        @Override
        public int process(Message message, byte[] output) throws Exception {
            start(message.nonce);
            int written = mode.processBytes(message.input, 0, message.length, output, 0);
            return written + mode.doFinal(output, written);
        }
    }
}
