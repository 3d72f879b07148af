import NIOSSL
import Synchronization

/// The identity that the next connection is shown. Connections that are open keep theirs.
final class CurrentIdentity: Sendable {
    private let context: Mutex<NIOSSLContext?>

    /// Without an identity the server speaks cleartext.
    init(_ identity: TLSIdentity?) throws(ChatDevServerError) {
        var context: NIOSSLContext?
        if let identity { context = try identity.makeContext() }
        self.context = Mutex(context)
    }

    /// Takes a new identity; if it cannot be used, the old one stays.
    func replace(with identity: TLSIdentity) throws(ChatDevServerError) {
        let context = try identity.makeContext()
        self.context.withLock { $0 = context }
    }

    /// A TLS handler for a new connection; `nil` in a server that speaks cleartext.
    func makeHandler() -> NIOSSLServerHandler? {
        context.withLock { $0 }.map { NIOSSLServerHandler(context: $0) }
    }
}
