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

/** Modes of block ciphers without authentication. */
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
        int size = block.bytes();
        work.requireBlocks(size);
        work.requireNonce(0);
        return () -> {
            BlockCipher engine = block.engine().get();
            return new Operation() {
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
            };
        };
    }

    private static Row.Maker cbc(Block block, boolean encrypt, Work work) throws Exception {
        var keys = block.keys(work);
        int size = block.bytes();
        work.requireBlocks(size);
        work.requireNonce(size);
        return () -> {
            MultiBlockCipher mode = CBCBlockCipher.newInstance(block.engine().get());
            return new Keyed(keys, false, work) {
                @Override
                void init(CipherParameters key, byte[] nonce, byte[] aad) {
                    mode.init(encrypt, new ParametersWithIV(key, nonce));
                }

                @Override
                public int process(Message message, byte[] output) {
                    start(message);
                    return mode.processBlocks(message.input, 0, message.length / size, output, 0);
                }
            };
        };
    }

    @FunctionalInterface
    private interface Mode {
        StreamCipher on(BlockCipher engine);
    }

    private static Row stream(Block block, String operation, String api, boolean encrypt, Mode mode) {
        return row(block, operation, api, work -> {
            var keys = block.keys(work);
            work.requireNonce(block.bytes());
            return () -> Streams.streaming(mode.on(block.engine().get()), keys, encrypt, work);
        });
    }

    private static Row.Maker stealing(Block block, int type, boolean encrypt, Work work) throws Exception {
        var keys = block.keys(work);
        work.requireNonce(block.bytes());
        Work.require(work.input().length >= block.bytes(), "a message of less than a block");
        return () -> {
            BufferedBlockCipher mode = new NISTCTSBlockCipher(type, block.engine().get());
            return new Keyed(keys, false, work) {
                @Override
                void init(CipherParameters key, byte[] nonce, byte[] aad) {
                    mode.init(encrypt, new ParametersWithIV(key, nonce));
                }

                @Override
                public int process(Message message, byte[] output) throws Exception {
                    start(message);
                    int written = mode.processBytes(message.input, 0, message.length, output, 0);
                    return written + mode.doFinal(output, written);
                }
            };
        };
    }
}
