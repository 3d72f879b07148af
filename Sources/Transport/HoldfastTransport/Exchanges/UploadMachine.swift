/// The sending of one request's body, as a value: which part goes out next, and when the last one has been sent.
///
/// The driver writes each part at once and tells when the socket has taken it. Files are read by the driver.
struct UploadMachine: Sendable {
    private enum State {
        /// The request has no body, or the last part of it has been written. Next: asking, sending.
        case idle
        /// The server has to ask for the body first. Next: sending, givenUp, idle.
        case asking
        /// Parts are written. Next: reading, idle.
        case sending
        /// A part of a file is being read. Next: sending, idle.
        case reading
        /// The server answered where it should have asked for the body: it gets none.
        case givenUp
    }

    /// What the driver has to do.
    enum Step: Hashable, Sendable {
        /// Write these bytes. `isLast`: nothing follows them.
        case write(ArraySlice<UInt8>, isLast: Bool)
        /// Write the end of the body, which has no bytes.
        case end
        /// Read a part of the file that begins at this offset, and report it.
        case read(at: Int64)
        /// Nothing: the next part has to be waited for, or there is none.
        case nothing
    }

    /// The size of the parts in which bodies are sent.
    static let partSize = 64 * 1024

    private var state = State.idle
    /// Bytes of the body that have been written.
    private var offset: Int64 = 0
    /// Writes that the socket has not taken yet.
    private var pendingWrites = 0
    /// What is left of the part that the closure has written last.
    private var rest: ArraySlice<UInt8> = []

    /// Whether something of a body was taken that cannot be had again.
    private(set) var hasTakenStream = false

    /// Whether the last part has not been written yet.
    var isUnderway: Bool {
        switch state {
        case .asking, .sending, .reading: true
        case .idle, .givenUp: false
        }
    }

    /// Whether the socket has the whole body. A body that was given up never gets there.
    var isSent: Bool { state == .idle && pendingWrites == 0 }

    /// The head of a request with a body has been written. `asks`: the server has to ask for the body.
    mutating func begin(asks: Bool) {
        state = asks ? .asking : .sending
    }

    /// The server has asked for the body, or has kept silent for long enough. Returns false if it need not.
    mutating func asked() -> Bool {
        guard case .asking = state else { return false }
        state = .sending
        return true
    }

    /// The head of the final response has come. Returns whether the body is given up for it.
    @discardableResult
    mutating func answered() -> Bool {
        guard case .asking = state else { return false }
        state = .givenUp
        return true
    }

    /// Decides what is sent next. `take` gets the next part of a body that a closure writes.
    mutating func next(of body: PreparedBody, take: () -> UploadSlot.Take) -> Step {
        guard case .sending = state else { return .nothing }
        switch body {
        case .absent:
            return end()
        case .bytes(let bytes):
            return offset < bytes.count ? part(of: bytes[Int(offset)...], body) : end()
        case .file(_, let range):
            let start = range.lowerBound + offset
            guard start < range.upperBound else { return end() }
            state = .reading
            return .read(at: start)
        case .stream:
            if rest.isEmpty {
                switch take() {
                case .part(let bytes): rest = bytes[...]
                case .finished: return end()
                case .nothingYet: return .nothing
                }
                hasTakenStream = true
            }
            let step = part(of: rest, body)
            rest = rest.dropFirst(Self.partSize)
            return step
        }
    }

    /// A part of the file has been read.
    mutating func read(_ bytes: [UInt8], of body: PreparedBody) -> Step {
        guard case .reading = state else { return .nothing }
        state = .sending
        return part(of: bytes[...], body)
    }

    /// A write of the body, or of head and body together, has been handed to the channel.
    mutating func wrote() {
        pendingWrites += 1
    }

    /// The socket has taken a write.
    mutating func sent() {
        pendingWrites -= 1
    }

    /// The exchange is over: nothing more is written.
    mutating func stop() {
        state = .idle
        rest = []
    }

    private mutating func part(of bytes: ArraySlice<UInt8>, _ body: PreparedBody) -> Step {
        let part = bytes.prefix(Self.partSize)
        offset += Int64(part.count)
        let isLast = offset == body.length
        if isLast { state = .idle }
        return .write(part, isLast: isLast)
    }

    private mutating func end() -> Step {
        state = .idle
        return .end
    }
}
