package touchstone.bc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.Mac;
import org.bouncycastle.crypto.digests.Blake3Digest;
import org.bouncycastle.crypto.engines.DESEngine;
import org.bouncycastle.crypto.macs.Blake3Mac;
import org.bouncycastle.crypto.macs.CBCBlockCipherMac;
import org.bouncycastle.crypto.macs.CMac;
import org.bouncycastle.crypto.macs.GMac;
import org.bouncycastle.crypto.macs.GOST28147Mac;
import org.bouncycastle.crypto.macs.HMac;
import org.bouncycastle.crypto.macs.ISO9797Alg3Mac;
import org.bouncycastle.crypto.macs.KMAC;
import org.bouncycastle.crypto.macs.Poly1305;
import org.bouncycastle.crypto.macs.SipHash;
import org.bouncycastle.crypto.macs.SipHash128;
import org.bouncycastle.crypto.macs.SkeinMac;
import org.bouncycastle.crypto.modes.GCMBlockCipher;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;
import touchstone.Message;
import touchstone.Operation;
import touchstone.Row;
import touchstone.Unsupported;
import touchstone.Work;

/** Message authentication codes. */
final class Macs {
    private Macs() {}

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Digests.Hash hash : Digests.ALL) {
            rows.add(row("hmac-" + hash.primitive(), "mac", "HMac(" + hash.api() + ")", work -> {
                Mac mac = new HMac(hash.maker().get());
                return plain(() -> new HMac(hash.maker().get()), KeyParameter::new, mac.getMacSize(), work);
            }));
        }
        for (Block block : Block.ALL) {
            blockRows(rows, block);
        }
        rows.add(row("des-ede2", "retail-mac", "ISO9797Alg3Mac(DESEngine)", work -> {
            work.requireKey(16, 16);
            work.requireBlocks(8);
            return plain(() -> new ISO9797Alg3Mac(new DESEngine(), 64), KeyParameter::new, 8, work);
        }));
        rows.add(row("poly1305", "mac", "Poly1305", work -> {
            work.requireKey(32, 32);
            return plain(Poly1305::new, KeyParameter::new, 16, work);
        }));
        for (int[] rounds : new int[][] {{1, 3}, {2, 4}, {4, 8}}) {
            String name = "siphash-" + rounds[0] + "-" + rounds[1];
            rows.add(row(name, "mac", "SipHash", work -> {
                work.requireKey(16, 16);
                return plain(() -> new SipHash(rounds[0], rounds[1]), KeyParameter::new, 8, work);
            }));
            rows.add(row(name + "-128", "mac", "SipHash128", work -> {
                work.requireKey(16, 16);
                return plain(() -> new SipHash128(rounds[0], rounds[1]), KeyParameter::new, 16, work);
            }));
        }
        for (int bits : new int[] {128, 256}) {
            rows.add(row("kmac-" + bits, "mac", "KMAC", work -> {
                int tag = work.tagOr(bits / 4);
                return () -> keccak(new KMAC(bits, work.nonce()), tag);
            }));
        }
        rows.add(row("blake3-mac", "mac", "Blake3Mac", work -> {
            work.requireKey(32, 32);
            return plain(() -> new Blake3Mac(new Blake3Digest()), KeyParameter::new, 32, work);
        }));
        for (int bits : new int[] {256, 512, 1024}) {
            rows.add(row("skein-" + bits + "-mac", "mac", "SkeinMac", work -> {
                int tag = work.tagOr(bits / 8);
                return plain(() -> new SkeinMac(bits, 8 * tag), KeyParameter::new, bits / 8, work);
            }));
        }
        return rows;
    }

    private static void blockRows(List<Row> rows, Block block) {
        int size = block.bytes();
        String engine = "(" + block.api() + ")";
        if (!block.primitive().startsWith("gost28147") && !block.primitive().startsWith("rc")) {
            // CMac accepts no other parameters than a key.
            rows.add(row(block.primitive(), "cmac", "CMac" + engine, work -> {
                var keys = block.keys(work);
                return plain(() -> new CMac(block.engine().get()), keys, size, work);
            }));
        }
        if (block.primitive().startsWith("gost28147")) {
            rows.add(row(block.primitive(), "gost-mac", block.api().replace("Engine", "Mac"), work -> {
                var keys = block.keys(work);
                Work.require(work.input().length > size, "a message of one block or none");
                return plain(GOST28147Mac::new, keys, 4, work);
            }));
        }
        rows.add(row(block.primitive(), "cbc-mac", "CBCBlockCipherMac" + engine, work -> {
            var keys = block.keys(work);
            work.requireBlocks(size);
            Work.require(work.input().length > 0, "an empty message");
            return plain(() -> new CBCBlockCipherMac(block.engine().get(), 8 * size), keys, size, work);
        }));
        if (size == 16) {
            rows.add(new Row(block.primitive(), "gmac", "GMac(GCMBlockCipher" + engine + ")", "the key is scheduled with each message", work -> {
                var keys = block.keys(work);
                int tag = work.tagOr(16);
                Work.require(work.nonce().length > 0, "no nonce");
                Work.require(tag >= 4 && tag <= 16, "a tag of " + tag + " bytes");
                return () -> galois(block, keys, 8 * tag);
            }));
        }
    }

    private static Row row(String primitive, String operation, String api, Row.Plan plan) {
        return new Row(primitive, operation, api + ".update, doFinal", "", plan);
    }

    private static Row.Maker plain(Supplier<Mac> maker, Block.Keys keys, int size, Work work) throws Unsupported {
        int tag = work.tagOr(size);
        Work.require(tag <= size, "a tag of " + tag + " bytes");
        work.requireNonce(0);
        return () -> plain(maker.get(), keys, tag);
    }

    private static Operation plain(Mac mac, Block.Keys keys, int tag) {
        return new Operation() {
            @Override
            public void setKey(byte[] key) {
                mac.init(keys.of(key));
            }

            @Override
            public int process(Message message, byte[] output) {
                mac.update(message.input, 0, message.length);
                mac.doFinal(output, 0);
                return tag;
            }
        };
    }

    private static Operation keccak(KMAC mac, int tag) {
        return new Operation() {
            @Override
            public void setKey(byte[] key) {
                mac.init(new KeyParameter(key));
            }

            @Override
            public int process(Message message, byte[] output) {
                mac.update(message.input, 0, message.length);
                return mac.doFinal(output, 0, tag);
            }
        };
    }

    private static Operation galois(Block block, Block.Keys keys, int bits) {
        return new Operation() {
            private GMac mac;
            private CipherParameters key;

            @Override
            public void setKey(byte[] given) {
                // A new object is needed, because the old object refuses the nonce that it used
                // last.
                mac = new GMac(GCMBlockCipher.newInstance(block.engine().get()), bits);
                key = keys.of(given);
            }

            @Override
            public int process(Message message, byte[] output) {
                mac.init(new ParametersWithIV(key, message.nonce));
                mac.update(message.input, 0, message.length);
                return mac.doFinal(output, 0);
            }
        };
    }
}
