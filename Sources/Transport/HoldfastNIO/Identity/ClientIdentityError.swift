/// Why a certificate and a key cannot be used to show who this client is.
public struct ClientIdentityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The file cannot be read.
        public static let unreadableFile = Code(rawValue: "unreadableFile")
        /// The certificates cannot be read, or there is none.
        public static let certificate = Code(rawValue: "certificate")
        /// The text of the key is damaged, or holds no private key, or several.
        public static let key = Code(rawValue: "key")
        /// The key is encrypted. Holdfast has no way to ask for its password: decrypt it where it is stored safely.
        public static let encryptedKey = Code(rawValue: "encryptedKey")
        /// The key is not the one of the first certificate.
        public static let keyMismatch = Code(rawValue: "keyMismatch")
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
