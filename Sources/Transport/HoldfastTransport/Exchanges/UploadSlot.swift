/// The hand-over of a streamed body from the closure that writes it to the connection that sends it: one part at a time,
/// as a value.
struct UploadSlot: Sendable {
    private enum State {
        /// Nothing is offered. Next: every other state.
        case empty
        /// A part waits for the connection. Next: empty, closed.
        case full([UInt8])
        /// All has been offered and taken.
        case finished
        /// Nobody takes parts any more.
        case closed
    }

    /// What the connection finds.
    enum Take: Hashable, Sendable {
        case part([UInt8])
        case nothingYet
        case finished
    }

    private var state = State.empty
    private var written: Int64 = 0
    private let length: Int64?

    /// `length` is the body's announced length.
    init(length: Int64?) {
        self.length = length
    }

    /// Offers a part. Returns false if nobody takes parts any more. Throws if there are more bytes than announced.
    mutating func offer(_ bytes: [UInt8]) throws(TransportError) -> Bool {
        switch state {
        case .empty:
            written += Int64(bytes.count)
            if let length, written > length {
                throw TransportError(
                    .bodyFailed, in: .sending, "The body has more than the \(length) bytes that were announced.")
            }
            state = .full(bytes)
            return true
        case .full:
            throw TransportError(.bodyFailed, in: .sending, "Two parts of the body were written at the same time.")
        case .finished, .closed:
            return false
        }
    }

    /// The closure has returned. Throws if there are fewer bytes than announced.
    mutating func finish() throws(TransportError) {
        guard case .empty = state else { return }
        if let length, written < length {
            throw TransportError(
                .bodyFailed, in: .sending, "The body has \(written) of the \(length) bytes that were announced.")
        }
        state = .finished
    }

    /// Takes what is offered.
    mutating func take() -> Take {
        switch state {
        case .full(let bytes):
            state = .empty
            return .part(bytes)
        case .finished:
            return .finished
        case .empty, .closed:
            return .nothingYet
        }
    }

    /// Nobody takes parts any more.
    mutating func close() {
        state = .closed
    }
}
