import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// Common proxy programs between the client and its server.
@Suite struct RealProxyTests {
    /// Sends a request through a proxy to an address. Only the client maps the server's name to it.
    private func get(_ folder: PeerFolder, through address: String) async throws -> CollectedResponse {
        try await ScriptedServer.with(tls: ServerTLS(folder.leaf)) { _ in
            [.respond("through")]
        } _: { server in
            var configuration = try folder.configuration()
            configuration.proxies = .server(try ProxyServer(address))
            let client = HTTPClient(configuration: configuration)
            let answer = try await client.collect(HTTPRequest(port: server.port), upTo: 99)
            #expect(server.connectionCount == 1)
            await client.shutdown()
            return answer
        }
    }

    private func check(_ folder: PeerFolder, scheme: String, port: UInt16) async throws {
        let answer = try await get(folder, through: "\(scheme)://somebody:hunter2@127.0.0.1:\(port)")
        #expect(answer.text == "through")
        #expect(answer.facts.verdict?.finding.code == .pinMatched)
        for login in ["somebody:wrong@", ""] {
            let error = try await transportError {
                _ = try await get(folder, through: "\(scheme)://\(login)127.0.0.1:\(port)")
            }
            // tinyproxy answers a wrong password with 401, a status of servers.
            let isLogin = error.proxy?.code == .authentication || error.proxy?.status == 401
            #expect(error.code == .proxyFailed && isLogin, "\(login): \(error)")
        }
    }

    @Test(.enabled(if: PeerProgram.tinyproxy.isInstalled, "tinyproxy is not installed"))
    func tinyproxy() async throws {
        try await PeerFolder.with { folder in
            let (process, port) = try await PeerPort.start { port in
                let file = try folder.write(
                    "tinyproxy.conf",
                    "Port \(port)\nListen 127.0.0.1\nAllow 127.0.0.1\nBasicAuth somebody hunter2\nTimeout 60\n")
                return try PeerProgram.tinyproxy.start(["-d", "-c", file])
            }
            do {
                try await check(folder, scheme: "http", port: port)
                process.stop()
            } catch {
                process.stop()
                throw error
            }
        }
    }

    @Test(.enabled(if: PeerProgram.microsocks.isInstalled, "microsocks is not installed"))
    func microsocks() async throws {
        try await PeerFolder.with { folder in
            let (process, port) = try await PeerPort.start { port in
                try PeerProgram.microsocks.start([
                    "-i", "127.0.0.1", "-p", "\(port)", "-u", "somebody", "-P", "hunter2",
                ])
            }
            do {
                try await check(folder, scheme: "socks5", port: port)
                process.stop()
            } catch {
                process.stop()
                throw error
            }
        }
    }
}
