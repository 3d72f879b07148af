/// The reason why a frame of a page was refused.
///
/// - Remedy: Load the page again. After `tooManyPending`, send the same frame again later.
public struct PageProtocolError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error. Codes are stable and safe as metric labels. New codes may be added, so compare with the
    /// constants and handle unknown codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as text.
        public let rawValue: String
        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The code as text.
        public var description: String { rawValue }

        /// The frame is not a JSON object.
        public static let malformed = Code(rawValue: "malformed")
        /// The version of the frame is not supported.
        public static let unknownVersion = Code(rawValue: "unknownVersion")
        /// The frame exceeds the limit of bytes or of values.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The frame exceeds the limit of nested arrays and objects.
        public static let tooDeep = Code(rawValue: "tooDeep")
        /// The name of the intent is not known.
        public static let unknownIntent = Code(rawValue: "unknownIntent")
        /// A required field is missing.
        public static let missingField = Code(rawValue: "missingField")
        /// The value of a field is not valid.
        public static let invalidField = Code(rawValue: "invalidField")
        /// The frame's number is not the next one.
        public static let outOfOrder = Code(rawValue: "outOfOrder")
        /// The frame's number was used before, and its answer is no longer stored.
        public static let replayed = Code(rawValue: "replayed")
        /// The frame belongs to another session.
        public static let wrongSession = Code(rawValue: "wrongSession")
        /// Too many intents of this page have no answer yet. The same frame can be sent again later.
        public static let tooManyPending = Code(rawValue: "tooManyPending")
    }

    /// The kind of error.
    public var code: Code
    /// The field that is missing or invalid.
    public var field: String?
    /// The number of the frame, if its head could be read.
    public var number: UInt64?
    /// A sentence for logs and for the answer. It contains no text of the page.
    public var reason: String
    /// The refusal to send to the page; `nil` if the frame has no valid head or belongs to another session or page.
    ///
    /// If the intent can never be performed, its number is used up, and the session sends the same refusal again if the
    /// page repeats the number. After ``Code/outOfOrder`` and ``Code/replayed``, a page can continue with a new id.
    public var answer: PageFrame?

    /// Creates an error.
    public init(_ code: Code, field: String? = nil, number: UInt64? = nil, reason: String) {
        self.code = code
        self.field = field
        self.number = number
        self.reason = reason
    }

    static func missing(_ field: String) -> PageProtocolError {
        PageProtocolError(.missingField, field: field, reason: "The field \"\(field)\" is missing.")
    }

    static func invalid(_ field: String, _ expected: String) -> PageProtocolError {
        PageProtocolError(
            .invalidField, field: field, reason: "The field \"\(field)\" is not valid; expected \(expected).")
    }

    /// The code and the reason.
    public var description: String { "\(code): \(reason)" }
}

/// The limits of a ``PageSession``.
public struct PageProtocolLimits: Hashable, Sendable {
    /// The largest size of a page's frame in bytes.
    ///
    /// - Error: `PageProtocolError.Code.tooLarge`
    public var maximumBytes: Int
    /// The deepest nesting of arrays and objects in a page's frame.
    ///
    /// - Error: `PageProtocolError.Code.tooDeep`
    public var maximumDepth: Int
    /// The number of pages whose answers are stored. The page that was silent for the longest time is removed first.
    public var maximumClients: Int
    /// The number of answers that are stored for each page. The oldest is removed first; its intent is then refused
    /// with `PageProtocolError.Code.replayed`.
    public var maximumAnswers: Int
    /// The number of intents of one page that may be performed at the same time.
    ///
    /// - Error: `PageProtocolError.Code.tooManyPending`
    public var maximumPending: Int
    /// The number of frames that are stored for pages that reconnect. The oldest are removed first.
    public var storedFrames: Int
    /// The total size of these frames in bytes. The oldest are removed first.
    public var storedBytes: Int

    /// Creates limits. Values below 1 count as 1.
    public init(
        maximumBytes: Int = 64 << 10, maximumDepth: Int = 8, maximumClients: Int = 16, maximumAnswers: Int = 64,
        maximumPending: Int = 32, storedFrames: Int = 256, storedBytes: Int = 1 << 20
    ) {
        self.maximumBytes = max(1, maximumBytes)
        self.maximumDepth = max(1, maximumDepth)
        self.maximumClients = max(1, maximumClients)
        self.maximumAnswers = max(1, maximumAnswers)
        self.maximumPending = max(1, maximumPending)
        self.storedFrames = max(1, storedFrames)
        self.storedBytes = max(1, storedBytes)
    }
}
