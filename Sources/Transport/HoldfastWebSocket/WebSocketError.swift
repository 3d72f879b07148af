public import HTTPTypes

/// An error of a WebSocket upgrade or connection.
///
/// Failures below the WebSocket, such as name resolution, connecting, a refused server or connection timeouts, are a
/// `TransportError`, as for HTTP.
///
/// - Remedy: Read the code, and for a violation of the protocol, correct the peer.
public struct WebSocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Raw values are stable and safe as metric labels.
    public var code: Code
    /// A human-readable description in one sentence. It contains no text from the peer.
    public var reason: String
    /// The response of a server that did not grant the upgrade. Set exactly when ``code`` is
    /// ``Code-swift.struct/upgradeRefused``.
    public var refusal: WebSocketRefusal?
    /// The rule that the peer broke or the limit that it exceeded. Set exactly when ``code`` is
    /// ``Code-swift.struct/protocolViolation`` or ``Code-swift.struct/limitExceeded``.
    public var violation: Violation?
    /// How the connection ended, if it was open and has ended.
    public var closure: WebSocketClosure?

    /// Makes an error from its code and its description.
    public init(_ code: Code, _ reason: String, closure: WebSocketClosure? = nil) {
        self.code = code
        self.reason = reason
        self.closure = closure
    }

    package init(refusal: WebSocketRefusal) {
        self.init(
            .upgradeRefused, "The server answered the WebSocket upgrade with status \(refusal.status) instead of 101.")
        self.refusal = refusal
    }

    package init(violation: Violation, closure: WebSocketClosure?) {
        self.init(
            violation.isLimit ? .limitExceeded : .protocolViolation, "The peer \(violation.sentence).",
            closure: closure)
        self.violation = violation
    }

    /// The code and the reason.
    public var description: String { "\(code): \(reason)" }
}

extension WebSocketError {
    /// The stable name of a kind of failure. New codes may be added, so handle unknown ones.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let rawValue: String
        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// The options are invalid: a header field is part of the upgrade itself, or a subprotocol is repeated or not a
        /// token. No connection was attempted.
        ///
        /// - Remedy: Correct the options.
        public static let invalidOptions = Code(rawValue: "invalidOptions")
        /// The server answered with a status other than 101; see ``WebSocketError/refusal``.
        ///
        /// - Remedy: Read `refusal`: 401 needs a credential, 503 a retry after `retryAfter`.
        public static let upgradeRefused = Code(rawValue: "upgradeRefused")
        /// The server answered 101, but its response violates RFC 6455, 4.1.
        ///
        /// - Remedy: Check that the URL is the one of a WebSocket server.
        public static let invalidUpgrade = Code(rawValue: "invalidUpgrade")

        /// The peer broke a protocol rule; see ``WebSocketError/violation``.
        ///
        /// - Remedy: Correct the peer. The connection is closed.
        public static let protocolViolation = Code(rawValue: "protocolViolation")
        /// The peer exceeded a limit of ``WebSocketLimits``; see ``WebSocketError/violation``.
        ///
        /// - Remedy: Send smaller messages, or raise the limit.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
        /// The connection ended without a close frame.
        ///
        /// - Remedy: Connect again.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// The peer did not respond within the time that ``WebSocketKeepAlive`` allows.
        ///
        /// - Remedy: Connect again.
        public static let keepAliveTimedOut = Code(rawValue: "keepAliveTimedOut")

        /// zlib failed, for example because it ran out of memory. The connection ends with code 1011.
        ///
        /// - Remedy: Connect again; without compression if it persists.
        public static let compressionFailed = Code(rawValue: "compressionFailed")

        /// The connection is closed or closing, so nothing can be sent.
        ///
        /// - Remedy: Connect again.
        public static let closed = Code(rawValue: "closed")
        /// Two tasks read the messages of one connection at the same time.
        ///
        /// - Remedy: Read the messages in one task.
        public static let concurrentReaders = Code(rawValue: "concurrentReaders")
        /// Too many pings are waiting for their pong.
        ///
        /// - Remedy: Wait for the pongs.
        public static let tooManyPings = Code(rawValue: "tooManyPings")
    }
}

extension WebSocketError {
    /// A rule that a peer broke or a limit that it exceeded. Raw values are stable and safe as metric labels.
    public enum Violation: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
        // RFC 6455, 5.1 and 5.2: the header of a frame.

        /// A frame has a reserved bit without an extension for it.
        case reservedBits
        /// A frame has a reserved opcode.
        case reservedOpcode
        /// A server masked a frame.
        case maskedByServer
        /// A client did not mask a frame.
        case unmaskedByClient
        /// A length is not encoded in its shortest form.
        case lengthNotMinimal
        /// A length exceeds 63 bits.
        case lengthOutOfRange

