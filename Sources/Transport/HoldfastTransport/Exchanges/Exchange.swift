import HTTPTypes
import HoldfastNIO
import NIOCore
import Synchronization
import Tracing

/// One request and its response: what the caller's task and the connection's event loop share.
///
/// The state is under a lock that is held for bookkeeping only; continuations are resumed after it is released. The extensions are
/// the three sides that touch it: the caller, the connection, and the closure that writes a streamed body.
final class Exchange: Sendable {
    /// What was collected, or the head alone where the body is streamed.
    struct Answer: Sendable {
        var response: HTTPResponse
        var facts: ConnectionFacts
        var body: [UInt8] = []
        var trailers: HTTPFields?
    }

    private struct Storage {
        var machine: ExchangeMachine
        var upload: UploadSlot
        var error: (any Error)?
        var answer: Answer?
        var parts = WaitingParts()
        /// The connection that carries the exchange, once there is one.
        var connection: LoopHandle<any ExchangeCarrier>?
        /// The pool in which it waits or has waited.
        var pool: OriginPool?
        /// How many connections have turned out to be closed.
        var attempts = 0
        /// How many connections have served others, and ended before they looked at this one.
        var turns = 0

        var headWaiter: CheckedContinuation<Answer, any Error>?
        var partWaiter: CheckedContinuation<[UInt8]?, any Error>?
        var uploadWaiter: CheckedContinuation<Void, any Error>?

        /// All the parts that wait, and the connection, if it has room to read again.
        mutating func takeParts() -> (part: [UInt8], resume: LoopHandle<any ExchangeCarrier>?)? {
            guard !parts.isEmpty else { return nil }
            let part = parts.takeAll()
            return (part, machine.taken(part.count) ? connection : nil)
        }
    }

    let id: RequestID
    let request: PreparedRequest
    let options: RequestOptions
    /// When the total time is up.
    let deadline: NIODeadline?
    /// The span of the request, where there is one: a dial for it is its child.
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
        self.storage = Mutex(Storage(machine: ExchangeMachine(sink: sink), upload: UploadSlot(length: length)))
    }
}

/// The caller's side, on any task.
extension Exchange {
    /// Submits the request and waits: for the whole response where it is collected, for its head where it is streamed.
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

    /// Begins the exchange, before it is submitted to the pool. Returns why it has failed already, if it has.
    func begin(_ waiter: CheckedContinuation<Answer, any Error>?, in pool: OriginPool?) -> (any Error)? {
        storage.withLock { storage in
            guard storage.machine.begin() else { return storage.error ?? Self.cancelled }
            storage.headWaiter = waiter
            storage.pool = pool
            return nil
        }
    }

    /// Another pool takes the place of the one in which the exchange was to wait.
    func move(to pool: OriginPool) {
        storage.withLock { $0.pool = pool }
    }

    /// The next part of a streamed body; `nil` at the end.
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

    /// Takes the parts of a streamed body that wait, if any do.
    func takeWaiting() -> [UInt8]? {
        guard let (part, resume) = storage.withLock({ $0.takeParts() }) else { return nil }
        resume?.perform { $0.resumeReading(self) }
        return part
    }

    /// What has come of the exchange, once it is over: a response that nobody has waited for, or the error.
    var outcome: Result<Answer, any Error>? {
        storage.withLock { storage in
            if let error = storage.error { return .failure(error) }
            return storage.machine.isOver ? storage.answer.map { .success($0) } : nil
        }
    }

    /// Whether the response is complete, or the exchange has failed. Called from any thread.
    var isOver: Bool { storage.withLock(\.machine.isOver) }

    /// The trailer fields, after the end.
    var trailers: HTTPFields? { storage.withLock { $0.answer?.trailers } }

    /// The caller's task is cancelled.
    func cancel() {
        fail(Self.cancelled)
    }

    /// Fails the exchange, wherever it is, and frees its connection. Does nothing if it is over. Called from any thread.
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

/// The connection's side, on its event loop.
extension Exchange {
    /// A connection takes the exchange. Returns false if it is over.
    func attach(_ connection: LoopHandle<any ExchangeCarrier>) -> Bool {
        storage.withLock { storage in
            guard !storage.machine.isOver else { return false }
            storage.connection = connection
            return true
        }
    }

    /// The next part of a streamed request body.
    func takeUpload() -> UploadSlot.Take {
        let (take, waiter) = storage.withLock { storage in
            let take = storage.upload.take()
            return (take, storage.uploadWaiter.take())
        }
        waiter?.resume()
        return take
    }

    /// The head of the response. Aborts the exchange at its carrier if the caller does not take so much.
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

    /// Ends an exchange of which the caller wants no more. One that is over already was aborted by what has ended it.
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

    /// How much room is made for a body before it comes: a server may announce more than it sends.
    private static func room(_ length: Int64) -> Int { Int(min(max(0, length), 4 << 20)) }

    private typealias HeadWaiter = (CheckedContinuation<Answer, any Error>, Answer)

    /// A part of the body. Returns whether to go on reading. Aborts the exchange at its carrier if the caller does not take so much.
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

    /// The response has ended.
    func complete(trailers: HTTPFields?) {
        let (head, part, upload) = storage.withLock { storage in
            guard storage.machine.end() else { return (nil, nil, nil) as Completion }
            storage.answer?.trailers = trailers
            storage.connection = nil
            storage.upload.close()
            // Whoever still waits for the answer gets it whole; a reader of parts asks for the trailers later.
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

    /// The connection failed before any byte of the response came. Takes the exchange back for another connection, if it
    /// may be sent again.
    ///
    /// - Parameters:
    ///   - hasSent: Whether any byte of the request may have left.
    ///   - othersWereServed: Whether the connection was of use to others, so that trying again goes forward.
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

    /// The connection is gone: what fails from now on has no connection to free.
    func detach() {
        storage.withLock { $0.connection = nil }
    }

    /// A pooled connection may be stale; the second is fresh, so that a third is due only to a race.
    static let maximumAttempts = 3

    /// How many connections may serve others and leave this one out, beside that. A server that ends each connection after twenty
    /// requests gets through a burst of two thousand; one that does so for ever comes to an end.
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
        TransportError(.connectionClosed, in: .sending, "The server has answered before it had the whole body.")
    }

    static var tooLarge: TransportError {
        TransportError(.responseTooLarge, in: .receiving, "The body of the response is larger than the caller takes.")
    }
}

/// The side of the closure that writes a streamed body.
extension Exchange {
    /// Runs the closure and hands its bytes to the connection. Never throws: what goes wrong fails the exchange.
    func upload(_ produce: @Sendable (HTTPBodyWriter) async throws -> Void) async {
        do {
            try await produce(HTTPBodyWriter { try await self.write($0) })
            try storage.withLock { storage throws(TransportError) in try storage.upload.finish() }
            storage.withLock(\.connection)?.perform { $0.bodyReady(self) }
        } catch {
            fail(error)
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
