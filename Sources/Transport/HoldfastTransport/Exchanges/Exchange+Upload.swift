import Synchronization

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
                            throw TransportError(
                                .connectionClosed, in: .sending, "The server has answered before it had the whole body."
                            )
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
