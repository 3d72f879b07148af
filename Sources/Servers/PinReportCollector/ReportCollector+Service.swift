public import ServiceLifecycle

/// A collector is a service: a `ServiceGroup` runs it beside other services and stops it with the process.
extension ReportCollector: Service {
    /// Listens and serves like ``run(onListening:)``.
    public func run() async throws {
        try await run { _ in }
    }

    /// Listens and serves until ``stop()`` is called or the service group shuts down. Cancelling the task ends requests
    /// in progress at once. A collector can run only once.
    ///
    /// A graceful shutdown has the effect of ``stop()``.
    ///
    /// - Parameter onListening: Called with the address once connections are accepted.
    /// - Throws: ``ReportCollectorError``; ``ReportCollectorError/Code/brokenOff`` if the collector ends unexpectedly.
    public func run(onListening: @escaping @Sendable (ReportCollectorAddress) -> Void) async throws {
        try await withGracefulShutdownHandler {
            try await runUntilStopped(onListening: onListening)
        } onGracefulShutdown: {
            self.stop()
        }
    }
}
