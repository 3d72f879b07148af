import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Checks each cell of the table of fetched revocation lists in docs/trust-matrix.md.
@Suite("Revocation list matrix")
struct RevocationListMatrixTests {
    struct Setup {
        var fixture: RevocationScene
        var requester: ScriptedLists
        /// The list that the server was evaluated with once before.
        var earlier: [UInt8]?
    }

    private static let url = RevocationEvaluatorTests.url

    private static func scene() throws -> RevocationScene {
        try RevocationScene { $0.extraExtensions = [.distributionPoints(url)] }
    }

    private static func listing(
        _ change: (inout RevocationListDraft, RevocationScene) throws -> Void = { _, _ in }
    ) throws -> Setup {
        let fixture = try scene()
        var draft = RevocationListDraft(issuer: fixture.issuing)
        try change(&draft, fixture)
        return Setup(fixture: fixture, requester: ScriptedLists([url: try draft.der()]))
    }

    static let rows: [String: @Sendable () throws -> Setup] = [
        "a current list without the certificate": { try listing() },
        "the list contains the certificate": { try listing { $0.revoked = [$1.server] } },
        "the certificate names no distribution point": {
            Setup(fixture: try RevocationScene { $0.extraExtensions = [] }, requester: ScriptedLists([:]))
        },
        "the list cannot be fetched": { Setup(fixture: try scene(), requester: ScriptedLists([:])) },
        "the list expired": { try listing { $0.nextUpdate = $1.now.advanced(bySeconds: -1) } },
        "the list of another distribution point": {
            try listing { draft, _ in draft.scope = .init("http://lists.example/other.crl") }
        },
        "a list of another key of the same name": {
            try listing { draft, scene in
                draft.issuer = try scene.scene.factory.intermediate("Issuing", signedBy: scene.root)
                draft.keyIdentifierOf = draft.issuer
            }
        },
        "a delta list, or a list for some reasons only": { try listing { draft, _ in draft.baseNumber = 1 } },
        "no list, and an earlier one contained the certificate": {
            let fixture = try scene()
            var draft = RevocationListDraft(issuer: fixture.issuing, revoking: [fixture.server])
            draft.nextUpdate = fixture.now
            return Setup(fixture: fixture, requester: ScriptedLists([:]), earlier: try draft.der())
        },
        "a short-lived certificate": {
            let fixture = try RevocationScene {
                $0.notBefore = CertificateFactory.referenceTime.advanced(bySeconds: -60)
                $0.notAfter = CertificateFactory.referenceTime.advanced(bySeconds: 6 * 86_400)
                $0.extraExtensions = [.distributionPoints(url)]
            }
            return Setup(fixture: fixture, requester: ScriptedLists([:]))
        },
    ]

    private static func table() throws -> DocumentTable {
        try DocumentTable(
            header: "| result for the list (no OCSP responder) | hard fail | soft fail |", in: "trust-matrix.md")
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
            let evaluator = RevocationEvaluator(
                lists: setup.requester, ocsp: nil, options: .init(failure: failure, scope: .serverCertificate),
                wait: Wait.forever)
            if let earlier = setup.earlier {
                setup.requester.answers = [Self.url: earlier]
                _ = try await setup.fixture.verdict(evaluator)
                setup.requester.answers = [:]
            }
            let later = setup.fixture.now.advanced(bySeconds: setup.earlier == nil ? 0 : 60)
            let verdict = try await setup.fixture.verdict(evaluator, at: later)
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
