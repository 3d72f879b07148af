import Foundation
import HoldfastNetworking
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The refusal that the README shows is the one that its sample prints.
@Suite struct ReadmeRefusalTests {
    @Test func theRefusalIsTheOneThatIsPrinted() async throws {
        let factory = CertificateFactory()
        let root = try factory.authority("Example Root")
        let leaf = try factory.leaf(["api.example.com"], signedBy: root)
        let policy = try ReadmeSamples.policy()
        let transport = HTTPClientTransport(
            configuration: TransportConfiguration(
                trust: .policy(policy, anchors: .only([root.view])), clock: .fixed(factory.now),
                hostOverrides: ["api.example.com": "127.0.0.1"]))

        let printed = try await ScriptedServer.with(tls: ServerTLS(leaf)) { _ in
            [.respond("ok")]
        } _: { server in
            let url = try #require(URL(string: "https://api.example.com:\(server.port)/"))
            let error = await #expect(throws: TransportError.self) {
                _ = try await transport.data(for: URLRequest(url: url))
            }
            #expect(server.requests.isEmpty)
            return try #require(error).description
        }

        let expected = try shown()
        #expect(Self.general(printed) == Self.general(expected), "\(printed)")
        #expect(expected.contains("sha256/GC/52nAf0UTi/SzUHajdupeesBsr9/zDN29LGy7O5Oc="))
        #expect(expected.contains("sha256/nmcbHM3thWbHaR5WZM/niFYs6UbCFhRfA+C4Od+TAfI="))
    }

    /// The text block of the README that begins with the error's code.
    private func shown() throws -> String {
        let readme = try String(contentsOf: Repository.root.appendingPathComponent("README.md"), encoding: .utf8)
        let start = try #require(readme.range(of: "```\ntrustRefused"))
        let end = try #require(readme.range(of: "\n```", range: start.upperBound..<readme.endIndex))
        return "trustRefused" + readme[start.upperBound..<end.lowerBound]
    }

    /// The text without its hashes, port, time and duration, which differ from run to run.
    private static func general(_ text: String) -> String {
        text.replacing(/sha256\/([A-Za-z0-9+\/=]{44}|[A-Za-z0-9+\/=]{4}…)/, with: "HASH")
            .replacing(/com:[0-9]+/, with: "com:PORT").replacing(/at [-0-9T:Z]+, took .*/, with: "at TIME")
    }
}
