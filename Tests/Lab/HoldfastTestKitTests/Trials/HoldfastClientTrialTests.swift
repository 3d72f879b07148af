import Foundation
import HoldfastNetworking
import HoldfastTestKit
import HoldfastTransport
import HoldfastTrust
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The trial with Holdfast's own clients, with pins and without one of their checks.
@Suite("Pinning trial: Holdfast's clients", .timeLimit(.minutes(2))) struct HoldfastClientTrialTests {
    /// A configuration of the HTTP client, and the attacks that it must accept.
    struct Configuration: Sendable, CustomTestStringConvertible {
        let name: String
        var pinned: PinningTrial.PinnedPart = .key
        let accepted: [PinAttack]
        let client: @Sendable (PinnedSite) throws -> (@Sendable (URL) async throws -> String)

        var testDescription: String { name }
    }

    static let configurations = [
        Configuration(name: "pins", accepted: []) { Clients.http($0.trust) },
        Configuration(name: "a pinned intermediate", pinned: .authority, accepted: []) { site in
            let issuer = try CertificateView(der: site.identity.chain[1])
            let rule = try PinningRule(HostPattern(site.host), keys: [issuer.spkiDigest])
            let policy = try PinningPolicy(name: "issuer", rules: [rule], backupPins: .off)
            return Clients.http(.policy(policy, anchors: site.anchors))
        },
        Configuration(name: "no pins", accepted: [.wrongKey, .smuggledPin]) { Clients.http($0.unpinnedTrust) },
        // It compares pins with the sent certificates, and checks nothing else.
        Configuration(name: "sent certificates", accepted: [.smuggledPin, .wrongHost, .expired]) { site in
            let pins = Set(site.pins)
            let evaluator = DangerouslyReplacingSystemTrust(
                ClosureEvaluator { trust, _ in
                    guard trust.presented.certificates.contains(where: { pins.contains($0.spkiDigest) }) else {
                        throw ClientError("no sent certificate has a pinned key")
                    }
                })
            return Clients.http(.evaluators([site.host: evaluator], anchors: site.anchors))
        },
        Configuration(name: "keys only", accepted: [.wrongHost, .expired]) { site in
            Clients.http(.pinnedKeysOnly(PinnedKeysOnly(keys: site.pins)))
        },
        Configuration(name: "a clock that is two hours late", accepted: [.expired]) { site in
            Clients.http(site.trust, clock: .fixed(site.factory.now.advanced(bySeconds: -7_200)))
        },
        Configuration(
            name: "any certificate", accepted: [.wrongKey, .smuggledPin, .wrongHost, .expired, .unknownAuthority]
        ) { _ in
            Clients.http(.dangerouslyAcceptAnyCertificate())
        },
    ]

    @Test(arguments: configurations)
    func httpClientAcceptsExactlyTheAttacksThatItDoesNotCheck(_ configuration: Configuration) async throws {
        let trial = try PinningTrial(pinned: configuration.pinned)
        let report = try await trial.report(configuration.client(trial.site))
        #expect(report.accepted == configuration.accepted, "\(report)")
        #expect(report.failures.map(\.attack) == configuration.accepted)
        #expect(report.results.map(\.attack) == PinAttack.all)
        for attack in configuration.accepted {
            #expect(report[attack]?.outcome == .accepted)
            #expect((report[attack]?.receivedBytes ?? 0) > 0)
        }
    }

    @Test func webSocketClientRefusesAllAttacksWithPinsOnly() async throws {
        let trial = try PinningTrial(.wss)
        try await trial.requireRefusals(Clients.webSocket(trial.site.trust))
        let unpinned = try await trial.report(Clients.webSocket(trial.site.unpinnedTrust))
        #expect(unpinned.accepted == [.wrongKey, .smuggledPin])
    }

    @Test func anotherHostIsMappedByTheClient() async throws {
        let trial = try PinningTrial(host: "API.example.com")
        #expect(trial.site.host == "api.example.com")
        let transport = HTTPClientTransport(
            configuration: TransportConfiguration(
                trust: trial.site.trust, hostOverrides: ["api.example.com": "127.0.0.1"]))
        try await trial.requireRefusals { url in try await transport.data(for: URLRequest(url: url)).1.statusCode }
    }

    #if canImport(FoundationNetworking)
    @Test func pinnedURLSessionRefusesAllAttacks() async throws {
        let trial = try PinningTrial()
        let session = URLSession(pinnedBy: trial.policy, configuration: .ephemeral, anchors: trial.anchors)
        try await trial.requireRefusals { url in try await session.data(from: url) }
        session.invalidateAndCancel()
    }

    @Test func unpinnedURLSessionAcceptsTheAttackersOfATrustedAuthority() async throws {
        let trial = try PinningTrial()
        let session = URLSession(pinnedBy: trial.site.unpinnedTrust, configuration: .ephemeral)
        let report = try await trial.report { url in try await session.data(from: url) }
        #expect(report.accepted == [.wrongKey, .smuggledPin], "\(report)")
        session.invalidateAndCancel()
    }
    #endif
}
