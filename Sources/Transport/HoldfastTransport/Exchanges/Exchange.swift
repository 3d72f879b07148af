import HTTPTypes
import HoldfastNIO
import NIOCore
import Synchronization
import Tracing

/// One request and its response, shared by the caller's task and the connection's event loop.
///
/// The state is under a lock that is held only briefly; continuations are resumed after it is released. The extensions
/// are the three users of the state: the caller, the connection, and the closure that writes a streamed body.
final class Exchange: Sendable {
    /// The collected response, or only the head if the body is streamed.
    struct Answer: Sendable {
        var response: HTTPResponse
        var facts: ConnectionFacts
        var body: [UInt8] = []
        var trailers: HTTPFields?
    }

    private struct Storage {
        var machine: ExchangeMachine
        var upload: RequestBodySlot
        var error: (any Error)?
        var answer: Answer?
        var parts = WaitingParts()
        /// The connection that carries the exchange, if any.
        var connection: LoopHandle<any ExchangeCarrier>?
        /// The pool in which the exchange waits or waited.
        var pool: OriginPool?
        /// The number of connections that were closed before the response.
        var attempts = 0
        /// The number of connections that served other requests but were closed before this one.
        var turns = 0

        var headWaiter: CheckedContinuation<Answer, any Error>?
        var partWaiter: CheckedContinuation<[UInt8]?, any Error>?
        var uploadWaiter: CheckedContinuation<Void, any Error>?

        /// Removes all waiting parts. Returns the connection too if it must resume reading.
        mutating func takeParts() -> (part: [UInt8], resume: LoopHandle<any ExchangeCarrier>?)? {
            guard !parts.isEmpty else { return nil }
            let part = parts.takeAll()
            return (part, machine.taken(part.count) ? connection : nil)
        }
    }

    let id: RequestID
    let request: PreparedRequest
    let options: RequestOptions
    /// The deadline of the total timeout.
    let deadline: NIODeadline?
    /// The span of the request, if any: the parent for the span of a dial.
    let context: ServiceContext?
    private let storage: Mutex<Storage>

    init(
        request: PreparedRequest, options: RequestOptions, sink: ExchangeMachine.Sink, deadline: NIODeadline?,
        context: ServiceContext? = nil
    ) {
        self.id = RequestID.next()
        self.request = request
        self.options = options
        self.deadline = deadline
        self.context = context
        let length: Int64? = if case .stream(let length) = request.body { length } else { nil }
        self.storage = Mutex(Storage(machine: ExchangeMachine(sink: sink), upload: RequestBodySlot(length: length)))
    }
}

