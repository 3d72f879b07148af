/// Why the credential store on files refuses to work. It names files and services, and never a value or a key.
public struct KeyChainFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of a kind of failure. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// Others than the owner may read or write the file or its folder (mode 0600 and 0700 are required), or may change a folder
        /// above it.
        public static let permissionsTooOpen = Code(rawValue: "permissionsTooOpen")
        /// The file or its folder belongs to another user, or a folder above it to one who is neither the user nor root.
        public static let foreignOwner = Code(rawValue: "foreignOwner")
        /// A symbolic link, a device or a pipe is in the place of the file, or something else in that of the folder.
        public static let unsuitableFile = Code(rawValue: "unsuitableFile")
        /// The system reported an error: no space, no permission, a read-only disk. The old value is still there.
        public static let storage = Code(rawValue: "storage")
        /// There is neither an absolute `XDG_STATE_HOME` nor an absolute `HOME` to put the folder in.
        public static let noFolder = Code(rawValue: "noFolder")
        /// There is a value, and no key to open it with.
        public static let keyMissing = Code(rawValue: "keyMissing")
        /// The key is not the base64 of 32 bytes.
        public static let keyUnusable = Code(rawValue: "keyUnusable")
        /// The value was sealed with another key.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// The value was changed, cut short, or put in the place of another.
        public static let damaged = Code(rawValue: "damaged")
        /// The value was written by a later version of Holdfast.
        public static let unknownVersion = Code(rawValue: "unknownVersion")
        /// The value is larger than ``FileKeyChainStore/maximumValueBytes``.
        public static let valueTooLarge = Code(rawValue: "valueTooLarge")
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
