/// The sending of one request body: which part is sent next, and when the last one was sent.
///
/// The driver writes each part at once and reports when the socket has accepted it. The driver also reads files.
struct RequestBodyMachine: Sendable {
    private enum State {
        /// There is no body, or its last part was written. Next: asking, sending.
        case idle
        /// Waiting until the server asks for the body. Next: sending, givenUp, idle.
        case asking
        /// Writing parts. Next: reading, idle.
        case sending
        /// Reading a part of a file. Next: sending, idle.
        case reading
        /// The server responded instead of asking for the body, which is not sent.
        case givenUp
    }

    /// The next action of the driver.
    enum Step: Hashable, Sendable {
        /// Write these bytes. `isLast`: they end the body.
        case write(ArraySlice<UInt8>, isLast: Bool)
        /// Write the end of the body, without bytes.
        case end
        /// Read a part of the file from this offset and report it.
        case read(at: Int64)
        /// Do nothing: the next part is not available yet, or there is none.
        case nothing
    }

    /// The size of the parts of a body, in bytes.
    static let partSize = 64 * 1024

    private var state = State.idle
    /// The number of bytes of the body that were written.
    private var offset: Int64 = 0
    /// The number of writes that the socket has not accepted yet.
    private var pendingWrites = 0
    /// The rest of the part that the closure wrote last.
    private var rest: ArraySlice<UInt8> = []

    /// Whether bytes of a non-repeatable body were consumed.
    private(set) var hasTakenStream = false

    /// Whether the last part has not been written yet.
    var isUnderway: Bool {
        switch state {
        case .asking, .sending, .reading: true
        case .idle, .givenUp: false
        }
    }

    /// Whether the socket has accepted the whole body. Never true if the body was given up.
    var isSent: Bool { state == .idle && pendingWrites == 0 }

    /// Records that the head of a request with a body was written. `asks`: whether the server has to ask for the body.
    mutating func begin(asks: Bool) {
        state = asks ? .asking : .sending
    }

    /// Starts sending, because the server asked for the body or the wait for its response ended. Returns false in other
    /// states.
    mutating func asked() -> Bool {
        guard case .asking = state else { return false }
        state = .sending
        return true
    }

    /// Processes the head of the final response. Returns whether the body is given up.
    @discardableResult
    mutating func answered() -> Bool {
        guard case .asking = state else { return false }
        state = .givenUp
        return true
    }

    /// Returns the next action. `take` returns the next part of a body that a closure writes.
    mutating func next(of body: PreparedBody, take: () -> RequestBodySlot.Take) -> Step {
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

    /// Processes a part of the file.
    mutating func read(_ bytes: [UInt8], of body: PreparedBody) -> Step {
        guard case .reading = state else { return .nothing }
        state = .sending
        return part(of: bytes[...], body)
    }

    /// Records a write of the body, or of head and body together.
    mutating func wrote() {
        pendingWrites += 1
    }

    /// Records that the socket accepted a write.
    mutating func sent() {
        pendingWrites -= 1
    }

    /// Stops sending, because the exchange is over.
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
