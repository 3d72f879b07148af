import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Shared support for the tests of certificate transparency: an authority, four logs of three operators, and a policy.
struct TransparencyScene {
    let scene = TrustScene()
    let root: Identity
    let issuing: Identity
    let oak: TestLog
    let elm: TestLog
    let ash: TestLog
    /// A log of the operator of `oak`.
    let fir: TestLog

    init() throws {
        root = try scene.factory.authority("Root")
        issuing = try scene.factory.intermediate("Issuing", signedBy: root)
        oak = try TestLog("oak", operator: "Alpha")
        elm = try TestLog("elm", operator: "Beta")
        ash = try TestLog("ash", operator: "Gamma")
        fir = try TestLog("fir", operator: "Alpha")
    }

    var now: Timestamp { scene.now }
    var all: [TestLog] { [oak, elm, ash, fir] }

    /// Returns a server's certificate with timestamps. It is valid for 91 days by default.
    func server(
        _ logs: [TestLog], days: Int64 = 90, at time: Timestamp? = nil, issuerKeyHash: [UInt8]? = nil,
        change: (inout [[UInt8]]) throws -> Void = { _ in }
    ) throws -> Identity {
        try scene.factory.loggedLeaf(
            [TrustScene.host], signedBy: issuing, .init(notAfter: now.advanced(bySeconds: days * 86_400)), logs: logs,
            at: time, issuerKeyHash: issuerKeyHash, change: change)
    }

    func policy(
        _ requirement: TransparencyRequirement = .chrome, anchors: LocalAnchors? = nil
    ) throws -> PinningPolicy {
        try PinningPolicy(
            name: "transparency",
            rules: [
                .requiringTransparency(HostPattern(try CanonicalHost(TrustScene.host), depth: .exact), requirement)
            ],
            anchors: anchors)
    }

    /// Evaluates a server under a policy that requires timestamps.
    func verdict(
        on server: Identity, _ requirement: TransparencyRequirement = .chrome, logs: [TestLog]? = nil,
        at time: Timestamp? = nil
    ) throws -> TrustVerdict {
        try verdict(on: server, requirement, TestLog.logs(logs ?? all), at: time)
    }

    func verdict(
        on server: Identity, _ requirement: TransparencyRequirement = .chrome, _ logs: TransparencyLogs?,
        at time: Timestamp? = nil
    ) throws -> TrustVerdict {
        try TrustEngine(anchors: .only([root.view]), transparencyLogs: logs).evaluate(
            PresentedChain([server.view, issuing.view]), for: scene.subject(), at: time ?? now,
            under: policy(requirement))
    }
}

/// Expects that the certificate has too few timestamps, and that this notice explains a missing one.
func expectMissing(
    _ notice: TrustFinding.Code, valid: Int, _ verdict: TrustVerdict, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(verdict.decision == .block, "\(verdict)", sourceLocation: sourceLocation)
    #expect(verdict.finding.code == .sctsMissing, "\(verdict)", sourceLocation: sourceLocation)
    #expect(verdict.finding.facts.validTimestamps == valid, "\(verdict)", sourceLocation: sourceLocation)
    #expect(verdict.notices.map(\.code) == [notice], "\(verdict)", sourceLocation: sourceLocation)
}
