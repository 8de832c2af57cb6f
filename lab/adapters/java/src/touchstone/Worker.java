package touchstone;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A worker of the lab for cryptography in Java. Its argument selects the library: "jca" is the
 * providers of the JDK, "bouncycastle" is Bouncy Castle. The worker speaks the protocol of
 * docs/wire-protocol.md.
 */
public final class Worker {
    /** The bytes of a shared secret of ML-KEM. */
    private static final int SECRET = 32;

    private static final int PROTOCOL = 2;

    private final Backend backend;
    private final Library library;
    private final Map<Long, Cell> cells = new HashMap<>();

    private Worker(Backend backend) {
        this.backend = backend;
        this.library = backend.library();
    }

    public static void main(String[] args) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var output = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        Worker worker = null;
        for (var request = Request.read(input); request != null; request = Request.read(input)) {
            if (request.message.equals("bye")) {
                return;
            }
            if (worker != null) {
                output.println(worker.answer(request));
            } else {
                try {
                    worker = hello(args.length > 0 ? args[0] : "", request);
                } catch (Unsupported e) {
                    output.println(Request.reply("absent", "reason", e.getMessage()));
                    output.flush();
                    return;
                }
                worker.introduce(output);
            }
            output.flush();
        }
    }

    private static Worker hello(String which, Request request) throws Unsupported {
        if (!request.message.equals("hello")) {
            throw new IllegalStateException("the first message must be hello");
        }
        long protocol = request.number("protocol", 0);
        Work.require(protocol == PROTOCOL, "this worker speaks protocol " + PROTOCOL + ", not " + protocol);
        Work.require(request.text("path").isEmpty(), "the library is on the class path; there is no object to load");
        return new Worker(Backend.of(which));
    }

    private void introduce(PrintStream output) {
        output.println(
                Request.reply(
                        "library",
                        "name", library.name(),
                        "version", library.version(),
                        "path", library.path(),
                        "licence", library.licence(),
                        "language", "Java",
                        "note", library.note()));
        for (Row row : library.rows()) {
            var contracts = new JsonArray();
            if (Buffers.worksInPlace(row.operation())) {
                contracts.add("in-place");
            }
            output.println(
                    Request.reply(
                            "offer",
                            "primitive", row.primitive(),
                            "operation", row.operation(),
                            "api", row.api(),
                            "note", row.note(),
                            "contracts", contracts));
        }
        output.println(Request.reply("ready"));
    }

    private String answer(Request request) {
        try {
            return serve(request);
        } catch (Unsupported e) {
            return Request.reply("unsupported", "reason", e.getMessage());
        } catch (Rejected e) {
            return Request.reply("rejected");
        } catch (OutOfMemoryError e) {
            return Request.reply("unsupported", "reason", "more memory than the Java heap has");
        } catch (Exception e) {
            return Request.reply("failed", "reason", e.toString());
        }
    }

    private String serve(Request request) throws Exception {
        long id = request.number("id", -1);
        return switch (request.message) {
            case "check" -> {
                var work = Work.of(request);
                var buffers = new Buffers(work, work.key(), null);
                var cell = new Cell(row(library.rows(), work).plan().make(work), "hot", buffers, false);
                var outputs = new JsonObject();
                String answer = HexFormat.of().formatHex(cell.check());
                // An encapsulation has two outputs; the shared secret is the last 32 bytes.
                int first = work.operation().equals("encapsulate") ? answer.length() - 2 * SECRET : 0;
                if (first > 0) {
                    outputs.addProperty("ciphertext", answer.substring(0, first));
                }
                outputs.addProperty("output", answer.substring(first));
                yield Request.reply("output", "outputs", outputs);
            }
            case "open" -> open(id, request);
            case "time" -> {
                Cell cell = cell(id);
                long warm = request.number("warm", 0);
                long calls = request.number("calls", 0);
                int threads = request.threads();
                long ns = threads > 1 ? Threads.time(cell, warm, calls, threads, request.numbers("cpus")) : cell.time(warm, calls);
                yield threads == 1 && request.flag("digest")
                        ? Request.reply("timed", "id", id, "ns", ns, "digest", Request.fnv1a(cell.timedOutput()))
                        : Request.reply("timed", "id", id, "ns", ns);
            }
            case "run" -> Request.reply("ran", "id", id, "digest", Request.fnv1a(cell(id).again()));
            case "close" -> {
                cells.remove(id);
                yield Request.reply("closed", "id", id);
            }
            default -> throw new IllegalArgumentException(request.message + " is no request of the protocol");
        };
    }

    private String open(long id, Request request) throws Exception {
        String contract = request.text("contract");
        switch (contract) {
            case "hot", "keyed", "rekeyed", "setup", "latency", "in-place" -> {}
            default -> throw new Unsupported("the contract " + contract);
        }
        var work = Work.of(request);
        var vary = request.object("vary");
        String how = vary.has("nonce") ? vary.get("nonce").getAsString() : "";
        var rule = Ring.Rule.of(how);
        boolean endIsNonce = how.equals("output") && contract.equals("latency");
        int known = rule != null || endIsNonce ? 1 : 0;
        Work.require(vary.size() == known, "messages that differ by the rules " + vary);
        boolean possible = !contract.equals("in-place") || Buffers.worksInPlace(work.operation());
        Work.require(possible, "messages in place");
        var second = request.object("second");
        byte[] other = second.has("key") ? Request.bytes(second.get("key").getAsString()) : work.key();
        var buffers = new Buffers(work, other, rule);
        var cell = new Cell(row(backend.apart(work), work).plan().make(work), contract, buffers, endIsNonce);
        long[] ns = cell.first();
        if (cell.remembers()) {
            throw new IllegalStateException("a message's output depends on the messages before it");
        }
        cell.warmUp();
        String digest = Request.fnv1a(cell.again());
        cells.put(id, cell);
        return Request.reply(
                "opened", "id", id, "open_ns", ns[0], "key_ns", ns[1], "first_ns", ns[2], "digest", digest);
    }

    private Cell cell(long id) {
        Cell cell = cells.get(id);
        if (cell == null) {
            throw new IllegalStateException("no cell " + id + " is open");
        }
        return cell;
    }

    private static Row row(List<Row> rows, Work work) throws Unsupported {
        for (Row row : rows) {
            if (row.primitive().equals(work.primitive()) && row.operation().equals(work.operation())) {
                return row;
            }
        }
        throw new Unsupported(work.primitive() + " " + work.operation());
    }
}
