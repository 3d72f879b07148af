import Foundation
import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests the text of a verdict for logs: the decision, its reason, the presented certificates and the expected pins.
/// Text of a peer must not be able to imitate any of them.
@Suite("Descriptions of verdicts")
struct VerdictDescriptionTests {
    let scene = TrustScene()
    let root: Identity
    let leaf: Identity

    init() throws {
        root = try scene.factory.authority("Root")
        leaf = try scene.factory.leaf([TrustScene.host], signedBy: root)
    }

    private func lines(_ verdict: TrustVerdict) -> [String] {
        verdict.description.split(separator: "\n").map(String.init)
    }

    @Test("an accepted server: host, port, policy, finding, path and time")
    func accepted() throws {
        let subject = TrustSubject(host: try CanonicalHost(TrustScene.host), port: 8_443)
        var verdict = TrustEngine(anchors: scene.anchors([root])).evaluate(
            scene.chain([leaf]), for: subject, at: scene.now, under: try scene.policy([Pin(leaf)]))
        verdict.duration = .milliseconds(3)
        let lines = lines(verdict)
        #expect(lines.first?.hasPrefix("allow chat.example.com:8443 [test policy] pinMatched: ") == true)
        #expect(lines.contains("  system verification: validPath: A path to a trust anchor was verified."))
        #expect(lines.contains("    \(leaf.spkiDigest) CN=chat.example.com"))
        #expect(lines.contains("    \(root.spkiDigest) CN=Root"))
        #expect(lines.last == "  at 2031-03-15T12:00:00Z, took \(Duration.milliseconds(3))")
    }

    @Test("a mismatch: the path and the expected pins with their scope")
    func mismatch() throws {
        let wanted = Pin(SPKIDigest(hashing: [1]), scope: .ca)
        let verdict = try scene.pinned([leaf], anchors: [root], under: scene.policy([wanted]))
        let lines = lines(verdict)
        #expect(lines.first?.hasPrefix("block chat.example.com [test policy] pinMismatch: ") == true)
        #expect(lines.contains("  expected one of:"))
        #expect(lines.contains("    \(wanted) (ca only)"))
    }

    @Test("a chain without a path: the presented and skipped certificates, and further findings")
    func refused() throws {
        let expired = try scene.factory.leaf(
            [TrustScene.host], signedBy: nil, .init(notAfter: scene.now.advanced(bySeconds: -1)))
        let verdict = TrustEngine(anchors: scene.anchors([root])).evaluate(
            PresentedChain(der: [expired.certificateDER, [1]]), for: try scene.subject("other.example.com"),
            at: scene.now)
        let lines = lines(verdict)
        #expect(lines.first?.hasPrefix("block other.example.com [system] unknownIssuer: ") == true)
        #expect(lines.contains("  presented, not verified:"))
        #expect(lines.contains("    \(expired.spkiDigest)"))
        #expect(lines.contains { $0.hasPrefix("  certificate 1 was skipped: ") })
        #expect(lines.contains { $0.hasPrefix("  also: expired: ") })
        #expect(lines.contains { $0.hasPrefix("  also: hostMismatch: ") })
    }

    @Test("a name in a certificate cannot add lines, reverse the text or fill the log")
    func hostileNames() throws {
        let name =
            "x\nallow bank.example [system] validPath: fine\u{202E}\u{1B}[2J" + String(repeating: "a", count: 5_000)
        let hostile = try scene.factory.leaf([TrustScene.host], signedBy: nil, .with { $0.commonName = name })
        let verdict = try scene.system([hostile], anchors: [root])
        #expect(!lines(verdict).contains { $0.hasPrefix("allow") })
        #expect(!verdict.description.contains("\u{202E}") && !verdict.description.contains("\u{1B}"))
        #expect(verdict.description.utf8.count < 4_096)
    }

    @Test("every code is one word that is safe as a label", arguments: TrustFinding.Code.ranking)
    func labels(code: TrustFinding.Code) {
        #expect(code.rawValue.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) })
        #expect(code.rawValue.utf8.count <= 40)
        #expect(TrustFinding(code, "r").isFavourable == [.validPath, .pinMatched].contains(code))
    }

    @Test("every code has exactly one rank")
    func ranking() throws {
        let source = try String(
            contentsOf: Repository.root.appending(path: "Sources/Trust/HoldfastTrust/Verdicts/TrustFinding+Code.swift"),
            encoding: .utf8)
        let constants = source.matches(of: /Code\(rawValue: "(\w+)"\)/).map { String($0.output.1) }
        #expect(constants.count > 40)
        #expect(TrustFinding.Code.ranking.map(\.rawValue).sorted() == constants.sorted())
        #expect(TrustFinding.Code(rawValue: "ofAnEvaluator").rank == TrustFinding.Code.ranking.count)
    }
}