/// The caller's part, on any task.
extension Exchange {
    /// Submits the request and waits for the complete response if it is collected, or for its head if it is streamed.
    func answer(from pool: OriginPool) async throws -> Answer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if let error = begin(continuation, in: pool) {
                    continuation.resume(throwing: error)
                } else {
                    pool.submit(self)
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Does the same while `produce` writes the body. It is a function of its own because a child task needs memory in
    /// the frame of its function, which most requests would reserve for nothing.
    func answer(
        from pool: OriginPool, uploading produce: @Sendable (HTTPBodyWriter) async throws -> Void
    ) async throws -> Answer {
        async let _: Void = upload(produce)
        return try await answer(from: pool)
    }

    /// Starts the exchange before it is submitted to the pool. Returns the error if it has already failed.
    func begin(_ waiter: CheckedContinuation<Answer, any Error>?, in pool: OriginPool?) -> (any Error)? {
        storage.withLock { storage in
            guard storage.machine.begin() else { return storage.error ?? Self.cancelled }
            storage.headWaiter = waiter
            storage.pool = pool
            return nil
        }
    }

    /// Replaces the pool in which the exchange waits.
    func move(to pool: OriginPool) {
        storage.withLock { $0.pool = pool }
    }

    /// Returns the next part of a streamed body, or `nil` at the end.
    func nextPart() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            if let part = takeWaiting() { return part }
            return try await withCheckedThrowingContinuation { continuation in
                let (outcome, resume) = storage.withLock {
                    storage -> (Result<[UInt8]?, any Error>?, LoopHandle<any ExchangeCarrier>?) in
                    if let (part, resume) = storage.takeParts() { return (.success(part), resume) }
                    if let error = storage.error { return (.failure(error), nil) }
                    if storage.machine.isOver { return (.success(nil), nil) }
                    storage.partWaiter = continuation
                    return (nil, nil)
                }
                resume?.perform { $0.resumeReading(self) }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Removes the waiting parts of a streamed body, if any.
    func takeWaiting() -> [UInt8]? {
        guard let (part, resume) = storage.withLock({ $0.takeParts() }) else { return nil }
        resume?.perform { $0.resumeReading(self) }
        return part
    }

    /// The outcome of an exchange that is over: the response, if no caller received it, or the error.
    var outcome: Result<Answer, any Error>? {
        storage.withLock { storage in
            if let error = storage.error { return .failure(error) }
            return storage.machine.isOver ? storage.answer.map { .success($0) } : nil
        }
    }

    /// Whether the response is complete, or the exchange failed. May be called from any thread.
    var isOver: Bool { storage.withLock(\.machine.isOver) }

    /// The trailer fields; available after the end of the body.
    var trailers: HTTPFields? { storage.withLock { $0.answer?.trailers } }

    /// Cancels the exchange.
    func cancel() {
        fail(Self.cancelled)
    }

    /// Fails the exchange in any state and releases its connection. Does nothing if it is over. May be called from any
    /// thread.
    func fail(_ error: any Error) {
        let (wasUnderway, connection, pool) = storage.withLock { storage in
            guard storage.machine.fail() else {
                return (false, nil, nil) as (Bool, LoopHandle<any ExchangeCarrier>?, OriginPool?)
            }
            storage.error = error
            return (true, storage.connection, storage.pool)
        }
        guard wasUnderway else { return }
        resumeWaiters(throwing: error)
        if let connection {
            connection.perform { $0.abort(self) }
        } else {
            pool?.withdraw(self)
        }
    }

    static var cancelled: TransportError {
        TransportError(.cancelled, in: .waiting, "The task was cancelled.")
    }
}

/// The connection's part, on its event loop.
extension Exchange {
    /// Attaches the exchange to a connection. Returns false if the exchange is over.
    func attach(_ connection: LoopHandle<any ExchangeCarrier>) -> Bool {
        storage.withLock { storage in
            guard !storage.machine.isOver else { return false }
            storage.connection = connection
            return true
        }
    }

    /// Returns the next part of a streamed request body.
    func takeUpload() -> RequestBodySlot.Take {
        let (take, waiter) = storage.withLock { storage in
            let take = storage.upload.take()
            return (take, storage.uploadWaiter.take())
        }
        waiter?.resume()
        return take
    }

    /// Processes the head of the response. Aborts the exchange at its carrier if the body exceeds the caller's limit.
    func receive(_ response: HTTPResponse, length: Int64?, facts: ConnectionFacts) {
        let (action, waiter) = storage.withLock { storage in
            let discards = options.redirects.follows && RedirectChain.isRedirect(response)
            let action = storage.machine.head(length: length, discards: discards)
            guard action == .keep || action == .completeEarly else {
                return (action, nil) as (ExchangeMachine.PartAction, HeadWaiter?)
            }
            var answer = Answer(response: response, facts: facts)
            if case .collect = storage.machine.sink, let length { answer.body.reserveCapacity(Self.room(length)) }
            storage.answer = answer
            guard case .stream = storage.machine.sink else { return (action, nil) }
            return (action, storage.headWaiter.take().map { ($0, answer) })
        }
        if let (continuation, answer) = waiter {
            continuation.resume(returning: answer)
        }
        end(action)
    }

    /// Ends an exchange that needs no more data. An exchange that is already over was aborted when it ended.
    private func end(_ action: ExchangeMachine.PartAction) {
        switch action {
        case .failTooLarge:
            fail(Self.tooLarge)
        case .completeEarly:
            let connection = storage.withLock(\.connection)
            complete(trailers: nil)
            connection?.perform { $0.abort(self) }
        case .keep, .keepAndPause, .skip, .drop:
            break
        }
    }

    /// Returns the capacity to reserve for a body. It is limited, because a server may announce more than it sends.
    private static func room(_ length: Int64) -> Int { Int(min(max(0, length), 4 << 20)) }

    private typealias HeadWaiter = (CheckedContinuation<Answer, any Error>, Answer)

    /// Processes a part of the body. Returns whether to continue reading. Aborts the exchange at its carrier if the
    /// body exceeds the caller's limit.
    func receive(_ buffer: ByteBuffer) -> Bool {
        let (action, delivery) = storage.withLock { storage in
            let action = storage.machine.part(buffer.readableBytes)
            guard action == .keep || action == .keepAndPause else {
                return (action, nil) as (ExchangeMachine.PartAction, PartDelivery?)
            }
            if case .collect = storage.machine.sink {
                storage.answer?.body.append(contentsOf: buffer.readableBytesView)
                return (action, nil)
            }
            let part = Array(buffer.readableBytesView)
            if let waiter = storage.partWaiter.take() {
                let resumes = storage.machine.taken(part.count)
                return (resumes ? .keep : action, (waiter, part))
            }
            storage.parts.keep(part)
            return (action, nil)
        }
        if let (waiter, part) = delivery { waiter.resume(returning: part) }
        end(action)
        return action != .keepAndPause
    }

    private typealias PartDelivery = (CheckedContinuation<[UInt8]?, any Error>, [UInt8])

    /// Processes the end of the response.
    func complete(trailers: HTTPFields?) {
        let (head, part, upload) = storage.withLock { storage in
            guard storage.machine.end() else { return (nil, nil, nil) as Completion }
            storage.answer?.trailers = trailers
            storage.connection = nil
            storage.upload.close()
            // A caller waiting for the response receives it complete; a reader of parts asks for the trailers later.
            let head = storage.headWaiter.take().flatMap { waiter in storage.answer.take().map { (waiter, $0) } }
            return (head, storage.partWaiter.take(), storage.uploadWaiter.take())
        }
        if let (waiter, answer) = head { waiter.resume(returning: answer) }
        part?.resume(returning: nil)
        upload?.resume(throwing: Self.answeredEarly)
    }

    private typealias Completion = (
        HeadWaiter?, CheckedContinuation<[UInt8]?, any Error>?, CheckedContinuation<Void, any Error>?
    )

    /// Detaches the exchange after its connection failed before the first byte of the response. Returns whether the
    /// exchange may be repeated.
    ///
    /// - Parameters:
    /// - hasSent: Whether any byte of the request may have been sent.
    /// - othersWereServed: Whether the connection completed other requests, so that a retry makes progress.
    func detachForRetry(hasSent: Bool, othersWereServed: Bool = false) -> Bool {
        storage.withLock { storage in
            let mayRepeat = !hasSent || (request.isIdempotent && request.body.isReplayable)
            if othersWereServed, storage.turns < Self.maximumTurns {
                storage.turns += 1
            } else {
                storage.attempts += 1
            }
            guard storage.machine.awaitsHead, mayRepeat, storage.attempts < Self.maximumAttempts else { return false }
            storage.connection = nil
            return true
        }
    }

    /// Detaches the exchange from its closed connection, so that a later failure has no connection to release.
    func detach() {
        storage.withLock { $0.connection = nil }
    }

    /// The maximum number of connections that a request tries before it fails. The first connection may be closed and
    /// the second is new, so only a race requires a third.
    static let maximumAttempts = 3

    /// The additional number of connections that may serve other requests but not this one. A server that closes each
    /// connection after twenty requests can thus serve a burst of two thousand, while the number of retries stays
    /// bounded. Each further one counts as an attempt.
    static let maximumTurns = 100

    private func resumeWaiters(throwing error: any Error) {
        let (head, part, upload) = storage.withLock { storage in
            storage.upload.close()
            return (storage.headWaiter.take(), storage.partWaiter.take(), storage.uploadWaiter.take())
        }
        head?.resume(throwing: error)
        part?.resume(throwing: error)
        upload?.resume(throwing: error)
    }

    private static var answeredEarly: TransportError {
        TransportError(.connectionClosed, in: .sending, "The server responded before it received the whole body.")
    }

    static var tooLarge: TransportError {
        TransportError(.responseTooLarge, in: .receiving, "The response body exceeds the limit of the request.")
    }
}

/// The part of the closure that writes a streamed body.
extension Exchange {
    /// Runs the closure and passes its bytes to the connection. Never throws: errors fail the exchange.
    func upload(_ produce: @Sendable (HTTPBodyWriter) async throws -> Void) async {
        do {
            try await produce(HTTPBodyWriter { try await self.write($0) })
            try storage.withLock { storage throws(TransportError) in try storage.upload.finish() }
            storage.withLock(\.connection)?.perform { $0.bodyReady(self) }
        } catch {
            // The producer can notice the cancellation of the request before the exchange does.
            fail(error is CancellationError && Task.isCancelled ? Self.cancelled : error)
        }
    }

    private func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                do {
                    let connection = try storage.withLock { storage -> LoopHandle<any ExchangeCarrier>? in
                        if let error = storage.error { throw error }
                        guard try !storage.machine.isOver && storage.upload.offer(bytes) else {
                            throw Self.answeredEarly
                        }
                        storage.uploadWaiter = continuation
                        return storage.connection
                    }
                    connection?.perform { $0.bodyReady(self) }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            let waiter = storage.withLock { storage in
                storage.upload.close()
                return storage.uploadWaiter.take()
            }
            waiter?.resume(throwing: CancellationError())
        }
    }
}
