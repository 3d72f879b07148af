/// Why a text is not a pin. Thrown by ``SPKIDigest/init(_:)``.
public struct PinError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The text does not begin with `sha256/`.
        case missingPrefix
        /// The text names another hash function, or the hash of something other than a SubjectPublicKeyInfo.
        case unsupportedHash
        /// The text behind the prefix is not standard base64 (RFC 4648, section 4).
        case invalidBase64
        /// The text behind the prefix does not stand for 32 bytes.
        case wrongLength
    }

    /// The kind of failure.
    public let code: Code
    /// The text, safe to print and cut at 512 characters.
    public let spelling: String
    /// One sentence for a person, with what to write instead.
    public let reason: String

    public var description: String { reason }

    init(_ code: Code, _ text: String, _ flaw: String) {
        self.code = code
        self.spelling = Printable.text(text)
        self.reason = "The pin \"\(spelling)\" \(flaw)."
    }
}
