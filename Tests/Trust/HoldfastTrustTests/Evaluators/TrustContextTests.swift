import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

@Suite("Trust contexts")
struct TrustContextTests {
    let fixture: EvaluatorScene

    init() throws {
        fixture = try EvaluatorScene()
    }

    private func judge(
        _ context: TrustContext, _ presented: [Identity]? = nil, host: String = TrustScene.host
    ) async throws -> TrustVerdict {
        await context.judge(
            fixture.scene.chain(presented ?? [fixture.server]), for: try fixture.scene.subject(host),
            at: fixture.scene.now
        ).verdict()
    }

    @Test("a table compares canonical hosts exactly")
    func table() async throws {
        let context = TrustContext.evaluators(
            ["CHAT.example.COM.": fixture.wronglyPinned], anchors: fixture.scene.anchors([fixture.root]))
        #expect(try await judge(context).finding.code == .pinMismatch)
        let below = try await judge(context, host: "www.chat.example.com")
        #expect(below.finding.code == .hostMismatch, "a subdomain needs its own entry")
    }

    @Test("an unlisted host uses system verification")
    func unlisted() async throws {
        let context = TrustContext.evaluators(
            ["other.example.com": fixture.wronglyPinned], anchors: fixture.scene.anchors([fixture.root]))
        #expect(try await judge(context).finding.code == .validPath)
        #expect(try await judge(context, [fixture.stranger]).finding.code == .unknownIssuer)
    }

    @Test(
        "an invalid table refuses every connection, including unlisted hosts",
        arguments: [["a..b"], ["chat.example.com", "CHAT.EXAMPLE.COM"], [""]])
    func unusableTable(keys: [String]) async throws {
        let table = Dictionary(uniqueKeysWithValues: keys.map { ($0, DangerouslyAcceptAnyCertificate()) })
        let context = TrustContext.evaluators(table, anchors: fixture.scene.anchors([fixture.root]))
        for host in [TrustScene.host, "unlisted.example.org"] {
            expectOnly(.invalidConfiguration, try await judge(context, host: host))
        }
    }

    @Test("pinned keys only checks only the keys and the links")
    func pinnedKeysOnly() async throws {
        let context = TrustContext.pinnedKeysOnly(PinnedKeysOnly(certificates: [fixture.stranger.view]))
        #expect(try await judge(context, [fixture.stranger]).decision == .allow)
        #expect(try await judge(context).finding.code == .pinMismatch)
    }

    @Test("disabled pinning uses system verification, and every verdict contains the reason")
    func disabled() async throws {
        let context = TrustContext.policy(
            .disabled(reason: "ticket 17"), anchors: fixture.scene.anchors([fixture.root]))
        let verdict = try await judge(context)
        #expect(verdict.decision == .notPinned && verdict.permitsConnection)
        #expect(verdict.finding.code == .pinningDisabled)
        #expect(verdict.description.contains("ticket 17"))
        #expect(try await !judge(context, [fixture.stranger]).permitsConnection)
    }

    @Test("accepts any certificate only with the explicitly named option")
    func acceptAny() async throws {
        let verdict = try await judge(.dangerouslyAcceptAnyCertificate(), [fixture.stranger])
        #expect(verdict.decision == .allow && verdict.finding.code == .anyCertificateAccepted)
    }
}