        // 5.4 and 5.5: fragments and control frames.

        /// A control frame is fragmented.
        case fragmentedControlFrame
        /// A control frame has more than 125 bytes.
        case controlFrameTooLong
        /// A continuation frame has no message to continue.
        case unexpectedContinuation
        /// A message began before the previous one ended.
        case interleavedMessage

        // 5.5.1 and 7.4: close frames.

        /// A close frame has only one byte of its code.
        case truncatedCloseCode
        /// A close frame has a code that is not allowed in a frame.
        case invalidCloseCode

        // 8.1.

        /// A text is not UTF-8.
        case invalidUTF8

        // RFC 7692, 7.2.2.

        /// A compressed message cannot be decompressed.
        case malformedCompression

        // Limits of this end.

        /// A frame is larger than ``WebSocketLimits/maximumFrameSize``.
        case frameTooLarge
        /// A message is larger than ``WebSocketLimits/maximumMessageSize``.
        case messageTooLarge
        /// A message has more fragments than ``WebSocketLimits/maximumFragments``.
        case tooManyFragments
        /// A decompressed message is larger than ``WebSocketLimits/maximumMessageSize``.
        case inflatedMessageTooLarge
        /// A compressed message exceeds ``WebSocketDeflate/maximumRatio``.
        case compressionRatioTooHigh

        /// Whether the peer exceeded a limit of this end, instead of breaking a protocol rule.
        public var isLimit: Bool {
            switch self {
            case .frameTooLarge, .messageTooLarge, .tooManyFragments, .inflatedMessageTooLarge,
                .compressionRatioTooHigh:
                true
            default: false
            }
        }

        /// The code with which the connection is closed (RFC 6455, 7.4.1).
        public var closeCode: WebSocketCloseCode {
            switch self {
            case .invalidUTF8, .malformedCompression: .invalidPayload
            case _ where isLimit: .messageTooBig
            default: .protocolError
            }
        }

        /// The stable name of the violation.
        public var description: String { rawValue }

        /// The end of a sentence that begins with "The peer".
        var sentence: String {
            switch self {
            case .reservedBits: "set a reserved bit without negotiating an extension for it"
            case .reservedOpcode: "sent a reserved opcode"
            case .maskedByServer: "masked a frame, which a server must not do"
            case .unmaskedByClient: "did not mask a frame, which a client must do"
            case .lengthNotMinimal: "did not encode a length in its shortest form"
            case .lengthOutOfRange: "sent a length that exceeds 63 bits"
            case .fragmentedControlFrame: "fragmented a control frame"
            case .controlFrameTooLong: "sent a control frame of more than 125 bytes"
            case .unexpectedContinuation: "sent a continuation frame without a message to continue"
            case .interleavedMessage: "began a message before the previous one ended"
            case .truncatedCloseCode: "sent a close frame with only one byte of its code"
            case .invalidCloseCode: "sent a close code that is not allowed in a frame"
            case .invalidUTF8: "sent text that is not UTF-8"
            case .malformedCompression: "sent a compressed message that cannot be decompressed"
            case .frameTooLarge: "sent a frame larger than the limit"
            case .messageTooLarge: "sent a message larger than the limit"
            case .tooManyFragments: "sent a message in more fragments than the limit"
            case .inflatedMessageTooLarge:
                "sent a compressed message that exceeds the message size limit when decompressed"
            case .compressionRatioTooHigh: "sent a compressed message that exceeds the compression ratio limit"
            }
        }
    }
}

/// The response of a server that did not grant the upgrade.
public struct WebSocketRefusal: Hashable, Sendable {
    /// The status code, such as `401` if the server requires a credential or `503` if it is busy.
    public var status: Int
    /// The header fields, including `Retry-After` if the server sent it. The server controls them, and they may contain
    /// secrets such as cookies.
    public var headerFields: HTTPFields
    /// The start of the body.
    public var body: [UInt8]
    /// Whether the body was truncated because it was too long or did not arrive in time.
    public var bodyIsTruncated: Bool

    /// Makes a refusal from the parts of a response.
    public init(status: Int, headerFields: HTTPFields = [:], body: [UInt8] = [], bodyIsTruncated: Bool = false) {
        self.status = status
        self.headerFields = headerFields
        self.body = body
        self.bodyIsTruncated = bodyIsTruncated
    }

    /// The delay that the server requests in seconds (RFC 9110, 10.2.3). The form with a date is not parsed; read it
    /// from ``headerFields``.
    public var retryAfter: Duration? {
        guard let text = headerFields[.retryAfter], text.utf8.count <= 9,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int64(text)
        else { return nil }
        return .seconds(seconds)
    }
}
