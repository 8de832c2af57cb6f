package touchstone;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.Provider;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;

/** Signatures, key agreement and encryption by the interfaces of the JCA, for any provider. */
public final class PublicKeys {
    /** A curve's id, the length of the hash in bits that the lab's ids have with it. */
    private static final String[][] CURVES = {
        {"p224", "224"}, {"p256", "256"}, {"p384", "384"}, {"p521", "512"}, {"secp256k1", "256"},
        {"brainpoolp256r1", "256"}, {"brainpoolp384r1", "384"}, {"brainpoolp512r1", "512"},
        {"k233", "224"}, {"b233", "224"}, {"k283", "256"}, {"b283", "256"},
        {"k409", "384"}, {"b409", "384"}, {"k571", "512"}, {"b571", "512"},
    };

    private static final int[] SIZES = {1024, 2048, 3072, 4096, 8192};

    private final Provider signatures;
    private final Provider agreements;
    private final Provider rsa;
    private final Provider ciphers;

    /** The providers of signatures on curves, of agreements, of RSA's signatures, of encryption. */
    public PublicKeys(Provider signatures, Provider agreements, Provider rsa, Provider ciphers) {
        this.signatures = signatures;
        this.agreements = agreements;
        this.rsa = rsa;
        this.ciphers = ciphers;
    }

