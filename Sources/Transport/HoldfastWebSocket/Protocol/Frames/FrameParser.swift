/// Splits a stream of bytes into frames, as they arrive, in pieces of any size.
///
/// Payload is handed on piece by piece: the parser itself never holds more than one incomplete header.
package struct FrameParser: Sendable {
    /// What the next bytes were.
    package enum Part {
        /// A header is complete; its payload follows, then ``end``.
        case header(FrameHeader)
        /// Payload, still masked where the frame is. `offset` is the place of its first byte within the frame.
        case payload(UnsafeRawBufferPointer, offset: Int)
        /// The frame is complete.
        case end
    }

    private enum State: Sendable {
        /// Bytes of a header may be in `pending`.
        case header
        case payload(length: Int, received: Int)
    }

    private let receiver: WebSocketRole
    private let maximumLength: Int
    private let allowsCompression: Bool
    private var state = State.header
    /// The bytes of a header that is not complete yet: fewer than ``FrameHeader/maximumSize``.
    private var pending: [UInt8] = []

    /// Makes a parser for what `receiver` receives; a frame longer than `maximumLength` is a violation.
    package init(receiver: WebSocketRole, maximumLength: Int, allowsCompression: Bool = false) {
        self.receiver = receiver
        self.maximumLength = maximumLength
        self.allowsCompression = allowsCompression
    }

    /// Whether the next part is ``Part/end``, for which no more bytes are needed.
    var isAtFrameEnd: Bool {
        switch state {
        case .header: false
        case .payload(let length, let received): length == received
        }
    }

    /// The memory that an incomplete header takes.
    var heldBytes: Int { pending.capacity }

    /// Takes the next part from the front of `input`, which is shortened by it; `nil` when all was taken.
    ///
    /// - Parameter maximumPayload: The most bytes of payload in one part.
    package mutating func next(
        _ input: inout UnsafeRawBufferPointer, maximumPayload: Int = .max
    ) throws(ReceivingFailure) -> Part? {
        switch state {
        case .header:
            guard let header = try takeHeader(&input) else { return nil }
            state = .payload(length: header.length, received: 0)
            return .header(header)
        case .payload(let length, let received):
            let missing = length - received
            guard missing > 0 else {
                state = .header
                return .end
            }
            guard !input.isEmpty else { return nil }
            let count = min(missing, input.count, maximumPayload)
            let piece = UnsafeRawBufferPointer(rebasing: input[..<count])
            input = UnsafeRawBufferPointer(rebasing: input[count...])
            state = .payload(length: length, received: received + count)
            return .payload(piece, offset: received)
        }
    }

    private mutating func takeHeader(
        _ input: inout UnsafeRawBufferPointer
    ) throws(ReceivingFailure) -> FrameHeader? {
        if pending.isEmpty {
            guard
                let (header, size) = try FrameHeader.parse(
                    input, receiver: receiver, maximumLength: maximumLength, allowsCompression: allowsCompression)
            else {
                pending.append(contentsOf: input)
                input = UnsafeRawBufferPointer(start: nil, count: 0)
                return nil
            }
            input = UnsafeRawBufferPointer(rebasing: input[size...])
            return header
        }
        // The rare case, a header that was split: byte by byte, so that a violation is seen by its own byte.
        while let byte = input.first {
            pending.append(byte)
            input = UnsafeRawBufferPointer(rebasing: input[1...])
            let parsed = pending.withUnsafeBytes { bytes in
                Result { () throws(ReceivingFailure) in
                    try FrameHeader.parse(
                        bytes, receiver: receiver, maximumLength: maximumLength, allowsCompression: allowsCompression)
                }
            }
            if let parsed = try parsed.get() {
                pending.removeAll(keepingCapacity: true)
                return parsed.header
            }
        }
        return nil
    }
}
