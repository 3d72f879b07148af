/// An error when storing, reading or deleting a secret. It never contains the secret.
public enum KeyChainStoreError: Error, Hashable, Sendable {
    /// The value cannot be represented in UTF-8. Swift strings always can; the case exists for source compatibility.
    case stringEncodingFailed
    /// The stored value is not UTF-8 text.
    case stringDecodingFailed
    /// Apple's key chain returned this `OSStatus`.
    case unexpectedStatus(Int32)
    /// The file-based store cannot be used, or its content is not trustworthy.
    case file(KeyChainFileError)
    /// The Secret Service cannot be used.
    case secretService(SecretServiceError)
}

extension KeyChainStoreError: CustomStringConvertible {
    /// A human-readable description in one sentence.
    public var description: String {
        switch self {
        case .stringEncodingFailed: "The value cannot be encoded."
        case .stringDecodingFailed: "The stored value is not UTF-8 text."
        case .unexpectedStatus(let status): "The key chain returned status \(status)."
        case .file(let error): error.description
        case .secretService(let error): error.description
        }
    }
}

/// An error of the desktop's Secret Service. It never contains a secret.
public struct SecretServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of a kind of failure. New codes may be added, so handle unknown ones.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let rawValue: String
        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// `secret-tool` is not in `PATH` or cannot be started.
        public static let toolMissing = Code(rawValue: "toolMissing")
        /// The service or name is empty, could be read as an option of the tool, or contains a zero byte.
        public static let unusableName = Code(rawValue: "unusableName")
        /// The value is larger than ``SecretServiceKeyChainStore/maximumValueBytes``.
        public static let valueTooLarge = Code(rawValue: "valueTooLarge")
        /// The tool failed, for example because there is no session bus or key ring, or the user declined to unlock it.
        public static let failed = Code(rawValue: "failed")
        /// The tool did not finish before its timeout.
        public static let timedOut = Code(rawValue: "timedOut")
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable description in one sentence.
    public var reason: String

    /// Makes an error from its code and its description.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The code and the reason.
    public var description: String { "\(code): \(reason)" }
}
