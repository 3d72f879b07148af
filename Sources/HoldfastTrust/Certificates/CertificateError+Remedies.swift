extension CertificateError {
    /// What to do about a PEM file where DER is wanted.
    package static let pemRemedy =
        "The bytes are PEM, and DER is wanted here. Convert the file: openssl x509 -in cert.pem -outform DER -out cert.cer"
}
