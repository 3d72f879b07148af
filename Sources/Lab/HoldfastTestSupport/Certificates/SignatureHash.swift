/// The hash under a certificate's signature.
public enum SignatureHash: String, Hashable, Sendable, CaseIterable {
    /// The identifier says MD5, but the signature under it is made over SHA-256, since swift-crypto cannot sign MD5.
    /// Enough to test that MD5 is refused by name.
    case md5
    case sha1
    case sha256
    case sha384
    case sha512
}
