/// Splits a byte stream into frames. The bytes may arrive in pieces of any size.
///
/// Payload is passed on piece by piece. The parser itself holds at most one incomplete header.
package struct FrameParser: Sendable {
    /// An element of the byte stream.
    package enum Part {
        /// A complete header. Its payload follows, then ``end``.
        case header(FrameHeader)
        /// Payload, still masked if the frame is masked. `offset` is the position of its first byte within the frame.
        case payload(UnsafeRawBufferPointer, offset: Int)
        /// The frame is complete.
        case end
    }

    private enum State: Sendable {
        /// `pending` may contain bytes of a header.
        case header
        case payload(length: Int, received: Int)
    }

    private let receiver: WebSocketRole
    private let maximumLength: Int
    private let allowsCompression: Bool
    private var state = State.header
    /// The bytes of an incomplete header: fewer than ``FrameHeader/maximumSize``.
    private var pending: [UInt8] = []

    /// Makes a parser for the frames that `receiver` receives. A frame longer than `maximumLength` is a violation.
    package init(receiver: WebSocketRole, maximumLength: Int, allowsCompression: Bool = false) {
        self.receiver = receiver
        self.maximumLength = maximumLength
        self.allowsCompression = allowsCompression
    }

    /// Whether the next part is ``Part/end``, which needs no more bytes.
    var isAtFrameEnd: Bool {
        switch state {
        case .header: false
        case .payload(let length, let received): length == received
        }
    }

    /// The memory in bytes that an incomplete header uses.
    var heldBytes: Int { pending.capacity }

    /// Removes the next part from the front of `input`. Returns `nil` when `input` is empty.
    ///
    /// - Parameter maximumPayload: The maximum number of payload bytes in one part.
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
        // A header that was split is rare. It is read byte by byte, so that a violation is reported at its own byte.
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
