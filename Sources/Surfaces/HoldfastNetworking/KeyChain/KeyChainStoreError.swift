/// Why a secret cannot be kept, read or forgotten. It never holds the secret.
public enum KeyChainStoreError: Error, Hashable, Sendable {
    /// The value cannot be represented in UTF-8. Swift strings always can; kept for your `switch`.
    case stringEncodingFailed
    /// What is stored is no UTF-8 text.
    case stringDecodingFailed
    /// Apple's key chain answered with this `OSStatus`.
    case unexpectedStatus(Int32)
    /// The store on files cannot be used, or what is in it cannot be believed.
    case file(KeyChainFileError)
    /// The Secret Service cannot be used.
    case secretService(SecretServiceError)
}

extension KeyChainStoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .stringEncodingFailed: "The value cannot be encoded."
        case .stringDecodingFailed: "What is stored is no text."
        case .unexpectedStatus(let status): "The key chain answered with status \(status)."
        case .file(let error): error.description
        case .secretService(let error): error.description
        }
    }
}

/// Why the desktop's Secret Service cannot be used. It never holds a secret.
public struct SecretServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of a kind of failure. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// There is no `secret-tool` in `PATH`, or it cannot be started.
        public static let toolMissing = Code(rawValue: "toolMissing")
        /// A service or a name that would read as an option of the tool, or that holds a zero byte.
        public static let unusableName = Code(rawValue: "unusableName")
        /// The value is larger than what is handed to the tool.
        public static let valueTooLarge = Code(rawValue: "valueTooLarge")
        /// The tool failed: no session bus, no key ring, the user has declined to open it.
        public static let failed = Code(rawValue: "failed")
        /// The tool did not end in time.
        public static let timedOut = Code(rawValue: "timedOut")
    }

    /// What kind of failure it is.
    public var code: Code
    /// One sentence for a person.
    public var reason: String

    /// Makes an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String { "\(code): \(reason)" }
}
