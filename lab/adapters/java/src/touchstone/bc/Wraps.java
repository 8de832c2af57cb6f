package touchstone.bc;

import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.Wrapper;
import org.bouncycastle.crypto.engines.RFC3394WrapEngine;
import org.bouncycastle.crypto.engines.RFC5649WrapEngine;
import touchstone.Message;
import touchstone.Operation;
import touchstone.Rejected;
import touchstone.Row;
import touchstone.Work;

/** Key wrapping. */
final class Wraps {
    private Wraps() {}

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Block block : Block.ALL) {
            if (block.bytes() != 16) {
                continue;
            }
            for (boolean padded : new boolean[] {false, true}) {
                String name = padded ? "RFC5649WrapEngine" : "RFC3394WrapEngine";
                for (boolean wrap : new boolean[] {true, false}) {
                    rows.add(new Row(
                            block.primitive(),
                            (padded ? "kwp" : "kw") + (wrap ? "-encrypt" : "-decrypt"),
                            name + "(" + block.api() + ")",
                            "the key is scheduled with each message",
                            work -> plan(block, padded, wrap, work)));
                }
            }
        }
        return rows;
    }

    private static Row.Maker plan(Block block, boolean padded, boolean wrap, Work work) throws Exception {
        var keys = block.keys(work);
        work.requireNonce(0);
        return () -> {
            var engine = block.engine().get();
            Wrapper wrapper = padded ? new RFC5649WrapEngine(engine) : new RFC3394WrapEngine(engine);
            return new Operation() {
                @Override
                public void setKey(byte[] key) {
                    wrapper.init(wrap, keys.of(key));
                }

                @Override
                public int process(Message message, byte[] output) throws Exception {
                    byte[] input = message.input;
                    try {
                        byte[] result =
                                wrap ? wrapper.wrap(input, 0, message.length) : wrapper.unwrap(input, 0, message.length);
                        System.arraycopy(result, 0, output, 0, result.length);
                        return result.length;
                    } catch (InvalidCipherTextException e) {
                        throw new Rejected(e);
                    }
                }
            };
        };
    }
}
