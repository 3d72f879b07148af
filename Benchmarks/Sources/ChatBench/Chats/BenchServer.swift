import ChatDevServer
import HoldfastTestSupport
import HoldfastTrust

/// A chat server of this process, with nothing on the disk.
struct BenchServer: Sendable {
    let server: ChatDevServer
    let site: Site

    /// Runs one while `body` runs.
    ///
    /// - Parameters:
    ///   - isSecure: TLS with a leaf of an own authority; the site pins its key and the backup key. Else cleartext.
    ///   - hasBot: Every message gets an answer.
    static func with<Value: Sendable>(
        isSecure: Bool = true, hasBot: Bool = false, _ body: (BenchServer) async throws -> Value
    ) async throws -> Value {
        var configuration = ChatDevServerConfiguration()
        configuration.isBotEnabled = hasBot
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
