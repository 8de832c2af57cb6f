package touchstone.bc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.macs.HMac;
import org.bouncycastle.crypto.prng.EntropySource;
import org.bouncycastle.crypto.prng.drbg.CTRSP800DRBG;
import org.bouncycastle.crypto.prng.drbg.HMacSP800DRBG;
import org.bouncycastle.crypto.prng.drbg.HashSP800DRBG;
import org.bouncycastle.crypto.prng.drbg.SP80090DRBG;
import touchstone.Message;
import touchstone.Operation;
import touchstone.Row;
import touchstone.Work;

/** The deterministic generators of SP 800-90A, with entropy that the worker gives. */
final class Generators {
    private Generators() {}

    /** Makes a generator of a strength in bits from its entropy and a work's other inputs. */
    @FunctionalInterface
    private interface Maker {
        SP80090DRBG make(int strength, EntropySource source, byte[] personalisation, byte[] nonce);
    }

    /** The strength in bits with each hash (SP 800-90A Rev. 1, table 2). */
    private static final Map<String, Integer> STRENGTHS =
            Map.of("sha-1", 128, "sha-224", 192, "sha-256", 256, "sha-384", 256, "sha-512", 256,
                    "sha-512-224", 192, "sha-512-256", 256);

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Digests.Hash hash : Digests.ALL) {
            Integer strength = STRENGTHS.get(hash.primitive());
            if (strength != null) {
                rows.add(row("hash-drbg-" + hash.primitive(), "HashSP800DRBG.generate", strength,
                        (bits, source, text, nonce) ->
                                new HashSP800DRBG(hash.maker().get(), bits, source, text, nonce)));
                rows.add(row("hmac-drbg-" + hash.primitive(), "HMacSP800DRBG.generate", strength,
                        (bits, source, text, nonce) ->
                                new HMacSP800DRBG(new HMac(hash.maker().get()), bits, source, text, nonce)));
            }
        }
        for (int key : new int[] {128, 192, 256}) {
            rows.add(row("ctr-drbg-aes-" + key, "CTRSP800DRBG.generate", key,
                    (bits, source, text, nonce) ->
                            new CTRSP800DRBG(AESEngine.newInstance(), key, bits, source, text, nonce)));
        }
        return rows;
    }

    private static Row row(String primitive, String api, int strength, Maker maker) {
        return new Row(primitive, "generate", api, "the bytes are copied from an array of their own", work -> {
            int calls = (int) Math.max(1, work.cost("calls"));
            Work.require(work.aad().length % calls == 0, "additional inputs of several lengths");
            Work.require(work.length() >= 0, "no output length");
            Work.require(8 * work.key().length >= strength, "entropy of " + work.key().length + " bytes");
            return () -> new Generating(maker, strength, work, calls);
        });
    }

    /** Entropy of the work: first that of the instantiation, then that of a reseeding. */
    private static final class Source implements EntropySource {
        private byte[] next;

        @Override
        public boolean isPredictionResistant() {
            return false;
        }

        @Override
        public byte[] getEntropy() {
            return next.clone();
        }

        @Override
        public int entropySize() {
            return 8 * next.length;
        }
    }

    private static final class Generating implements Operation {
        private final Maker maker;
        private final int strength;
        private final Work work;
        private final int calls;
        private final byte[] bytes;
        private final byte[] last;
        private SP80090DRBG generator;

        Generating(Maker maker, int strength, Work work, int calls) {
            this.maker = maker;
            this.strength = strength;
            this.work = work;
            this.calls = calls;
            this.bytes = new byte[work.length()];
            this.last = additional(calls - 1);
        }

        /** Returns a work's further input, or null if the work has none. */
        private byte[] other(String name) {
            return work.others().get(name);
        }

        /** Returns the additional input of a call, or null if there is none. */
        private byte[] additional(int call) {
            int each = work.aad().length / calls;
            return each == 0 ? null : Arrays.copyOfRange(work.aad(), call * each, (call + 1) * each);
        }

        @Override
        public void setKey(byte[] key) {
            var source = new Source();
            source.next = key;
            generator = maker.make(strength, source, other("personalisation"), work.nonce());
            byte[] reseed = other("reseed");
            if (reseed != null && reseed.length > 0) {
                source.next = reseed;
                generator.reseed(other("reseed-aad"));
            }
            for (int call = 0; call < calls - 1; call++) {
                generator.generate(bytes, additional(call), false);
            }
        }

        @Override
        public int process(Message message, byte[] output) {
            if (generator.generate(bytes, last, false) < 0) {
                throw new IllegalStateException("the generator needs new entropy");
            }
            System.arraycopy(bytes, 0, output, 0, bytes.length);
            return bytes.length;
        }
    }
}
