import HoldfastBase
import HoldfastSystem

/// An error when storing, reading or deleting a secret. It never contains the secret.
///
/// - Remedy: Read the associated error. For a status of Apple's key chain, see `SecCopyErrorMessageString`.
public enum KeyChainStoreError: Error, Hashable, Sendable, CustomStringConvertible {
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

    /// Returns a stored value as text. Throws `stringDecodingFailed` if the value is missing or not UTF-8.
    static func text(_ bytes: (some Sequence<UInt8>)?) throws(KeyChainStoreError) -> String {
        guard let bytes, let text = String(validating: bytes, as: UTF8.self) else { throw .stringDecodingFailed }
        return text
    }
}

/// An error of the desktop's Secret Service. It never contains a secret.
///
/// - Remedy: Unlock or start the key ring, or use `FileKeyChainStore`.
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

/// An error of the file-based credential store. It names files and services, but never contains a value or a key.
///
/// - Remedy: Restrict the folder to its owner, or follow the reason. A value that cannot be opened must be stored
///   again.
public struct KeyChainFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of a kind of failure. New codes may be added, so handle unknown ones.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let rawValue: String
        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// Users other than the owner can read or write the file or its folder, or can change a parent folder. The
        /// required modes are 0600 and 0700.
        public static let permissionsTooOpen = Code(rawValue: "permissionsTooOpen")
        /// The file or its folder belongs to another user, or a parent folder belongs to neither the user nor root.
        public static let foreignOwner = Code(rawValue: "foreignOwner")
        /// The file is a symbolic link, a device or a pipe, or the folder is not a directory.
        public static let unsuitableFile = Code(rawValue: "unsuitableFile")
        /// The system reported an error, such as no space, no permission or a read-only disk. The old value remains.
        public static let storage = Code(rawValue: "storage")
        /// Neither `XDG_STATE_HOME` nor `HOME` is an absolute path for the default folder.
        public static let noFolder = Code(rawValue: "noFolder")
        /// A value exists, but there is no key to open it.
        public static let keyMissing = Code(rawValue: "keyMissing")
        /// The key is not 32 bytes in base64.
        public static let keyUnusable = Code(rawValue: "keyUnusable")
        /// The value was sealed with another key.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The value was modified, truncated or moved from another name.
        public static let damaged = Code(rawValue: "damaged")
        /// The value was written by a later version of Holdfast.
        public static let unknownVersion = Code(rawValue: "unknownVersion")
        /// The value is larger than ``FileKeyChainStore/maximumValueBytes``.
        public static let valueTooLarge = Code(rawValue: "valueTooLarge")
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

    /// Makes an error from a failure of the file store.
    init(_ failure: FileStore.Failure, at path: String) {
        let code: Code =
            switch failure.kind {
            case .tooOpen: .permissionsTooOpen
            case .foreignOwner: .foreignOwner
            case .unsuitable: .unsuitableFile
            case .tooLarge: .damaged
            case .system: .storage
            }
        self.init(code, "The credentials in \(Printable.text(path)) cannot be used: \(failure.reason).")
    }
}
