package touchstone.bc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.engines.ARIAEngine;
import org.bouncycastle.crypto.engines.BlowfishEngine;
import org.bouncycastle.crypto.engines.CAST5Engine;
import org.bouncycastle.crypto.engines.CAST6Engine;
import org.bouncycastle.crypto.engines.CamelliaEngine;
import org.bouncycastle.crypto.engines.DESEngine;
import org.bouncycastle.crypto.engines.DESedeEngine;
import org.bouncycastle.crypto.engines.DSTU7624Engine;
import org.bouncycastle.crypto.engines.GOST28147Engine;
import org.bouncycastle.crypto.engines.GOST3412_2015Engine;
import org.bouncycastle.crypto.engines.IDEAEngine;
import org.bouncycastle.crypto.engines.RC2Engine;
import org.bouncycastle.crypto.engines.RC532Engine;
import org.bouncycastle.crypto.engines.RC6Engine;
import org.bouncycastle.crypto.engines.SEEDEngine;
import org.bouncycastle.crypto.engines.SM4Engine;
import org.bouncycastle.crypto.engines.SerpentEngine;
import org.bouncycastle.crypto.engines.Shacal2Engine;
import org.bouncycastle.crypto.engines.SkipjackEngine;
import org.bouncycastle.crypto.engines.TEAEngine;
import org.bouncycastle.crypto.engines.ThreefishEngine;
import org.bouncycastle.crypto.engines.TwofishEngine;
import org.bouncycastle.crypto.engines.XTEAEngine;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithSBox;
import org.bouncycastle.crypto.params.RC2Parameters;
import org.bouncycastle.crypto.params.RC5Parameters;
import touchstone.Unsupported;
import touchstone.Work;

/**
 * A block cipher.
 *
 * @param bytes the block's length in bytes
 * @param least the least length of a key in bytes
 * @param most the greatest length of a key in bytes
 */
record Block(String primitive, String api, int bytes, int least, int most, Supplier<BlockCipher> engine) {

    static final List<Block> ALL = all();

    /** Converts a key into the parameters of an engine. */
    @FunctionalInterface
    interface Keys {
        CipherParameters of(byte[] key);
    }

    private static List<Block> all() {
        List<Block> all = new ArrayList<>();
        for (int bits = 128; bits <= 256; bits += 64) {
            int key = bits / 8;
            all.add(new Block("aes-" + bits, "AESEngine", 16, key, key, AESEngine::newInstance));
            all.add(new Block("aria-" + bits, "ARIAEngine", 16, key, key, ARIAEngine::new));
            all.add(new Block("camellia-" + bits, "CamelliaEngine", 16, key, key, CamelliaEngine::new));
            all.add(new Block("serpent-" + bits, "SerpentEngine", 16, key, key, SerpentEngine::new));
            all.add(new Block("twofish-" + bits, "TwofishEngine", 16, key, key, TwofishEngine::new));
        }
        all.add(new Block("blowfish", "BlowfishEngine", 8, 4, 56, BlowfishEngine::new));
        all.add(new Block("cast5", "CAST5Engine", 8, 5, 16, CAST5Engine::new));
        all.add(new Block("cast6", "CAST6Engine", 16, 16, 32, CAST6Engine::new));
        all.add(new Block("des", "DESEngine", 8, 8, 8, DESEngine::new));
        all.add(new Block("des-ede2", "DESedeEngine", 8, 16, 16, DESedeEngine::new));
        all.add(new Block("des-ede3", "DESedeEngine", 8, 24, 24, DESedeEngine::new));
        all.add(new Block("gost28147", "GOST28147Engine, E-A", 8, 32, 32, GOST28147Engine::new));
        all.add(new Block("gost28147-test", "GOST28147Engine, D-Test", 8, 32, 32, GOST28147Engine::new));
        all.add(new Block("gost28147-r3411-cryptopro", "GOST28147Engine, D-A", 8, 32, 32, GOST28147Engine::new));
        all.add(new Block("idea", "IDEAEngine", 8, 16, 16, IDEAEngine::new));
        all.add(new Block("kalyna-128", "DSTU7624Engine", 16, 16, 16, () -> new DSTU7624Engine(128)));
        all.add(new Block("kalyna-256", "DSTU7624Engine", 16, 32, 32, () -> new DSTU7624Engine(128)));
        all.add(new Block("kalyna-256-256", "DSTU7624Engine", 32, 32, 32, () -> new DSTU7624Engine(256)));
        all.add(new Block("kalyna-256-512", "DSTU7624Engine", 32, 64, 64, () -> new DSTU7624Engine(256)));
        all.add(new Block("kalyna-512-512", "DSTU7624Engine", 64, 64, 64, () -> new DSTU7624Engine(512)));
        all.add(new Block("kuznyechik", "GOST3412_2015Engine", 16, 32, 32, GOST3412_2015Engine::new));
        all.add(new Block("rc2", "RC2Engine", 8, 1, 128, RC2Engine::new));
        all.add(new Block("rc5-32-12", "RC532Engine", 8, 1, 255, RC532Engine::new));
        all.add(new Block("rc6", "RC6Engine", 16, 1, 255, RC6Engine::new));
        all.add(new Block("seed", "SEEDEngine", 16, 16, 16, SEEDEngine::new));
        all.add(new Block("shacal2", "Shacal2Engine", 32, 16, 64, Shacal2Engine::new));
        all.add(new Block("skipjack", "SkipjackEngine", 8, 10, 10, SkipjackEngine::new));
        all.add(new Block("sm4", "SM4Engine", 16, 16, 16, SM4Engine::new));
        all.add(new Block("tea", "TEAEngine", 8, 16, 16, TEAEngine::new));
        all.add(new Block("xtea", "XTEAEngine", 8, 16, 16, XTEAEngine::new));
        for (int bits : new int[] {256, 512, 1024}) {
            int size = bits / 8;
            all.add(new Block("threefish-" + bits, "ThreefishEngine", size, size, size, () -> new ThreefishEngine(bits)));
        }
        return all;
    }

    /** Returns the function that converts a work's key for this engine. */
    Keys keys(Work work) throws Unsupported {
        work.requireKey(least, most);
        int rounds = Math.toIntExact(work.cost("rounds"));
        Work.require(rounds == 0 || primitive.equals("rc5-32-12"), "a number of rounds");
        return switch (primitive) {
            case "gost28147" -> withBox("E-A");
            case "gost28147-test" -> withBox("D-Test");
            case "gost28147-r3411-cryptopro" -> withBox("D-A");
            case "rc2" -> {
                int asked = Math.toIntExact(work.cost("effective-bits"));
                int bits = asked == 0 ? work.key().length * 8 : asked;
                yield key -> new RC2Parameters(key, bits);
            }
            case "rc5-32-12" -> key -> new RC5Parameters(key, rounds == 0 ? 12 : rounds);
            default -> KeyParameter::new;
        };
    }

    private static Keys withBox(String name) {
        byte[] box = GOST28147Engine.getSBox(name);
        return key -> new ParametersWithSBox(new KeyParameter(key), box);
    }
}
