/// Why a certificate and a key cannot be used to show who this client is.
public struct ClientIdentityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The file cannot be read.
        case unreadableFile
        /// The certificates cannot be read, or there is none.
        case certificate
        /// The text of the key is damaged, or holds no private key, or several.
        case key
        /// The key is encrypted. Holdfast has no way to ask for its password: decrypt it where it is stored safely.
        case encryptedKey
        /// The key is not the one of the first certificate.
        case keyMismatch
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person. It holds nothing of the key.
    public var reason: String

    /// Makes an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}
