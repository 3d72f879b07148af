import HTTPTypes
import Synchronization

/// The caller's side, on any task.
extension Exchange {
    /// Submits the request and waits: for the whole response where it is collected, for its head where it is streamed.
    func answer(from pool: OriginPool) async throws -> Answer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let error: (any Error)? = storage.withLock { storage in
                    guard storage.machine.begin() else { return storage.error ?? Self.cancelled }
                    storage.headWaiter = continuation
                    storage.pool = pool
                    return nil
                }
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    pool.submit(self)
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// The next part of a streamed body; `nil` at the end.
    func nextPart() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (outcome, resume) = storage.withLock {
                    storage -> (Result<[UInt8]?, any Error>?, LoopHandle<any ExchangeCarrier>?) in
                    if !storage.parts.isEmpty {
                        let part = storage.takeParts()
                        let resumes = storage.machine.taken(part.count)
                        return (.success(part), resumes ? storage.connection : nil)
                    }
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

    /// The trailer fields, after the end.
    var trailers: HTTPFields? { storage.withLock { $0.answer?.trailers } }

    /// The caller's task is cancelled.
    func cancel() {
        fail(Self.cancelled)
    }

    /// The caller is done with the exchange. One that is not over is ended, and its connection closed.
    func abandon() {
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

extension Exchange.Storage {
    /// Parts that are smaller are put together: an array costs more memory than the byte that a chunk may hold.
    private static let smallPart = 4 * 1024

    /// A part has come before the reader has.
    mutating func keep(_ part: [UInt8]) {
        if let last = parts.indices.last, parts[last].count < Self.smallPart {
            parts[last] += part
        } else {
            parts.append(part)
        }
    }

    /// All the parts that wait, as one.
    mutating func takeParts() -> [UInt8] {
        defer { parts.removeAll(keepingCapacity: true) }
        return parts.count == 1 ? parts[0] : Array(parts.joined())
    }
}
