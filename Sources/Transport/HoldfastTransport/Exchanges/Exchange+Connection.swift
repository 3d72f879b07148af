import HTTPTypes
import NIOCore
import Synchronization

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
            storage.keep(part)
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
        upload?.resume(
            throwing: TransportError(
                .connectionClosed, in: .sending, "The server has answered before it had the whole body."))
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

    func resumeWaiters(throwing error: any Error) {
        let (head, part, upload) = storage.withLock { storage in
            storage.upload.close()
            return (storage.headWaiter.take(), storage.partWaiter.take(), storage.uploadWaiter.take())
        }
        head?.resume(throwing: error)
        part?.resume(throwing: error)
        upload?.resume(throwing: error)
    }

    static var tooLarge: TransportError {
        TransportError(.responseTooLarge, in: .receiving, "The body of the response is larger than the caller takes.")
    }
}
