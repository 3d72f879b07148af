//! rustls's own verification with one root, and then a pin of the server's key.

use std::io::BufReader;
use std::sync::Arc;
use std::time::SystemTime;

use rustls::client::{ServerCertVerified, ServerCertVerifier, WebPkiVerifier};
use rustls::{Certificate, ClientConfig, RootCertStore, ServerName};

use crate::Failure;

struct Pinned {
    verifier: WebPkiVerifier,
    /// The SHA-256 of the SubjectPublicKeyInfo of the server's certificate.
    pin: Vec<u8>,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        leaf: &Certificate,
        intermediates: &[Certificate],
        name: &ServerName,
        scts: &mut dyn Iterator<Item = &[u8]>,
        ocsp: &[u8],
        now: SystemTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let verified = self.verifier.verify_server_cert(leaf, intermediates, name, scts, ocsp, now)?;
        let key = subject_public_key_info(&leaf.0).ok_or_else(|| rustls::Error::General("not a certificate".into()))?;
        if ring::digest::digest(&ring::digest::SHA256, key).as_ref() == self.pin {
            Ok(verified)
        } else {
            Err(rustls::Error::General("the pin does not match".into()))
        }
    }
}

pub fn configuration(root: &str, pin: &str) -> Result<ClientConfig, Failure> {
    let mut roots = RootCertStore::empty();
    for certificate in rustls_pemfile::certs(&mut BufReader::new(std::fs::File::open(root)?))? {
        roots.add(&Certificate(certificate))?;
    }
    let verifier = Pinned { verifier: WebPkiVerifier::new(roots, None), pin: hexadecimal(pin)? };
    Ok(ClientConfig::builder()
        .with_safe_defaults()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth())
}

fn hexadecimal(text: &str) -> Result<Vec<u8>, Failure> {
    (0..text.len())
        .step_by(2)
        .map(|index| Ok(u8::from_str_radix(text.get(index..index + 2).ok_or("an odd number of digits")?, 16)?))
        .collect()
}

/// Returns the SubjectPublicKeyInfo of a certificate, which has already been verified: the seventh field of its signed
/// part if that begins with a version.
fn subject_public_key_info(certificate: &[u8]) -> Option<&[u8]> {
    let (_, outer, _) = element(certificate)?;
    let (_, mut rest, _) = element(outer)?;
    let mut fields = Vec::new();
    while let Some((whole, _, after)) = element(rest) {
        fields.push(whole);
        rest = after;
    }
    fields.get(6).copied()
}

/// Splits DER into its first element, the element's content, and the rest.
fn element(der: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let first = *der.get(1)? as usize;
    let (length, header) = if first < 0x80 {
        (first, 2)
    } else {
        let count = first & 0x7F;
        let digits = der.get(2..2 + count)?;
        (digits.iter().fold(0usize, |length, digit| length << 8 | *digit as usize), 2 + count)
    };
    let end = header.checked_add(length)?;
    Some((der.get(..end)?, der.get(header..end)?, der.get(end..)?))
}
