/// The reason why a certificate and a key cannot be used for client authentication.
public struct ClientIdentityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Raw values are stable and safe as metric labels. New codes may be added, so handle unknown
    /// ones.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let rawValue: String
        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// The file cannot be read.
        public static let unreadableFile = Code(rawValue: "unreadableFile")
        /// The certificates cannot be read, or there are none.
        public static let certificate = Code(rawValue: "certificate")
        /// The text of the key is damaged, or it contains no private key or several.
        public static let key = Code(rawValue: "key")
        /// The key is encrypted. Passwords are not supported: decrypt the key and store it safely.
        public static let encryptedKey = Code(rawValue: "encryptedKey")
        /// The key does not belong to the first certificate.
        public static let keyMismatch = Code(rawValue: "keyMismatch")
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable description in one sentence. It contains no key material.
    public var reason: String

    /// Makes an error from its code and its description.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
