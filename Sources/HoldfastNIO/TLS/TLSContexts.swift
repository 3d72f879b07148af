import NIOSSL
import Synchronization

/// The TLS contexts of the process: one for each list of application protocols, since they differ in nothing else.
enum TLSContexts {
    private static let made = Mutex<[[String]: NIOSSLContext]>([:])

    /// The context that offers these protocols. Throws what NIOSSL throws when it cannot make one.
    static func context(applicationProtocols: [String]) throws -> NIOSSLContext {
        try made.withLock { made in
            if let context = made[applicationProtocols] { return context }
            let context = try NIOSSLContext(
                configuration: TLSFloor.configuration(applicationProtocols: applicationProtocols))
            made[applicationProtocols] = context
            return context
        }
    }
}
