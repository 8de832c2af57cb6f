package touchstone.jca;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import touchstone.Message;
import touchstone.Operation;
import touchstone.Rejected;
import touchstone.Row;
import touchstone.Work;

/**
 * The class {@link BigInteger}. An object holds its operands and results as numbers, so that the
 * contract hot times the calculation alone.
 */
final class Integers {
    /** The prime test errs with a probability of at most 2^-128. */
    private static final int CERTAINTY = 128;

    /** Calculates; the answer has as many numbers as {@code lengths} has lengths. */
    @FunctionalInterface
    private interface Calculation {
        BigInteger[] of(BigInteger[] operands) throws Exception;
    }

    /** Returns the bytes of each result from the bytes of the operands. */
    @FunctionalInterface
    private interface Lengths {
        int[] of(int[] operands);
    }

    private Integers() {}

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        add(rows, "multiply", "multiply", "a b", n -> one(n[0].multiply(n[1])), l -> new int[] {l[0] + l[1]});
        add(rows, "square", "multiply with equal operands", "a", n -> one(n[0].multiply(n[0])), l -> new int[] {2 * l[0]});
        add(rows, "divide", "divideAndRemainder", "a b", n -> n[0].divideAndRemainder(n[1]), l -> l);
        add(rows, "powmod", "modPow", "base exponent modulus", n -> one(n[0].modPow(n[1], n[2])), l -> new int[] {l[2]});
        add(rows, "invert", "modInverse", "a modulus", Integers::inverse, l -> new int[] {l[1]});
        add(rows, "prime-test", "isProbablePrime(128)", "number", Integers::prime, l -> new int[0]);
        return rows;
    }

    private static BigInteger[] one(BigInteger number) {
        return new BigInteger[] {number};
    }

    private static BigInteger[] inverse(BigInteger[] n) throws Rejected {
        try {
            return one(n[0].modInverse(n[1]));
        } catch (ArithmeticException e) {
            throw new Rejected(e);
        }
    }

    private static BigInteger[] prime(BigInteger[] n) throws Rejected {
        if (!n[0].isProbablePrime(CERTAINTY)) {
            throw new Rejected(null);
        }
        return new BigInteger[0];
    }

    private static void add(
            List<Row> rows, String id, String api, String names, Calculation calculation, Lengths lengths) {
        rows.add(
                new Row("integer", id, "BigInteger." + api, "each result is a new object", work -> {
                    String[] inputs = names.split(" ");
                    var operands = new byte[inputs.length][];
                    var bytes = new int[inputs.length];
                    for (int i = 0; i < inputs.length; i++) {
                        operands[i] = work.others().getOrDefault(inputs[i], new byte[0]);
                        bytes[i] = operands[i].length;
                    }
                    var last = new BigInteger(1, operands[inputs.length - 1]);
                    boolean modular = names.endsWith("modulus");
                    Work.require(!modular || last.compareTo(BigInteger.ONE) > 0, "a modulus below 2");
                    Work.require(!id.equals("divide") || last.signum() != 0, "division by zero");
                    return () -> new Held(operands, calculation, lengths.of(bytes));
                }));
    }

    private static final class Held implements Operation {
        private final BigInteger[] operands;
        private final Calculation calculation;
        private final int[] lengths;
        private BigInteger[] results;

        Held(byte[][] operands, Calculation calculation, int[] lengths) {
            this.operands = new BigInteger[operands.length];
            for (int i = 0; i < operands.length; i++) {
                this.operands[i] = new BigInteger(1, operands[i]);
            }
            this.calculation = calculation;
            this.lengths = lengths;
        }

        @Override
        public int process(Message message, byte[] output) throws Exception {
            results = calculation.of(operands);
            return 0;
        }

        @Override
        public int deliver(byte[] output, int written) {
            int at = 0;
            for (int i = 0; i < lengths.length; i++) {
                byte[] bytes = results[i].toByteArray();
                // A zero in front shows that the number is not negative.
                int sign = bytes[0] == 0 ? 1 : 0;
                int zeros = lengths[i] - (bytes.length - sign);
                java.util.Arrays.fill(output, at, at + zeros, (byte) 0);
                System.arraycopy(bytes, sign, output, at + zeros, bytes.length - sign);
                at += lengths[i];
            }
            return at;
        }
    }
}
