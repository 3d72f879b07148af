import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Checks each cell of the table of revocation in docs/trust-matrix.md.
@Suite("Revocation matrix")
struct RevocationMatrixTests {
    struct Setup {
        var fixture: RevocationScene
        var requester: any OCSPRequester
        var wait = Wait.forever
        /// Whether the server was evaluated once before.
        var wasJudged = false
    }

    private static let down = ScriptedRequester { _, _ in throw ScriptedRequester.Failure() }

    private static func answering(_ change: (inout OCSPResponder) -> Void = { _ in }) throws -> Setup {
        let fixture = try RevocationScene()
        return Setup(fixture: fixture, requester: ScriptedRequester(fixture.responder(change), about: fixture.server))
    }

    static let rows: [String: @Sendable () throws -> Setup] = [
        "the answer says that the certificate is good": { try answering() },
        "the answer says that it was revoked": {
            try answering { $0.status = .revoked(CertificateFactory.referenceTime) }
        },
        "the responder does not know it": { try answering { $0.status = .unknown } },
        "the certificate names no responder": {
            Setup(fixture: try RevocationScene { $0.extraExtensions = [] }, requester: down)
        },
        "the responder cannot be reached": { Setup(fixture: try RevocationScene(), requester: down) },
        "no answer in time": {
            let silent = ScriptedRequester { _, _ in
                try await Wait.forever(.zero)
                throw ScriptedRequester.Failure()
            }
            return Setup(fixture: try RevocationScene(), requester: silent, wait: Wait.notAtAll)
        },
        "an answer that does not verify": { try answering { $0.breaksSignature = true } },
        "no answer, and an earlier one said that it was revoked": {
            let fixture = try RevocationScene()
            let revoked = try fixture.responder {
                $0.status = .revoked(CertificateFactory.referenceTime)
                $0.nextUpdate = nil
            }.response(about: fixture.server)
            return Setup(fixture: fixture, requester: ScriptedRequester.once(revoked), wasJudged: true)
        },
        "no answer, and the certificate is must-staple": {
            let fixture = try RevocationScene {
                $0.extraExtensions = [.ocspResponders(RevocationScene.url), .mustStaple]
            }
            return Setup(fixture: fixture, requester: down)
        },
    ]

    private static func table() throws -> DocumentTable {
        try DocumentTable(header: "| result of the OCSP request | hard fail | soft fail |", in: "trust-matrix.md")
    }

    @Test("the document and the test have the same rows")
    func sameRows() throws {
        #expect(try Set(Self.table().names) == Set(Self.rows.keys))
    }

    @Test("each cell states the actual behavior", arguments: rows.keys.sorted())
    func cells(name: String) async throws {
        let cells = try Self.table().cells(name)
        for (failure, cell) in zip([OCSPOptions.Failure.hard, .soft], cells) {
            let make = try #require(Self.rows[name])
            let setup = try make()
            let evaluator = OCSPRevocationEvaluator(
                requester: setup.requester, options: OCSPOptions(failure: failure, scope: .serverCertificate),
                wait: setup.wait)
            if setup.wasJudged { _ = try await setup.fixture.verdict(evaluator) }
            let verdict = try await setup.fixture.verdict(evaluator)
            #expect(verdict.permitsConnection == cell.hasPrefix("connects"), "\(failure): \(verdict)")
            let code = DocumentTable.code(in: cell)
            if cell.hasPrefix("refuses") {
                #expect(verdict.finding.code.rawValue == code, "\(failure): \(verdict)")
            } else {
                #expect(verdict.notices.map(\.code.rawValue) == [code].compactMap { $0 }, "\(failure): \(verdict)")
            }
        }
    }
}
