import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// Metrics of dials, handshakes, verifications and proxies.
@Suite(.timeLimit(.minutes(1))) struct DialMetricsTests {
    private let observed = Observed()
    private let world: PinnedWorld

    init() throws {
        world = try PinnedWorld()
    }

    @Test func aConnectionWithAllItsPhases() async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("x")]
        } _: { server in
            // One trust context, so that the connections share a cache of verdicts.
            let trust = world.trust
            for round in 1...2 {
                let client = observed.client(world.configuration(trust: trust))
                for _ in 0..<3 { _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9) }
                #expect(observed.level("holdfast.connections") == 1)
                await client.shutdown()
                #expect(observed.level("holdfast.connections") == 0)
                #expect(observed.count("holdfast.dial.duration", [("via", "direct"), ("outcome", "ok")]) == round)
                #expect(observed.count("holdfast.connect.duration", [("outcome", "ok")]) == round)
                #expect(
                    observed.count("holdfast.tls.handshake.duration", [("peer", "server"), ("outcome", "ok")]) == round)
                #expect(
                    observed.total("holdfast.verdicts", [("decision", "allow"), ("finding", "validPath")]) == round)
            }
            #expect(observed.count("holdfast.verification.duration", [("cache", "miss")]) == 1)
            #expect(observed.count("holdfast.verification.duration", [("cache", "hit")]) == 1)
        }
    }

    @Test func aRefusedServer() async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.rogue)) { _ in
            [.respond()]
        } _: { server in
            let client = observed.client(world.configuration())
            _ = try? await client.collect(HTTPRequest(port: server.port), upTo: 9)
            #expect(observed.count("holdfast.dial.duration", [("outcome", "trustRefused")]) == 1)
            #expect(observed.count("holdfast.tls.handshake.duration", [("outcome", "refused")]) == 1)
            #expect(
                observed.total("holdfast.verdicts", [("decision", "block"), ("finding", "unknownIssuer")]) == 1)
            #expect(observed.count("holdfast.request.duration", [("outcome", "trustRefused")]) == 1)
            #expect(observed.level("holdfast.connections") == 0)
        }
    }

    /// A pin mismatch in report-only mode is counted on every connection, also when the verdict is cached.
    @Test func aReportOnlyMismatch() async throws {
        let rule = try PinningRule(
            HostPattern(PinnedWorld.host), pins: PinSet([Pin(world.rogue.spkiDigest)]), enforcement: .reportOnly)
        let trust = TrustContext.policy(
            try PinningPolicy(name: "rehearsal", rules: [rule], backupPins: .off), anchors: .only([world.root.view]))
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond()]
        } _: { server in
            for round in 1...2 {
                let client = observed.client(world.configuration(trust: trust))
                _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
                #expect(
                    observed.total("holdfast.verdicts", [("decision", "allow"), ("finding", "pinMismatch")]) == round)
                await client.shutdown()
            }
        }
    }

    /// The certificate is expired and belongs to a different host. One finding decides, the other is reported in
    /// addition.
    @Test func additionalFindings() async throws {
        var expired = CertificateOptions()
        expired.notBefore = world.factory.now.advanced(bySeconds: -90 * 86_400)
        expired.notAfter = world.factory.now.advanced(bySeconds: -86_400)
        let leaf = try world.factory.leaf(["other.example.com"], signedBy: world.intermediate, expired)
        try await ScriptedServer.with(tls: ServerTLS(leaf)) { _ in
            [.respond()]
        } _: { server in
            _ = try? await observed.client(world.configuration()).collect(HTTPRequest(port: server.port), upTo: 9)
            #expect(observed.total("holdfast.verdicts", [("decision", "block")]) == 1)
            #expect(observed.total("holdfast.verdict.notices") == 1)
        }
    }

    @Test func aServerWithoutTLS() async throws {
        var settings = ScriptedServer.Settings()
        settings.onConnect = [.text("SSH-2.0-OpenSSH_9.6p1\n"), .close]
        settings.readsRequests = false
        try await ScriptedServer.with(settings) { server in
            let client = observed.client(world.configuration())
            _ = try? await client.collect(HTTPRequest(port: server.port), upTo: 9)
            #expect(observed.count("holdfast.tls.handshake.duration", [("outcome", "notTLS")]) == 1)
            #expect(observed.count("holdfast.dial.duration", [("outcome", "tlsHandshakeFailed")]) == 1)
            #expect(observed.total("holdfast.verdicts") == 0)
        }
    }

    @Test func aPortWithoutAListener() async throws {
        let client = observed.client(.forPlainServers)
        try await RefusingPort.with { _ = try? await client.collect(.plain(port: $0), upTo: 9) }
        #expect(observed.count("holdfast.connect.duration", [("outcome", "connectionRefused")]) == 1)
        #expect(observed.count("holdfast.dial.duration", [("outcome", "connectionRefused")]) == 1)
    }

    @Test func proxies() async throws {
        let proxyLeaf = try world.factory.leaf(["proxy.example.net"], signedBy: world.root)
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond()]
        } _: { server in
            for answer in ["200 OK", "407 No"] {
                let steps: [ScriptedProxyStep] = [
                    .awaitHead, .text("HTTP/1.1 \(answer)\r\n\r\n"), .tunnel(to: server.port),
                ]
                try await ScriptedProxy.with(tls: ServerTLS(proxyLeaf), steps) { proxy in
                    var configuration = world.configuration()
                    configuration.hostOverrides = ["proxy.example.net": "127.0.0.1"]
                    configuration.proxies = .server(
                        try ProxyServer(.https, host: CanonicalHost("proxy.example.net"), port: proxy.port))
                    configuration.proxyAnchors = .only([world.root.view])
                    let client = observed.client(configuration)
                    _ = try? await client.collect(HTTPRequest(port: 8443), upTo: 9)
                    await client.shutdown()
                }
            }
            #expect(observed.count("holdfast.proxy.duration", [("via", "https"), ("outcome", "ok")]) == 1)
            #expect(observed.count("holdfast.proxy.duration", [("via", "https"), ("outcome", "authentication")]) == 1)
            #expect(observed.count("holdfast.dial.duration", [("via", "https"), ("outcome", "proxyFailed")]) == 1)
            #expect(observed.count("holdfast.tls.handshake.duration", [("peer", "proxy"), ("outcome", "ok")]) == 2)
            #expect(observed.count("holdfast.tls.handshake.duration", [("peer", "server"), ("outcome", "ok")]) == 1)
            #expect(observed.total("holdfast.verdicts", [("peer", "proxy"), ("decision", "allow")]) == 2)
        }
    }

    @Test func aConnectionThatAChangedPolicyCloses() async throws {
        func policy(_ identity: Identity) throws -> PinningPolicy {
            let pins = PinSet([Pin(identity.spkiDigest)])
            return try PinningPolicy(
                name: "pins", rules: [PinningRule(HostPattern(PinnedWorld.host), pins: pins)], backupPins: .off)
        }
        let holder = PolicyHolder(try policy(world.leaf))
        let next = try policy(world.rogue)
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond()]
        } _: { server in
            let trust = TrustContext.policies(holder, anchors: .only([world.root.view]))
            let client = observed.client(world.configuration(trust: trust))
            _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            #expect(observed.total("holdfast.verdicts", [("finding", "pinMatched")]) == 1)
            holder.replace(with: next)
            await client.untilAllAreClosed()
            // The event loop counts it when it closes it, shortly after its removal from the ledger.
            await observed.untilCounted("holdfast.connections.cut")
            #expect(observed.total("holdfast.connections.cut") == 1)
        }
    }
}
