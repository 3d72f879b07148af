package import HoldfastTransport

/// Assembles frame payloads into messages. It unmasks, decompresses and validates them as they arrive.
///
/// It holds one message in progress, because fragments of messages do not mix (RFC 6455, 5.4), and one control frame
/// between its fragments.
package struct MessageAssembler: ~Copyable {
    /// The result of a complete frame.
    package enum Product: Hashable, Sendable {
        case message(WebSocketMessage)
        /// The last part of a message, if messages are delivered in parts.
        case part(WebSocketPart)
        case ping([UInt8])
        case pong([UInt8])
        case close(CloseFrame)
    }

    /// The size up to which the compression ratio is not checked, because small repetitive messages are legitimate.
    static let harmless = 1024 * 1024

    private let limits: WebSocketLimits
    private let maximumRatio: Int
    private let deliversParts: Bool
    private var inflater: Inflater
    /// Whether compressed messages are still decompressed.
    private var isInflating = true
    /// The message in progress.
    private var kind: WebSocketPart.Kind?
    private var isCompressed = false
    /// The bytes of the message that have not been delivered yet.
    private var message: [UInt8] = []
    /// The size of the message so far.
    private var size = 0
    /// The number of received bytes of the message.
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

    /// Whether memory is allocated for decompression.
    package var holdsInflater: Bool { inflater.isAllocated }

    /// The number of undelivered bytes of the message in progress.
    package var pendingSize: Int { message.count }

    /// Drops compressed messages from now on, because decompressing unwanted messages could be expensive. They then
    /// cause no message and no violation, and later ones cannot be decompressed either.
    mutating func stopInflating() {
        isInflating = false
        inflater.release()
        if isCompressed { message = [] }
    }

    /// The memory in bytes of the message and control frame in progress, without zlib's.
    var heldBytes: Int { message.capacity + control.capacity }

    /// Begins a frame.
    package mutating func begin(_ header: FrameHeader) throws(ReceivingFailure) {
        frame = header
        switch header.opcode {
        case .ping, .pong, .close:
            // The previous pong may still share this storage. Emptying it in place would copy its whole capacity, which
            // the allocator rounds up, so a flood of pings could make it grow without limit.
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
        // The size of a compressed message is checked during decompression.
        guard !isCompressed else { return }
        guard header.length <= limits.maximumMessageSize - size else { throw .violation(.messageTooLarge) }
        if message.isEmpty {
            // A header is cheap to send, so reserve only the size of a modest message. The rest grows as data arrives.
            message.reserveCapacity(min(header.length, 16 * 1024))
        }
    }

    /// Appends payload of the frame.
    package mutating func append(_ bytes: UnsafeRawBufferPointer, offset: Int) throws(ReceivingFailure) {
        guard let frame else { return }
        if frame.opcode.isControl { return Self.append(bytes, offset: offset, key: frame.maskKey, to: &control) }
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

    /// Ends the frame. Returns `nil` if it was a fragment and more follow.
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

    /// Returns the bytes of the message in progress since the last call; `nil` if there are none or if messages are
    /// delivered whole.
    package mutating func takePart() -> WebSocketPart? {
        guard deliversParts, let kind, !message.isEmpty else { return nil }
        let bytes = message
        message = []
        return WebSocketPart(kind: kind, bytes: bytes, isLast: false)
    }

    // MARK: Payload

    /// Validates the new bytes of a text message.
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

/// The reason why received data cannot be accepted.
package enum ReceivingFailure: Error, Hashable, Sendable {
    /// The peer broke a rule or exceeded a limit. The connection ends with the violation's close code.
    case violation(WebSocketError.Violation)
    /// zlib has failed.
    case zlib(ZlibFailure)
}
