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
