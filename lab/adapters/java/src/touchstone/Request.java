package touchstone;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** One line from the lab, which is a JSON object (docs/wire-protocol.md). */
final class Request {
    /**
     * The most bytes of one input, the most characters of one line, and the most threads of one
     * sample.
     */
    static final int MOST_BYTES = (16 << 20) + 4096;

    private static final int LONGEST_LINE = 4 * MOST_BYTES + 65536;
    private static final int MOST_THREADS = 4096;
    private static final String PAINTED = "painted:";

    final String message;
    private final JsonObject fields;

    private Request(JsonObject fields) {
        this.fields = fields;
        this.message = text("message");
    }

    /** Returns the next request, or null at the end of the input. */
    static Request read(Reader input) throws IOException {
        var line = new StringBuilder();
        for (int c = input.read(); c != '\n'; c = input.read()) {
            if (c < 0) {
                return null;
            }
            if (line.length() == LONGEST_LINE) {
                throw new IOException("a request that is too long");
            }
            line.append((char) c);
        }
        try {
            return new Request(JsonParser.parseString(line.toString()).getAsJsonObject());
        } catch (JsonParseException | IllegalStateException e) {
            throw new IOException("a request that is no JSON object", e);
        }
    }

    /** Returns the line of a reply: the kind of message, then pairs of names and values. */
    static String reply(String message, Object... pairs) {
        var line = new JsonObject();
        line.addProperty("message", message);
        for (int i = 0; i + 1 < pairs.length; i += 2) {
            String name = (String) pairs[i];
            Object value = pairs[i + 1];
            if (value instanceof JsonElement element) {
                line.add(name, element);
            } else if (value instanceof Number number) {
                line.addProperty(name, number);
            } else {
                line.addProperty(name, String.valueOf(value));
            }
        }
        return line.toString();
    }

    /** Returns an object of the request, or an empty object if the request lacks it. */
    JsonObject object(String name) {
        return fields.has(name) ? fields.getAsJsonObject(name) : new JsonObject();
    }

    String text(String name) {
        return fields.has(name) ? fields.get(name).getAsString() : "";
    }

    long number(String name, long absent) {
        return fields.has(name) ? fields.get(name).getAsLong() : absent;
    }

    int threads() throws Unsupported {
        long threads = number("threads", 1);
        Work.require(threads >= 1 && threads <= MOST_THREADS, threads + " threads");
        return (int) threads;
    }

    /**
     * Returns the bytes for hex digits, or for the text that requests a number of painted bytes.
     */
    static byte[] bytes(String text) throws Unsupported {
        if (!text.startsWith(PAINTED)) {
            Work.require(text.length() <= 2 * MOST_BYTES, "an input of more than " + MOST_BYTES + " bytes");
            return HexFormat.of().parseHex(text);
        }
        String count = text.substring(PAINTED.length());
        Work.require(
                count.matches("[0-9]{1,9}") && Integer.parseInt(count) <= MOST_BYTES,
                "an input of " + count + " bytes");
        byte[] data = new byte[Integer.parseInt(count)];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) (i % 251);
        }
        return data;
    }

    /** Returns a list of whole numbers of the request, or an empty list if the request lacks it. */
    List<Integer> numbers(String name) {
        List<Integer> numbers = new ArrayList<>();
        if (fields.has(name)) {
            fields.getAsJsonArray(name).forEach(number -> numbers.add(number.getAsInt()));
        }
        return numbers;
    }

    boolean flag(String name) {
        return fields.has(name) && fields.get(name).getAsBoolean();
    }

    /** Returns the 64-bit fingerprint by which the lab compares outputs, as hex digits. */
    static String fnv1a(byte[] data) {
        return HexFormat.of().toHexDigits(fingerprint(data));
    }

    /** Returns the FNV-1a hash with 64 bits. */
    static long fingerprint(byte[] data) {
        long digest = 0xcbf29ce484222325L;
        for (byte b : data) {
            digest = (digest ^ (b & 0xff)) * 0x100000001b3L;
        }
        return digest;
    }
}
