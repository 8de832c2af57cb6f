package touchstone.bc;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.x9.ECNamedCurveTable;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.math.ec.ECAlgorithms;
import org.bouncycastle.math.ec.ECPoint;
import touchstone.Message;
import touchstone.Operation;
import touchstone.Row;

/** Multiples of points of elliptic curves. */
final class Points {
    /** Curves: the lab's id, Bouncy Castle's name. */
    private static final String[][] CURVES = {
        {"p224", "secp224r1"}, {"p256", "secp256r1"}, {"p384", "secp384r1"}, {"p521", "secp521r1"},
        {"secp256k1", "secp256k1"}, {"brainpoolp256r1", "brainpoolP256r1"},
        {"brainpoolp384r1", "brainpoolP384r1"}, {"brainpoolp512r1", "brainpoolP512r1"},
        {"k163", "sect163k1"}, {"b163", "sect163r2"}, {"k233", "sect233k1"}, {"b233", "sect233r1"},
        {"k283", "sect283k1"}, {"b283", "sect283r1"}, {"k409", "sect409k1"}, {"b409", "sect409r1"},
        {"k571", "sect571k1"}, {"b571", "sect571r1"},
        {"sm2p256v1", "sm2p256v1"}, {"gost256a", "GostR3410-2001-CryptoPro-A"},
        {"gost512a", "Tc26-Gost-3410-12-512-paramSetA"},
    };

    private Points() {}

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (String[] curve : CURVES) {
            rows.add(
                    new Row(
                            curve[0],
                            "multiply-point",
                            "ECPoint.multiply, normalize, getEncoded",
                            "",
                            work -> {
                                // The library's own choice for its signatures: fast code for some
                                // curves, general code for the others.
                                X9ECParameters custom = CustomNamedCurves.getByName(curve[1]);
                                var parameters = custom != null ? custom : ECNamedCurveTable.getByName(curve[1]);
                                ECPoint point = parameters.getCurve().decodePoint(work.others().get("point"));
                                var factor = new BigInteger(1, work.others().get("scalar"));
                                return () -> new Multiple(point, factor);
                            }));
            rows.add(
                    new Row(
                            curve[0],
                            "multiply-two",
                            "ECAlgorithms.sumOfTwoMultiplies, normalize, getEncoded",
                            "",
                            work -> {
                                X9ECParameters custom = CustomNamedCurves.getByName(curve[1]);
                                var parameters = custom != null ? custom : ECNamedCurveTable.getByName(curve[1]);
                                ECPoint point = parameters.getCurve().decodePoint(work.others().get("point"));
                                var factor = new BigInteger(1, work.others().get("scalar"));
                                var base = new BigInteger(1, work.others().get("base"));
                                return () -> new Sum(parameters.getG(), base, point, factor);
                            }));
        }
        return rows;
    }

    private record Sum(ECPoint base, BigInteger first, ECPoint point, BigInteger second)
            implements Operation {
        @Override
        public int process(Message message, byte[] output) {
            ECPoint sum = ECAlgorithms.sumOfTwoMultiplies(base, first, point, second);
            byte[] encoded = sum.normalize().getEncoded(false);
            System.arraycopy(encoded, 0, output, 0, encoded.length);
            return encoded.length;
        }
    }

    private record Multiple(ECPoint point, BigInteger factor) implements Operation {
        @Override
        public int process(Message message, byte[] output) {
            byte[] encoded = point.multiply(factor).normalize().getEncoded(false);
            System.arraycopy(encoded, 0, output, 0, encoded.length);
            return encoded.length;
        }
    }
}