    /** Returns the rows for these curves, and for RSA. */
    public List<Row> rows(List<String> curves) {
        List<Row> rows = new ArrayList<>();
        for (String[] curve : CURVES) {
            if (!curves.contains(curve[0])) {
                continue;
            }
            String name = "SHA" + curve[1] + "withECDSA";
            sign(rows, "ecdsa-" + curve[0] + "-sha-" + curve[1], name, "EC", signatures, null);
            if (!curve[0].matches("[kb].33|[kb]409|[kb]571")) {
                rows.add(
                        new Row(
                                "ecdh-" + curve[0],
                                "agree",
                                "KeyAgreement ECDH",
                                "init and doPhase for each call",
                                work -> () -> new Agreement("ECDH", agreements, "EC", signatures, work)));
            }
        }
        for (int size : SIZES) {
            sign(rows, "rsa-" + size + "-pkcs1-sha-256", "SHA256withRSA", "RSA", rsa, null);
            if (size < 2048 || size > 4096) {
                continue;
            }
            var pss = new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1);
            sign(rows, "rsa-" + size + "-pss-sha-256", "RSASSA-PSS", "RSA", rsa, pss);
            var oaep = new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT);
            String name = "RSA/ECB/OAEPWithSHA-256AndMGF1Padding";
            encrypt(rows, "rsa-" + size + "-oaep-sha-256", name, "RSA", rsa, oaep);
            encrypt(rows, "rsa-" + size + "-pkcs1", "RSA/ECB/PKCS1Padding", "RSA", rsa, null);
        }
        return rows;
    }

    /** Returns the rows for Diffie and Hellman's agreement, and for DSA by a provider. */
    public List<Row> finite(Provider dsa) {
        List<Row> rows = new ArrayList<>();
        for (String bits : List.of("2048", "3072")) {
            sign(rows, "dsa-" + bits + "-sha-256", "SHA256withDSA", "DSA", dsa, null);
            rows.add(
                    new Row(
                            "dh-ffdhe" + bits,
                            "agree",
                            "KeyAgreement DH",
                            "init and doPhase for each call",
                            work -> () -> new Agreement("DH", ciphers, "DH", ciphers, work)));
        }
        return rows;
    }

    /** Returns the rows for ECDSA with RFC 6979's nonce on these curves. */
    public List<Row> deterministic(List<String> curves) {
        List<Row> rows = new ArrayList<>();
        for (String[] curve : CURVES) {
            if (curves.contains(curve[0]) && !curve[0].matches("[kb]\\d+")) {
                String primitive = "ecdsa-" + curve[0] + "-sha-" + curve[1] + "-deterministic";
                String name = "SHA" + curve[1] + "withECDDSA";
                rows.add(
                        new Row(
                                primitive,
                                "sign",
                                "Signature " + name,
                                "initSign for each message",
                                work -> () -> new Signing(name, "EC", signatures, null)));
            }
        }
        return rows;
    }

    /** Returns the rows for schemes that few providers have. */
    public List<Row> rare() {
        List<Row> rows = new ArrayList<>();
        sign(rows, "sm2-sm3", "SM3withSM2", "EC", signatures, null);
        sign(rows, "ecnr-p256-sha-224", "SHA224withECNR", "EC", signatures, null);
        for (String bits : List.of("2048", "3072")) {
            String name = "ElGamal/None/PKCS1Padding";
            encrypt(rows, "elgamal-" + bits + "-pkcs1", name, "ElGamal", ciphers, null);
        }
        return rows;
    }

    private static void sign(
            List<Row> rows, String primitive, String name, String keys, Provider provider, AlgorithmParameterSpec spec) {
        String note = "initSign or initVerify for each message";
        rows.add(new Row(primitive, "sign", "Signature " + name, note, work -> () -> new Signing(name, keys, provider, spec)));
        rows.add(new Row(primitive, "verify", "Signature " + name, note, work -> () -> new Verifying(name, keys, provider, spec)));
    }

    private void encrypt(
            List<Row> rows, String primitive, String name, String keys, Provider provider, AlgorithmParameterSpec spec) {
        for (boolean encrypts : new boolean[] {true, false}) {
            rows.add(
                    new Row(
                            primitive,
                            encrypts ? "public-encrypt" : "private-decrypt",
                            "Cipher " + name,
                            "",
                            work -> () -> new Encryption(name, keys, provider, encrypts, spec)));
        }
    }

    private static Key privateKey(String keys, Provider provider, byte[] der) throws Exception {
        try {
            return KeyFactory.getInstance(keys, provider).generatePrivate(new PKCS8EncodedKeySpec(der));
        } catch (GeneralSecurityException e) {
            throw new Unsupported(e.toString());
        }
    }

    private static Key publicKey(String keys, Provider provider, byte[] der) throws Exception {
        try {
            return KeyFactory.getInstance(keys, provider).generatePublic(new X509EncodedKeySpec(der));
        } catch (GeneralSecurityException e) {
            throw new Unsupported(e.toString());
        }
    }

    /** An object of the class Signature with its key. */
    private abstract static class Keyed implements Operation {
        final Signature signature;
        final String keys;
        final Provider provider;

        Keyed(String name, String keys, Provider provider, AlgorithmParameterSpec spec) throws Exception {
            signature = Signature.getInstance(name, provider);
            if (spec != null) {
                signature.setParameter(spec);
            }
            this.keys = keys;
            this.provider = provider;
        }
    }

    private static final class Signing extends Keyed {
        private java.security.PrivateKey key;

        Signing(String name, String keys, Provider provider, AlgorithmParameterSpec spec) throws Exception {
            super(name, keys, provider, spec);
        }

        @Override
        public void setKey(byte[] der) throws Exception {
            key = (java.security.PrivateKey) privateKey(keys, provider, der);
        }

        @Override
        public int process(Message message, byte[] output) throws Exception {
            signature.initSign(key);
            signature.update(message.input, 0, message.length);
            return signature.sign(output, 0, output.length);
        }
    }

    private static final class Verifying extends Keyed {
        private java.security.PublicKey key;

        Verifying(String name, String keys, Provider provider, AlgorithmParameterSpec spec) throws Exception {
            super(name, keys, provider, spec);
        }

        @Override
        public void setKey(byte[] der) throws Exception {
            key = (java.security.PublicKey) publicKey(keys, provider, der);
        }

        @Override
        public int process(Message message, byte[] output) throws Exception {
            signature.initVerify(key);
            signature.update(message.input, 0, message.length);
            boolean genuine;
            try {
                genuine = signature.verify(message.others.get("signature"));
            } catch (SignatureException e) {
                throw new Rejected(e);
            }
            if (!genuine) {
                throw new Rejected(null);
            }
            return 0;
        }
    }

    private static final class Agreement implements Operation {
        private final KeyAgreement agreement;
        private final String keys;
        private final Provider provider;
        private final Key peer;
        private Key key;

        Agreement(String name, Provider agreements, String keys, Provider provider, Work work)
                throws Exception {
            this.keys = keys;
            this.provider = provider;
            agreement = KeyAgreement.getInstance(name, agreements);
            try {
                peer = publicKey(keys, provider, work.others().get("peer"));
            } catch (Unsupported | IllegalArgumentException e) {
                throw new Rejected(e);
            }
        }

        @Override
        public void setKey(byte[] der) throws Exception {
            key = privateKey(keys, provider, der);
        }

        @Override
        public int process(Message message, byte[] output) throws Exception {
            try {
                agreement.init(key);
                agreement.doPhase(peer, true);
                return agreement.generateSecret(output, 0);
            } catch (GeneralSecurityException | IllegalStateException e) {
                throw new Rejected(e);
            }
        }
    }

    private final class Encryption implements Operation {
        private final Cipher cipher;
        private final String keys;
        private final Provider provider;
        private final boolean encrypts;
        private final AlgorithmParameterSpec spec;

        Encryption(String name, String keys, Provider provider, boolean encrypts, AlgorithmParameterSpec spec)
                throws Exception {
            cipher = Cipher.getInstance(name, ciphers);
            this.keys = keys;
            this.provider = provider;
            this.encrypts = encrypts;
            this.spec = spec;
        }

        @Override
        public void setKey(byte[] der) throws Exception {
            Key key = encrypts ? publicKey(keys, provider, der) : privateKey(keys, provider, der);
            cipher.init(encrypts ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE, key, spec);
        }

        @Override
        public int process(Message message, byte[] output) throws Exception {
            if (encrypts) {
                return cipher.doFinal(message.input, 0, message.length, output, 0);
            }
            try {
                return cipher.doFinal(message.input, 0, message.length, output, 0);
            } catch (GeneralSecurityException | RuntimeException e) {
                throw new Rejected(e);
            }
        }
    }
}
