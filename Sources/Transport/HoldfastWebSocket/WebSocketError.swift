public import HTTPTypes

/// Why an upgrade failed, or why a WebSocket connection cannot be used or ended badly.
///
/// What happens below the WebSocket (no address, no connection, a refused server, time-outs of the dial) is a
/// `TransportError`, as for HTTP.
public struct WebSocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is: stable, and a safe metric label.
    public var code: Code
    /// One sentence for a person. It holds nothing that the peer wrote.
    public var reason: String
    /// The answer of a server that did not grant the upgrade. Not `nil` exactly when ``code`` is
    /// ``Code-swift.struct/upgradeRefused``.
    public var refusal: WebSocketRefusal?
    /// The rule that the peer broke, or the limit that it passed. Not `nil` exactly when ``code`` is
    /// ``Code-swift.struct/protocolViolation`` or ``Code-swift.struct/limitExceeded``.
    public var violation: Violation?
    /// How the connection ended, where it had begun and has ended.
    public var closure: WebSocketClosure?

    /// Makes an error.
    public init(_ code: Code, _ reason: String, closure: WebSocketClosure? = nil) {
        self.code = code
        self.reason = reason
        self.closure = closure
    }

    package init(refusal: WebSocketRefusal) {
        self.init(.upgradeRefused, "The server answered \(refusal.status) to the upgrade to a WebSocket.")
        self.refusal = refusal
    }

    package init(violation: Violation, closure: WebSocketClosure?) {
        self.init(
            violation.isLimit ? .limitExceeded : .protocolViolation, "The peer \(violation.sentence).",
            closure: closure)
        self.violation = violation
    }

    public var description: String { "\(code): \(reason)" }
}

extension WebSocketError {
    /// The stable name of a kind of failure. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The options cannot be sent: a header field that belongs to the upgrade itself, a subprotocol that is no
        /// token or named twice. Nothing was dialled.
        public static let invalidOptions = Code(rawValue: "invalidOptions")
        /// The server answered with another status than 101; ``WebSocketError/refusal`` holds the answer.
        public static let upgradeRefused = Code(rawValue: "upgradeRefused")
        /// The server answered 101, but not as RFC 6455, 4.1 demands.
        public static let invalidUpgrade = Code(rawValue: "invalidUpgrade")

        /// The peer broke a rule of the protocol; ``WebSocketError/violation`` says which.
        public static let protocolViolation = Code(rawValue: "protocolViolation")
        /// The peer passed a limit of ``WebSocketLimits``; ``WebSocketError/violation`` says which.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
        /// The connection ended without a close frame.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// The peer gave no sign of life within the time that ``WebSocketKeepAlive`` allows.
        public static let keepAliveTimedOut = Code(rawValue: "keepAliveTimedOut")

        /// zlib has failed, for lack of memory say. The connection is ended with 1011.
        public static let compressionFailed = Code(rawValue: "compressionFailed")

        /// The connection is closed or closing: nothing can be sent any more.
        public static let closed = Code(rawValue: "closed")
        /// Two tasks read the messages of one connection at a time.
        public static let concurrentReaders = Code(rawValue: "concurrentReaders")
        /// Too many pings wait for their pong.
        public static let tooManyPings = Code(rawValue: "tooManyPings")
    }
}

extension WebSocketError {
    /// A rule that a peer broke, or a limit that it passed. Stable, and a safe metric label.
    public enum Violation: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
        // RFC 6455, 5.1 and 5.2: the header of a frame.
        case reservedBits, reservedOpcode, maskedByServer, unmaskedByClient, lengthNotMinimal, lengthOutOfRange
        // 5.4 and 5.5: fragments and control frames.
        case fragmentedControlFrame, controlFrameTooLong, unexpectedContinuation, interleavedMessage
        // 5.5.1 and 7.4: close frames.
        case truncatedCloseCode, invalidCloseCode
        // 8.1.
        case invalidUTF8
        // RFC 7692, 7.2.2.
        case malformedCompression
        // Limits of this end.
        case frameTooLarge, messageTooLarge, tooManyFragments, inflatedMessageTooLarge, compressionRatioTooHigh

        /// Whether it is a limit of this end that was passed, and not a rule of the protocol that was broken.
        public var isLimit: Bool {
            switch self {
            case .frameTooLarge, .messageTooLarge, .tooManyFragments, .inflatedMessageTooLarge,
                .compressionRatioTooHigh:
                true
            default: false
            }
        }

        /// The code that the connection is closed with (RFC 6455, 7.4.1).
        public var closeCode: WebSocketCloseCode {
            switch self {
            case .invalidUTF8, .malformedCompression: .invalidPayload
            case _ where isLimit: .messageTooBig
            default: .protocolError
            }
        }

        public var description: String { rawValue }

        /// What follows "the peer" in a sentence.
        var sentence: String {
            switch self {
            case .reservedBits: "set a reserved bit that no extension gives a meaning"
            case .reservedOpcode: "sent a reserved opcode"
            case .maskedByServer: "is the server and masked a frame"
            case .unmaskedByClient: "is the client and did not mask a frame"
            case .lengthNotMinimal: "wrote a length in a longer form than needed"
            case .lengthOutOfRange: "wrote a length of 64 significant bits"
            case .fragmentedControlFrame: "fragmented a control frame"
            case .controlFrameTooLong: "sent a control frame of more than 125 bytes"
            case .unexpectedContinuation: "continued a message that was not begun"
            case .interleavedMessage: "began a message within another one"
            case .truncatedCloseCode: "sent a close frame with half a code"
            case .invalidCloseCode: "sent a close code that is not allowed on the wire"
            case .invalidUTF8: "sent text that is not UTF-8"
            case .malformedCompression: "sent a compressed message that cannot be inflated"
            case .frameTooLarge: "sent a frame above the limit"
            case .messageTooLarge: "sent a message above the limit"
            case .tooManyFragments: "sent a message in more fragments than the limit"
            case .inflatedMessageTooLarge: "sent a compressed message that becomes larger than the limit"
            case .compressionRatioTooHigh: "sent a compressed message that grows beyond the limit for the ratio"
            }
        }
    }
}

/// The answer of a server that did not grant the upgrade.
public struct WebSocketRefusal: Hashable, Sendable {
    /// The status code; `401` where the server wants a credential, `503` where it is busy.
    public var status: Int
    /// The header fields, `Retry-After` among them where the server sent it. The server wrote them: they may hold
    /// secrets such as cookies.
    public var headerFields: HTTPFields
    /// The start of the body.
    public var body: [UInt8]
    /// Whether the body was longer than what is kept, or did not arrive in time.
    public var bodyIsTruncated: Bool

    /// Describes an answer.
    public init(status: Int, headerFields: HTTPFields = [:], body: [UInt8] = [], bodyIsTruncated: Bool = false) {
        self.status = status
        self.headerFields = headerFields
        self.body = body
        self.bodyIsTruncated = bodyIsTruncated
    }

    /// How long the server asks to wait, where it says so in seconds (RFC 9110, 10.2.3). The form with a date is left
    /// to whoever has a clock: it is in ``headerFields``.
    public var retryAfter: Duration? {
        guard let text = headerFields[.retryAfter], text.utf8.count <= 9,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int64(text)
        else { return nil }
        return .seconds(seconds)
    }
}
