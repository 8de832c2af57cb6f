package touchstone;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;

/** One line from the lab, its text decoded. */
final class Request {
    private static final String PAINTED = "painted:";

    final String verb;
    private final Map<String, String> fields = new HashMap<>();

    Request(String line) {
        String[] words = line.trim().split(" +");
        verb = words[0];
        for (int i = 1; i < words.length; i++) {
            int at = words[i].indexOf('=');
            if (at < 0) {
                throw new IllegalArgumentException("the field " + words[i] + " has no value");
            }
            fields.put(words[i].substring(0, at), decode(words[i].substring(at + 1)));
        }
    }

    private static String decode(String value) {
        if (value.indexOf('%') < 0) {
            return value;
        }
        byte[] coded = value.getBytes(StandardCharsets.UTF_8);
        var text = new ByteArrayOutputStream();
        for (int i = 0; i < coded.length; i++) {
            if (coded[i] == '%') {
                if (i + 2 >= coded.length) {
                    throw new IllegalArgumentException("a % without two digits");
                }
                text.write(HexFormat.fromHexDigits(new String(coded, i + 1, 2, StandardCharsets.US_ASCII)));
                i += 2;
            } else {
                text.write(coded[i]);
            }
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    /** A verb and pairs of keys and values; empty values are left out, as they mean the same. */
    static String reply(String verb, Object... pairs) {
        var line = new StringBuilder(verb);
        for (int i = 0; i + 1 < pairs.length; i += 2) {
            String value = String.valueOf(pairs[i + 1]);
            if (value.isEmpty()) {
                continue;
            }
            line.append(' ').append(pairs[i]).append('=');
            for (char c : value.toCharArray()) {
                if (c <= ' ' || c == '%' || c == 0x7f) {
                    line.append('%').append(HexFormat.of().toHexDigits((byte) c));
                } else {
                    line.append(c);
                }
            }
        }
        return line.toString();
    }

    Set<String> keys() {
        return fields.keySet();
    }

    String text(String key) {
        return fields.getOrDefault(key, "");
    }

    long number(String key, long absent) {
        String text = text(key);
        return text.isEmpty() ? absent : Long.parseLong(text);
    }

    byte[] bytes(String key) {
        String text = text(key);
        if (!text.startsWith(PAINTED)) {
            return HexFormat.of().parseHex(text);
        }
        byte[] data = new byte[Integer.parseInt(text.substring(PAINTED.length()))];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) (i % 251);
        }
        return data;
    }

    /** The 64-bit fingerprint by which the lab compares outputs. */
    static String fnv1a(byte[] data) {
        long digest = 0xcbf29ce484222325L;
        for (byte b : data) {
            digest = (digest ^ (b & 0xff)) * 0x100000001b3L;
        }
        return HexFormat.of().toHexDigits(digest);
    }
}
