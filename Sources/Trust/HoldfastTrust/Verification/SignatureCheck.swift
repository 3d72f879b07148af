/// Verifies that one certificate was signed with the key of another.
enum SignatureCheck {
    /// Whether `child`'s signature verifies under `issuer`'s key. A weak or unsupported algorithm, a key that does not
    /// fit it or a malformed key verify nothing.
    static func isValid(_ child: ParsedCertificate, signedBy issuer: ParsedCertificate) -> Bool {
        isValid(
            message: child.der[child.tbs], signature: child.der[child.signature], child.signatureAlgorithm, key: issuer)
    }

    /// Whether a signature over `message` verifies under the key of a certificate.
    static func isValid(
        message: ArraySlice<UInt8>, signature: ArraySlice<UInt8>, _ algorithm: SignatureAlgorithm,
        key issuer: ParsedCertificate
    ) -> Bool {
        issuer.verificationKey?.isValid(signature, algorithm, message: message) ?? false
    }
}
