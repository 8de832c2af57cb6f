package touchstone.bc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.SkippingStreamCipher;
import org.bouncycastle.crypto.StreamCipher;
import org.bouncycastle.crypto.engines.ChaCha7539Engine;
import org.bouncycastle.crypto.engines.ChaChaEngine;
import org.bouncycastle.crypto.engines.HC128Engine;
import org.bouncycastle.crypto.engines.HC256Engine;
import org.bouncycastle.crypto.engines.RC4Engine;
import org.bouncycastle.crypto.engines.Salsa20Engine;
import org.bouncycastle.crypto.engines.XChaCha20Engine;
import org.bouncycastle.crypto.engines.XSalsa20Engine;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;
import touchstone.Message;
import touchstone.Operation;
import touchstone.Row;
import touchstone.Unsupported;
import touchstone.Work;

/** Stream ciphers. */
final class Streams {
    private Streams() {}

    /**
     * A stream cipher with its nonce's length in bytes. {@code each}: the object needs the key with
     * each nonce.
     */
    private record Stream(String primitive, String api, int[] keys, int nonce, boolean each, Supplier<StreamCipher> maker) {}

    private static final int[] BOTH = {16, 32};

    private static final List<Stream> ALL =
            List.of(
                    new Stream("salsa20", "Salsa20Engine", BOTH, 8, false, Salsa20Engine::new),
                    new Stream("salsa20-12", "Salsa20Engine", BOTH, 8, false, () -> new Salsa20Engine(12)),
                    new Stream("salsa20-8", "Salsa20Engine", BOTH, 8, false, () -> new Salsa20Engine(8)),
                    new Stream("xsalsa20", "XSalsa20Engine", new int[] {32}, 24, true, XSalsa20Engine::new),
                    new Stream("chacha8", "ChaChaEngine", BOTH, 8, false, () -> new ChaChaEngine(8)),
                    new Stream("chacha12", "ChaChaEngine", BOTH, 8, false, () -> new ChaChaEngine(12)),
                    new Stream("chacha20", "ChaCha7539Engine", new int[] {32}, 12, false, ChaCha7539Engine::new),
                    new Stream("xchacha20", "XChaCha20Engine", new int[] {32}, 24, true, XChaCha20Engine::new),
                    new Stream("hc128", "HC128Engine", new int[] {16}, 16, true, HC128Engine::new),
                    new Stream("hc256", "HC256Engine", new int[] {32}, 32, true, HC256Engine::new));

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (boolean keystream : new boolean[] {false, true}) {
            String operation = keystream ? "stream-keystream" : "stream-encrypt";
            String zeros = keystream ? "encrypts zeros" : "";
            for (Stream stream : ALL) {
                String each = stream.each ? "the key is taken with each message" : "";
                rows.add(new Row(
                        stream.primitive,
                        operation,
                        stream.api + ".processBytes",
                        each + (stream.each && keystream ? "; " : "") + zeros,
                        work -> plan(stream, keystream, work)));
            }
            rows.add(new Row("rc4", operation, "RC4Engine.processBytes", zeros, work -> {
                work.requireKey(1, 256);
                work.requireNonce(0);
                Work.require(work.cost("counter") == 0, "a counter");
                Work.require(work.cost("drop") <= Work.MOST_BYTES, "dropping so much keystream");
                byte[] drop = new byte[(int) work.cost("drop")];
                return () -> arcfour(drop, zeros(keystream, work));
            }));
        }
        return rows;
    }

    /** Returns the zeros that are encrypted if keystream is requested, otherwise null. */
    private static byte[] zeros(boolean keystream, Work work) {
        return keystream ? new byte[Math.max(0, work.length())] : null;
    }

    private static Row.Maker plan(Stream given, boolean keystream, Work work) throws Unsupported {
        Stream stream = given;
        if (stream.primitive.equals("chacha20") && work.nonce().length == 8) {
            // ChaCha20 in Bernstein's original form, with a nonce of 64 bits and a counter of
            // 64 bits.
            stream = new Stream("chacha20", "ChaChaEngine", BOTH, 8, false, ChaChaEngine::new);
        }
        boolean taken = false;
        for (int key : stream.keys) {
            taken |= work.key().length == key;
        }
        Work.require(taken, "a key of " + work.key().length + " bytes");
        work.requireNonce(stream.nonce);
        long counter = work.cost("counter");
        boolean seeks = stream.maker.get() instanceof SkippingStreamCipher;
        Work.require(counter == 0 || seeks, "a counter");
        if (stream.primitive.equals("chacha20") && stream.nonce == 12 || stream.primitive.equals("xchacha20")) {
            long blocks = (Math.max(work.input().length, work.length()) + 63L) / 64;
            // The engine increases the counter after the last block too, and refuses an
            // overflow.
            Work.require(counter + blocks < 1L << 32, "a counter that reaches 32 bits");
        }
        long offset = Math.multiplyExact(counter, 64L);
        Stream chosen = stream;
        return () -> streaming(chosen, keystream, offset, work);
    }

    private static Operation streaming(Stream stream, boolean keystream, long offset, Work work) {
        StreamCipher cipher = stream.maker.get();
        byte[] zeros = zeros(keystream, work);
        return new Keyed(KeyParameter::new, stream.each, work) {
            @Override
            void init(CipherParameters key, byte[] nonce, byte[] aad) {
                cipher.init(true, new ParametersWithIV(key, nonce));
            }

            @Override
            public int process(Message message, byte[] output) {
                start(message);
                if (offset != 0) {
                    ((SkippingStreamCipher) cipher).seekTo(offset);
                }
                return run(cipher, zeros, message, output);
            }
        };
    }

    /** Returns the operation of a block cipher's mode that makes a keystream. */
    static Operation streaming(StreamCipher mode, Block.Keys keys, boolean encrypt, Work work) {
        return new Keyed(keys, false, work) {
            @Override
            void init(CipherParameters key, byte[] nonce, byte[] aad) {
                mode.init(encrypt, new ParametersWithIV(key, nonce));
            }

            @Override
            public int process(Message message, byte[] output) {
                start(message);
                return mode.processBytes(message.input, 0, message.length, output, 0);
            }
        };
    }

    private static Operation arcfour(byte[] drop, byte[] zeros) {
        var engine = new RC4Engine();
        return new Operation() {
            @Override
            public void setKey(byte[] key) {
                engine.init(true, new KeyParameter(key));
                engine.processBytes(drop, 0, drop.length, drop, 0);
            }

            @Override
            public int process(Message message, byte[] output) {
                return run(engine, zeros, message, output);
            }
        };
    }

    private static int run(StreamCipher cipher, byte[] zeros, Message message, byte[] output) {
        return zeros == null
                ? cipher.processBytes(message.input, 0, message.length, output, 0)
                : cipher.processBytes(zeros, 0, zeros.length, output, 0);
    }
}
