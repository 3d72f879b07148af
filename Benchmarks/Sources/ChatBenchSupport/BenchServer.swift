import ChatDevServer
import HoldfastTestSupport
import HoldfastTrust

/// A chat server in this process that stores nothing on disk.
package struct BenchServer: Sendable {
    package let server: ChatDevServer
    package let site: Site

    /// Runs a server while `body` runs.
    ///
    /// - Parameters:
    ///   - isSecure: Whether the server uses TLS with its own authority. The site then pins the leaf's key and a backup
    ///     key.
    ///   - hasBot: Whether a bot answers every message.
    ///   - connections: The maximum number of open connections.
    package static func with<Value: Sendable>(
        isSecure: Bool = true, hasBot: Bool = false, connections: Int = 1000,
        _ body: (BenchServer) async throws -> Value
    ) async throws -> Value {
        var configuration = ChatDevServerConfiguration()
        configuration.isBotEnabled = hasBot
        configuration.limits.connections = connections
        configuration.botDelay = .milliseconds(40)
        var certificates: [[UInt8]] = []
        if isSecure {
            let authority = try ServerCertificateAuthority(now: TrustClock.system.now())
            configuration.tls = try authority.identity(for: .genuine)
            certificates = [authority.leaf, authority.backupLeaf].map(\.certificateDER)
        }
        return try await ChatDevServer.with(configuration) { server in
            let address = try await server.started()
            return try await body(BenchServer(server: server, site: Site(address, certificates)))
        }
    }
}
