//! TLS to the server, by rustls.

use std::sync::Arc;

use anyhow::{Context, ensure};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::address::{Address, Tls};

/// Returns the connector that an address asks for.
pub(super) fn connector(address: &Address) -> anyhow::Result<MakeRustlsConnect> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider));
    let builder = builder.with_safe_default_protocol_versions()?;
    let chain = || -> anyhow::Result<Arc<WebPkiServerVerifier>> {
        let roots = Arc::new(roots(address)?);
        let builder = WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(&provider));
        Ok(builder.build()?)
    };
    let verifier: Arc<dyn ServerCertVerifier> = match (address.tls, &address.roots) {
        (Tls::VerifyFull, _) => chain()?,
        // As in libpq, certificates that are given are used.
        (Tls::VerifyCa, _) | (Tls::Require, Some(_)) => Arc::new(AnyName(chain()?)),
        (Tls::Disable | Tls::Prefer | Tls::Require, _) => Arc::new(AnyCertificate(provider)),
    };
    let config = builder
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn roots(address: &Address) -> anyhow::Result<RootCertStore> {
    let mut store = RootCertStore::empty();
    let (added, from) = match &address.roots {
        Some(path) => {
            let from = path.display().to_string();
            let certificates = CertificateDer::pem_file_iter(path)
                .and_then(Iterator::collect::<Result<Vec<_>, _>>)
                .with_context(|| format!("reading the certificates in {from} (sslrootcert)"))?;
            (store.add_parsable_certificates(certificates).0, from)
        }
        None => {
            let found = rustls_native_certs::load_native_certs();
            let added = store.add_parsable_certificates(found.certs).0;
            (added, "the system (package ca-certificates)".to_owned())
        }
    };
    ensure!(
        added > 0,
        "no certificate to trust in {from}: sslrootcert=FILE names one"
    );
    Ok(store)
}

/// Checks that a certificate leads to a trusted one, and not whose it is.
#[derive(Debug)]
struct AnyName(Arc<WebPkiServerVerifier>);

/// Checks no certificate: the connection is only safe from those who listen.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyName {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match self
            .0
            .verify_server_cert(certificate, others, name, ocsp, now)
        {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
