package import NIOCore
import Synchronization

/// A connection that a server has accepted, and what its first request makes of it.
///
/// A server that shuts down drops connections that it has accepted and not begun to handle. NIO stops the process if an
/// `NIOAsyncChannel` is released while its connection is open. A dropped connection is therefore closed, and its
/// outcome is kept until then.
package final class AcceptedConnection<Outcome: Sendable>: Sendable {
    /// The connection.
    package let channel: any Channel
    private let outcome: EventLoopFuture<Outcome>
    private let isHandled = Atomic(false)

    /// Creates a connection whose outcome is not known yet.
    package init(_ channel: any Channel, outcome: EventLoopFuture<Outcome>) {
        self.channel = channel
        self.outcome = outcome
    }

    deinit {
        guard !isHandled.load(ordering: .relaxed) else { return }
        let outcome = outcome
        channel.close(promise: nil)
        channel.closeFuture.whenComplete { _ in withExtendedLifetime(outcome) {} }
    }

    /// Waits for the outcome. The caller must use it, and end the connection.
    package func handled() async throws -> Outcome {
        isHandled.store(true, ordering: .relaxed)
        return try await outcome.get()
    }
}
