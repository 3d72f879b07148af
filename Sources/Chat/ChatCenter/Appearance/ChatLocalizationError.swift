/// A file with texts that cannot be used.
///
/// - Remedy: Correct the file: <doc:Texts> describes its form.
public struct ChatLocalizationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and safe as a metric label. More kinds may be added: compare with the constants,
    /// and handle unknown values.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// The file does not exist or cannot be read.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The file is larger than ``ChatLocalizationConfig/maximumFileSize``.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The file is not JSON and not a table of strings.
        public static let malformed = Code(rawValue: "malformed")
        /// The file contains more than ``ChatLocalizationConfig/maximumTextCount`` texts.
        public static let tooManyTexts = Code(rawValue: "tooManyTexts")
        /// A text is longer than ``ChatLocalizationConfig/maximumTextLength``.
        public static let textTooLong = Code(rawValue: "textTooLong")
        /// The plural forms of a text have no form `other`, or a form with another name than those of CLDR.
        public static let invalidPlural = Code(rawValue: "invalidPlural")
    }

    /// The kind of failure.
    public var code: Code
    /// The name of the file.
    public var file: String
    /// The key whose text cannot be used, if the failure belongs to one.
    public var key: String?
    /// The reason and the remedy as one sentence that can be shown to a developer.
    public var reason: String

    init(_ code: Code, in file: String, key: String? = nil, _ reason: String) {
        self.code = code
        self.file = file
        self.key = key
        self.reason = reason
    }

    /// A textual description, for logs.
    public var description: String { reason }
}
