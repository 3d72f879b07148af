import NIOSSL
import Synchronization

/// The identity for new connections. Open connections keep theirs.
final class CurrentIdentity: Sendable {
    private let context: Mutex<NIOSSLContext?>

    /// Creates the current identity; without one, the server does not use TLS.
    init(_ identity: TLSIdentity?) throws(ChatDevServerError) {
        var context: NIOSSLContext?
        if let identity { context = try identity.makeContext() }
        self.context = Mutex(context)
    }

    /// Replaces the identity. If the new one is unusable, the old one stays.
    func replace(with identity: TLSIdentity) throws(ChatDevServerError) {
        let context = try identity.makeContext()
        self.context.withLock { $0 = context }
    }

    /// Returns a TLS handler for a new connection; `nil` if the server does not use TLS.
    func makeHandler() -> NIOSSLServerHandler? {
        context.withLock { $0 }.map { NIOSSLServerHandler(context: $0) }
    }
}
