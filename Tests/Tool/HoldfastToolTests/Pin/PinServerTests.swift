import ChatDevServer
import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("holdfast pin: servers") struct PinServerTests {
    private func pins(of scenario: CertificateScenario) async throws -> (PinOutput, ServerCertificateAuthority) {
        let authority = try ServerCertificateAuthority(now: TrustClock.system.now())
        let identity = try authority.identity(for: scenario)
        let output = try await CertificateScenarioServer.with(presenting: identity) { server in
            let outcome = await ToolOutcome.of("pin", "127.0.0.1:\(server.port)", "--json")
            #expect(outcome.status == .success, "\(outcome.notes)")
            return try JSONDecoder().decode(PinOutput.self, from: Data(outcome.output.utf8))
        }
        return (output, authority)
    }

    @Test func aServersChainIsListedAndNotTrusted() async throws {
        let (output, authority) = try await pins(of: .genuine)
        #expect(output.keys.map(\.pin) == [authority.leaf, authority.intermediate].map(\.spkiDigest.base64))
        // The machine does not trust the authority, and the report says so.
        #expect(["unknownIssuer", "noTrustAnchors"].contains(output.system))
        #expect(output.keys.first?.command.hasPrefix("openssl s_client -connect 127.0.0.1:") == true)
    }

    @Test(arguments: [CertificateScenario.expired, .selfSigned, .smuggledLeaf])
    func pinsOfInvalidServersAreListed(_ scenario: CertificateScenario) async throws {
        let (output, authority) = try await pins(of: scenario)
        #expect(output.keys.contains { $0.pin == authority.leaf.spkiDigest.base64 })
    }

    @Test func unreachableServerIsReportedInOneSentence() async throws {
        // Port 1 of the loopback: nothing listens there.
        await ToolOutcome.of("pin", "127.0.0.1:1").expectUnusable("127.0.0.1:1")
        await ToolOutcome.of("pin", "no-such-host.invalid:443").expectUnusable("no-such-host.invalid")
    }

    @Test func serverWithoutTLSIsReportedInOneSentence() async throws {
        try await ChatDevServer.with(ChatDevServerConfiguration()) { server in
            let port = try await server.started().port
            await ToolOutcome.of("pin", "127.0.0.1:\(port)").expectUnusable("127.0.0.1:\(port)")
        }
    }
}
