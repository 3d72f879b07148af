#if PostgreSQL

import HoldfastTestSupport
import HoldfastTrust
import PostgreSQLClient
import Testing

@testable import PinReportCollector

/// Connections over TCP are verified. One server serves all tests of this suite.
@Suite(
    "PostgreSQL over TLS", .serialized, .enabled(if: StoreEngine.isPostgreSQLInstalled, StoreEngine.skipped),
    .timeLimit(.minutes(2)))
struct PostgreSQLTLSTests {
    private struct Scene {
        let server: PostgreSQLServer
        let directory: TemporaryDirectory
        let root: String
        let otherRoot: String

        /// Returns the URL of the server over TCP.
        func url(host: String = "localhost", password: String = "secret-word", _ parameters: String) -> String {
            "postgresql://holdfast:\(password)@\(host):\(server.port)/postgres?\(parameters)"
        }
    }

    private func with(_ body: (Scene) async throws -> Void) async throws {
        // libpq uses the machine's clock.
        let factory = CertificateFactory(now: TrustClock.system.now())
        let (root, other) = (try factory.authority("Root"), try factory.authority("Other"))
        let server = try await PostgreSQLServer.start(tls: try factory.leaf(["localhost"], signedBy: root))
        defer { server.stop() }
        try await server.execute("ALTER ROLE holdfast PASSWORD 'secret-word'", in: "postgres")
        let directory = try TemporaryDirectory()
        try await body(
            Scene(
                server: server, directory: directory, root: try directory.file("root.pem", root.certificatePEM),
                otherRoot: try directory.file("other.pem", other.certificatePEM)))
    }

    private func number(_ url: String, dangerously: Bool = false) async throws -> Int64? {
        let address = try PostgreSQLAddress(
            url: url, dangerouslyAllowsUnverifiedServer: dangerously, environment: { _ in nil })
        let client = PostgreSQLClient(address)
        do {
            let number = try await client.number(
                "SELECT ssl::int::bigint FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
            await client.close()
            return number
        } catch {
            await client.close()
            throw error
        }
    }

    @Test func onlyTheRightServerIsAccepted() async throws {
        try await with { scene async throws in
            #expect(try await number(scene.url("sslrootcert=\(scene.root)")) == 1)
            // Another authority, another name, another password.
            for url in [
                scene.url("sslrootcert=\(scene.otherRoot)"), scene.url(host: "127.0.0.1", "sslrootcert=\(scene.root)"),
                scene.url(password: "wrong-word", "sslrootcert=\(scene.root)"),
            ] {
                do {
                    _ = try await number(url)
                    Issue.record("connected")
                } catch let error as PostgreSQLError {
                    #expect([.unreachable, .refusedConnection].contains(error.code))
                    #expect(!error.reason.contains("secret-word") && !error.reason.contains("wrong-word"))
                }
            }
            // The option allows what the URL asks for, and nothing else.
            let cleartext = scene.url("sslmode=disable&channel_binding=disable")
            #expect(throws: PostgreSQLError.self) { try PostgreSQLAddress(url: cleartext, environment: { _ in nil }) }
            #expect(try await number(cleartext, dangerously: true) == 0)
        }
    }
}

#endif
