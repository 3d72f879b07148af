import Foundation
@testable import HoldfastDifferential
import HoldfastTestSupport
import HoldfastTrust
import Testing

@Suite("Comparison with other verifiers")
struct DifferentialTests {
    private static let missing: Comment = "python3 has no cryptography 45, or OpenSSL 3 is not installed"

    /// Changes of one byte. Signatures differ in every run, so these cases do not have the same result in every run.
    private static let corruptions: Set<String> = ["corruption", "corrupted", "tampered"]

    private static func references() async -> ReferenceJudges? {
        guard let found = await ReferenceJudges.installed(), found.openssl != nil, found.pyca != nil else { return nil }
        return found
    }

    @Test(
        "Holdfast accepts nothing unexplained that another verifier refuses",
        .enabled(DifferentialTests.missing) { await DifferentialTests.references() != nil },
        .timeLimit(.minutes(2)), arguments: DifferentialKind.allCases)
    func agrees(_ kind: DifferentialKind) async throws {
        let references = try #require(await DifferentialTests.references())
        let report = try await DifferentialRun.run(kind, cases: 250, seed: 1, references)
        #expect(report.cases == 250)
        let unexplained = report.unexplained.filter { Self.corruptions.isDisjoint(with: $0.changes) }
        #expect(unexplained.isEmpty, "\(unexplained)")
        // Both results must occur often enough to mean something.
        #expect(report.accepted > 40 && report.accepted < 210, "\(report.accepted) accepted")
    }

    @Test("the same seed generates the same cases", arguments: DifferentialKind.allCases)
    func repeats(_ kind: DifferentialKind) throws {
        var (one, other) = (try CaseGenerator(kind, seed: 7), try CaseGenerator(kind, seed: 7))
        for _ in 0..<20 {
            let (first, second) = (try one.next(), try other.next())
            #expect(first.changes == second.changes && first.host == second.host && first.time == second.time)
            guard Self.corruptions.isDisjoint(with: first.changes) else { continue }
            #expect(try HoldfastJudge.judge(first).code == HoldfastJudge.judge(second).code)
        }
    }

    @Test("an accepted case that no class explains is a failure")
    func unexplained() {
        var report = DifferentialReport()
        report.add(
            Disagreement(
                .chains, number: 3, changes: ["leafSigner"], reference: "openssl",
                reason: "7: certificate signature failure", code: "validPath"))
        #expect(!report.isClean && report.unexplained.map(\.number) == [3])
        #expect(report.description.contains("1  not explained"))
    }

    @Test("an anchored leaf is explained only if a reference accepts it without its issuers")
    func simplified() throws {
        let leaf: [UInt8] = [1]
        let item = DifferentialCase(
            .chains, number: 0, changes: ["brokenSignature", "anchoredLeaf"], anchors: [[3], leaf],
            chain: [leaf, [2]], host: "chat.example.com", time: Timestamp(secondsSince1970: 0))
        let refusals: ReferenceJudges.Reasons = ["openssl": "7: certificate signature failure", "pyca": "invalid"]
        var report = DifferentialReport()
        let question = try #require(report.question(item, isAccepted: true, refusals))
        #expect(question.chain == [leaf] && question.anchors == [leaf] && question.endsAtAnyAnchor)
        #expect(report.question(item, isAccepted: false, refusals) == nil)
        report.add(item, code: "validPath", isAccepted: true, refusals, simplified: ["openssl": nil, "pyca": "no"])
        #expect(report.isClean && report.explained == ["anchored leaf": 2])
        report.add(item, code: "validPath", isAccepted: true, refusals, simplified: ["openssl": "10", "pyca": "no"])
        #expect(!report.isClean && report.unexplainedCount == 2)
        var twice = item
        twice.changes.append("lastSecond")
        report = DifferentialReport()
        report.add(
            twice, code: "validPath", isAccepted: true, refusals,
            simplified: ["openssl": "10: certificate has expired", "pyca": "no"])
        #expect(report.isClean && report.explained == ["anchored leaf": 2])
    }

    @Test("a corrupted list is explained only if a reference accepts the other lists")
    func corruptedList() throws {
        var item = DifferentialCase(
            .lists, number: 0, changes: ["corrupted"], anchors: [[1]], chain: [[2]], host: "chat.example.com",
            time: Timestamp(secondsSince1970: 0))
        item.lists = [[1], [2], [3]]
        #expect(item.simplified == nil)
        item.corruptedList = 1
        let rest = try #require(item.simplified?.rest)
        #expect(rest.lists == [[1], [3]] && rest.simplified == nil)
    }

    @Test("a corrupted certificate is explained only if a reference accepts the other certificates")
    func corruptedCertificate() throws {
        var item = DifferentialCase(
            .chains, number: 0, changes: ["corruption"], anchors: [[1]], chain: [[2], [3], [4]],
            host: "chat.example.com", time: Timestamp(secondsSince1970: 0))
        #expect(item.simplified == nil)
        item.corruptedCertificate = 2
        let rest = try #require(item.simplified?.rest)
        #expect(rest.chain == [[2], [3]] && rest.simplified == nil)
        // Each path begins with the server's certificate.
        item.corruptedCertificate = 0
        #expect(item.simplified == nil)
    }

    @Test("the document argues each class")
    func documented() throws {
        let text = try String(
            contentsOfFile: Repository.path("docs/internals/x509-conformance.md"), encoding: .utf8)
        let names = AcceptedClass.all.map(\.name) + StricterClass.all.map(\.name)
        for name in names + ["anchored leaf", "corrupted certificate", "corrupted list"] {
            #expect(text.contains("| \(name) |"), "\(name) has no row")
        }
        #expect(!AcceptedClass.all.isEmpty)
    }
}
