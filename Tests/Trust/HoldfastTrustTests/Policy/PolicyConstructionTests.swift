import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests the strict rules of Holdfast's own policies, and the named options that relax them.
@Suite("Construction of policies")
struct PolicyConstructionTests {
    let scene = TrustScene()
    let root: Identity
    let server: Identity

    init() throws {
        root = try scene.factory.authority("Root")
        server = try scene.factory.leaf([TrustScene.host], signedBy: root)
    }

    private func problems(_ pins: [Pin], _ backups: BackupPins, reportOnly: Bool = false) throws -> Int {
        var rule = PinningRule(host: try CanonicalHost(TrustScene.host), pins: PinSet(pins))
        if reportOnly { rule.enforcement = .reportOnly }
        do throws(PolicyError) {
            let policy = try PinningPolicy(name: "p", rules: [rule], backupPins: backups)
            return -policy.warnings.count
        } catch {
            return error.problems.count
        }
    }

    @Test("backup pins are required, recommended or optional")
    func backupPins() throws {
        let one = [Pin(SPKIDigest(hashing: [1]))]
        let two = one + [Pin(SPKIDigest(hashing: [2]))]
        #expect(try problems(one, .required(2)) == 1)
        #expect(try problems(two, .required(2)) == 0)
        #expect(try problems(two, .required(3)) == 1)
        #expect(try problems(one, .required(2), reportOnly: true) == 0, "a report-only rule cannot block a connection")
        #expect(try problems(one, .warn) == -1, "a warning, but a valid policy")
        #expect(try problems(one, .off) == 0)
        // One key in two scopes or two domains is one key.
        let same = one + [Pin(SPKIDigest(hashing: [1]), scope: .ca), Pin(RawKeyDigest(hashing: [1]))]
        #expect(try problems(same, .required(2)) == 1)
        #expect(try problems([], .off) == 1, "an empty set is never valid in Holdfast's own format")
    }

    @Test(
        "pins for local anchors are enforced, bypassed, or bypassed with a notice",
        arguments: LocalAnchors.Pinning.allCases)
    func localAnchors(pinning: LocalAnchors.Pinning) throws {
        let box = try scene.factory.authority("Inspection box")
        let inspected = try scene.factory.leaf([TrustScene.host], signedBy: box)
        var rule = PinningRule(host: try CanonicalHost(TrustScene.host), pins: PinSet([Pin(server)]))
        rule.enforcement = .enforce
        let policy = try PinningPolicy(
            name: "p", rules: [rule], anchors: LocalAnchors([box.view], pinning: pinning), backupPins: .off)
        let verdict = try scene.pinned([inspected], anchors: [root], under: policy)
        switch pinning {
        case .enforced: expectOnly(.pinMismatch, verdict)
        case .dangerouslyBypassed:
            #expect(verdict.decision == .allow && verdict.finding.code == .pinsBypassed && verdict.notices.isEmpty)
        case .dangerouslyBypassedAndReported:
            #expect(verdict.decision == .allow && verdict.notices.map(\.code) == [.pinsBypassed])
        }
        // In all three modes, the pins apply to a path that avoids the local anchor.
        #expect(try scene.pinned([server], anchors: [root], under: policy).finding.code == .pinMatched)
        #expect(LocalAnchors([box.view]).pinning == .enforced, "the default")
    }

    @Test("a cached verdict keeps its notices of a report-only mismatch and of a bypass")
    func rememberedNotices() throws {
        let policy = try scene.policy([Pin(SPKIDigest(hashing: [1]))]) { $0.enforcement = .reportOnly }
        let context = TrustContext.policy(policy, anchors: scene.anchors([root]))
        let subject = try scene.subject()
        _ = context.judge(scene.chain([server]), for: subject, at: scene.now)
        let remembered = try #require(
            context.cachedVerdict(on: [server.certificateDER], for: subject, at: scene.now))
        #expect(remembered.isFromCache && remembered.finding.code == .pinMismatch && remembered.permitsConnection)
        #expect(PinFailureReport(remembered) != nil)
    }
}
