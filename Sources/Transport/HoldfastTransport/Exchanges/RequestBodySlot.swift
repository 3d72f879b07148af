/// Passes a streamed body from the closure that writes it to the connection that sends it, one part at a time.
struct RequestBodySlot: Sendable {
    private enum State {
        /// No part is offered. Next: every other state.
        case empty
        /// A part waits for the connection. Next: empty, closed.
        case full([UInt8])
        /// All parts were offered and taken.
        case finished
        /// No more parts are taken.
        case closed
    }

    /// The part that the connection takes.
    enum Take: Hashable, Sendable {
        case part([UInt8])
        case nothingYet
        case finished
    }

    private var state = State.empty
    private var written: Int64 = 0
    private let length: Int64?

    /// Creates a slot. `length` is the announced length of the body.
    init(length: Int64?) {
        self.length = length
    }

    /// Offers a part. Returns false if no more parts are taken. Throws `bodyFailed` if the body exceeds the announced
    /// length.
    mutating func offer(_ bytes: [UInt8]) throws(TransportError) -> Bool {
        switch state {
        case .empty:
            written += Int64(bytes.count)
            if let length, written > length {
                throw TransportError(
                    .bodyFailed, in: .sending, "The body exceeds the announced length of \(length) bytes.")
            }
            state = .full(bytes)
            return true
        case .full:
            throw TransportError(.bodyFailed, in: .sending, "Two parts of the body were written at the same time.")
        case .finished, .closed:
            return false
        }
    }

    /// Records that the closure returned. Throws `bodyFailed` if the body is shorter than announced.
    mutating func finish() throws(TransportError) {
        guard case .empty = state else { return }
        if let length, written < length {
            throw TransportError(
                .bodyFailed, in: .sending, "The body has only \(written) of the announced \(length) bytes.")
        }
        state = .finished
    }

    /// Takes the offered part.
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

    /// Stops taking parts.
    mutating func close() {
        state = .closed
    }
}
