public import ServiceLifecycle

/// A server is a service: a `ServiceGroup` runs it beside other services and stops it with the process.
extension ChatPageServer: Service {
    /// Listens and serves until ``stop()`` is called, the service group shuts down or the task is cancelled. A server
    /// can run only once.
    ///
    /// A graceful shutdown has the effect of ``stop()``.
    ///
    /// Throws ``ChatPageServerError``.
    public func run() async throws {
        try await withGracefulShutdownHandler {
            try await runUntilStopped()
        } onGracefulShutdown: {
            self.stop()
        }
    }
}
