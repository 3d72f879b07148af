/// Puts the payload of frames together into messages, unmasked and checked as it arrives.
///
/// It holds one message in progress (RFC 6455, 5.4: fragments of messages do not mix) and, between its fragments, one
/// control frame.
package struct MessageAssembler: Sendable {
    /// What a complete frame led to.
    package enum Product: Hashable, Sendable {
        case message(WebSocketMessage)
        case ping([UInt8])
        case pong([UInt8])
        case close(CloseFrame)
    }

    private enum Kind: Sendable {
        case text, binary
    }

    private let limits: WebSocketLimits
    /// The message in progress.
    private var kind: Kind?
    private var message: [UInt8] = []
    private var fragments = 0
    private var utf8 = UTF8Validator()
    /// The frame in progress.
    private var frame: FrameHeader?
    private var control: [UInt8] = []

    package init(limits: WebSocketLimits) {
        self.limits = limits
    }

    /// A frame begins.
    package mutating func begin(_ header: FrameHeader) throws(ProtocolViolation) {
        frame = header
        switch header.opcode {
        case .ping, .pong, .close:
            control.removeAll(keepingCapacity: true)
            return
        case .continuation:
            guard kind != nil else { throw ProtocolViolation(.unexpectedContinuation) }
        case .text, .binary:
            guard kind == nil else { throw ProtocolViolation(.interleavedMessage) }
            kind = header.opcode == .text ? .text : .binary
            fragments = 0
            utf8 = UTF8Validator()
        }
        fragments += 1
        guard fragments <= limits.maximumFragments else { throw ProtocolViolation(.tooManyFragments) }
        guard header.length <= limits.maximumMessageSize - message.count else {
            throw ProtocolViolation(.messageTooLarge)
        }
        if message.isEmpty {
            // A header is cheap to send: reserve no more for it than a modest message needs. The rest grows as it
            // comes.
            message.reserveCapacity(min(header.length, 16 * 1024))
        }
    }

    /// Payload of the frame arrives.
    package mutating func append(_ bytes: UnsafeRawBufferPointer, offset: Int) throws(ProtocolViolation) {
        guard let frame else { return }
        if frame.opcode.isControl {
            Self.append(bytes, offset: offset, key: frame.maskKey, to: &control)
            return
        }
        let start = message.count
        Self.append(bytes, offset: offset, key: frame.maskKey, to: &message)
        guard kind == .text else { return }
        let isValid = message.withUnsafeBytes { all in
            utf8.consume(UnsafeRawBufferPointer(rebasing: all[start...]))
        }
        guard isValid else { throw ProtocolViolation(.invalidUTF8) }
    }

    /// The frame is complete. `nil`: it was a fragment, and more follow.
    package mutating func end() throws(ProtocolViolation) -> Product? {
        guard let frame else { return nil }
        self.frame = nil
        switch frame.opcode {
        case .ping: return .ping(control)
        case .pong: return .pong(control)
        case .close: return .close(try CloseFrame(payload: control))
        case .continuation, .text, .binary: break
        }
        guard frame.isFinal, let kind else { return nil }
        self.kind = nil
        let bytes = message
        message = []
        switch kind {
        case .binary:
            return .message(.binary(bytes))
        case .text:
            guard utf8.isComplete else { throw ProtocolViolation(.invalidUTF8) }
            return .message(.text(String(decoding: bytes, as: UTF8.self)))
        }
    }

    private static func append(
        _ source: UnsafeRawBufferPointer, offset: Int, key: MaskKey?, to array: inout [UInt8]
    ) {
        let start = array.count
        array.append(contentsOf: source)
        guard let key else { return }
        array.withUnsafeMutableBytes { all in
            key.apply(to: UnsafeMutableRawBufferPointer(rebasing: all[start...]), offset: offset)
        }
    }
}
