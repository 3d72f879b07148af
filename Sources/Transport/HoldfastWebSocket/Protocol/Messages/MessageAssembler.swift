package import HoldfastTransport

/// Puts the payload of frames together into messages, unmasked, inflated and checked as it arrives.
///
/// It holds one message in progress (RFC 6455, 5.4: fragments of messages do not mix) and, between its fragments, one
/// control frame.
package struct MessageAssembler: ~Copyable {
    /// What a complete frame led to.
    package enum Product: Hashable, Sendable {
        case message(WebSocketMessage)
        /// The last part of a message, where messages are delivered in parts.
        case part(WebSocketPart)
        case ping([UInt8])
        case pong([UInt8])
        case close(CloseFrame)
    }

    /// Up to here the ratio of a compressed message is not looked at: small messages of one letter are no bombs.
    static let harmless = 1024 * 1024

    private let limits: WebSocketLimits
    private let maximumRatio: Int
    private let deliversParts: Bool
    private var inflater: Inflater
    /// Whether somebody wants what compressed messages become.
    private var isInflating = true
    /// The message in progress.
    private var kind: WebSocketPart.Kind?
    private var isCompressed = false
    /// What has come of it, as far as it was not delivered yet.
    private var message: [UInt8] = []
    /// How large it has become.
    private var size = 0
    /// How many bytes it took.
    private var received = 0
    private var fragments = 0
    private var utf8 = UTF8Validator()
    /// The frame in progress.
    private var frame: FrameHeader?
    private var control: [UInt8] = []

    package init(limits: WebSocketLimits, deflate: DeflateAgreement? = nil, deliversParts: Bool = false) {
        self.limits = limits
        self.maximumRatio = max(1, deflate?.maximumRatio ?? 1)
        self.deliversParts = deliversParts
        self.inflater = Inflater(
            windowBits: deflate?.receivingWindowBits ?? 15, keepsContext: deflate?.receivingContextTakeover ?? false)
    }

    /// Whether memory is taken for inflating.
    package var holdsInflater: Bool { inflater.isAllocated }

    /// How much of the message in progress was not delivered yet.
    package var pendingSize: Int { message.count }

    /// Nobody wants messages any more: compressed ones are dropped as they come, for they could cost much more than their
    /// bytes. They bring no message and no violation then, and later ones cannot be inflated either.
    mutating func stopInflating() {
        isInflating = false
        inflater.release()
        if isCompressed { message = [] }
    }

    /// The memory that the message and the control frame in progress take, zlib's left out.
    var heldBytes: Int { message.capacity + control.capacity }

    /// A frame begins.
    package mutating func begin(_ header: FrameHeader) throws(ReceivingFailure) {
        frame = header
        switch header.opcode {
        case .ping, .pong, .close:
            // The last one's storage may still be in a pong: emptied in place it would be copied with all of its capacity,
            // rounded up by the allocator, and a flood would let it grow without end.
            control = []
            control.reserveCapacity(header.length)
            return
        case .continuation:
            guard kind != nil else { throw .violation(.unexpectedContinuation) }
        case .text, .binary:
            guard kind == nil else { throw .violation(.interleavedMessage) }
            kind = header.opcode == .text ? .text : .binary
            isCompressed = header.isCompressed
            size = 0
            received = 0
            fragments = 0
            utf8 = UTF8Validator()
        }
        fragments += 1
        guard fragments <= limits.maximumFragments else { throw .violation(.tooManyFragments) }
        // What a compressed frame becomes is seen when it does.
        guard !isCompressed else { return }
        guard header.length <= limits.maximumMessageSize - size else { throw .violation(.messageTooLarge) }
        if message.isEmpty {
            // A header is cheap to send: reserve no more for it than a modest message needs. The rest grows as it
            // comes.
            message.reserveCapacity(min(header.length, 16 * 1024))
        }
    }

    /// Payload of the frame arrives.
    package mutating func append(_ bytes: UnsafeRawBufferPointer, offset: Int) throws(ReceivingFailure) {
        guard let frame else { return }
        if frame.opcode.isControl {
            Self.append(bytes, offset: offset, key: frame.maskKey, to: &control)
            return
        }
        guard isCompressed else {
            let start = message.count
            Self.append(bytes, offset: offset, key: frame.maskKey, to: &message)
            size += bytes.count
            return try check(from: start)
        }
        guard isInflating else { return }
        received += bytes.count
        guard let key = frame.maskKey else { return try inflate(bytes) }
        let plain = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        defer { plain.deallocate() }
        key.copy(bytes, to: plain, offset: offset)
        try inflate(UnsafeRawBufferPointer(plain))
    }

    /// The frame is complete. `nil`: it was a fragment, and more follow.
    package mutating func end() throws(ReceivingFailure) -> Product? {
        guard let frame else { return nil }
        self.frame = nil
        switch frame.opcode {
        case .ping: return .ping(control)
        case .pong: return .pong(control)
        case .close: return .close(try CloseFrame(payload: control))
        case .continuation, .text, .binary: break
        }
        guard frame.isFinal, let kind else { return nil }
        guard isInflating || !isCompressed else {
            self.kind = nil
            return nil
        }
        if isCompressed { try inflater.endMessage() }
        guard kind == .binary || utf8.isComplete else { throw .violation(.invalidUTF8) }
        self.kind = nil
        let bytes = message
        message = []
        if deliversParts { return .part(WebSocketPart(kind: kind, bytes: bytes, isLast: true)) }
        switch kind {
        case .binary: return .message(.binary(bytes))
        case .text: return .message(.text(String(valid: bytes)))
        }
    }

    /// What has come of the message in progress since the last time; `nil`: nothing, or messages are delivered whole.
    package mutating func takePart() -> WebSocketPart? {
        guard deliversParts, let kind, !message.isEmpty else { return nil }
        let bytes = message
        message = []
        return WebSocketPart(kind: kind, bytes: bytes, isLast: false)
    }

    // MARK: Payload

    /// Checks what has just come to the message.
    private mutating func check(from start: Int) throws(ReceivingFailure) {
        guard kind == .text else { return }
        let isValid = message.withUnsafeBytes { all in
            utf8.consume(UnsafeRawBufferPointer(rebasing: all[start...]))
        }
        guard isValid else { throw .violation(.invalidUTF8) }
    }

    private mutating func inflate(_ bytes: UnsafeRawBufferPointer) throws(ReceivingFailure) {
        try inflater.feed(bytes)
        while let piece = try inflater.next() {
            size += piece.count
            guard size <= limits.maximumMessageSize else { throw .violation(.inflatedMessageTooLarge) }
            guard size <= Self.harmless || size / maximumRatio <= received else {
                throw .violation(.compressionRatioTooHigh)
            }
            let start = message.count
            message.append(contentsOf: piece)
            try check(from: start)
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

/// Why what arrives cannot be taken.
package enum ReceivingFailure: Error, Hashable, Sendable {
    /// The peer broke a rule, or passed a limit. The connection ends with the violation's close code.
    case violation(WebSocketError.Violation)
    /// zlib has failed.
    case zlib(ZlibFailure)
}
