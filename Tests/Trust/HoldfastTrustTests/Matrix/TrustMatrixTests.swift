import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Checks each cell of the table in docs/trust-matrix.md.
@Suite("Trust matrix")
struct TrustMatrixTests {
    /// Creates the configuration of a row. `matches` states whether the pins match the server.
    typealias Row = @Sendable (_ world: MatrixWorld, _ matches: Bool) throws -> TrustContext

    static let rows: [String: Row] = [
        "`.system()`": { world, _ in .system(anchors: world.anchors) },
        "`.system(anchors: .only(…))`": { world, _ in .system(anchors: world.anchors) },
        "`.policy(_:)`, host has a rule": { world, matches in
            try world.policy(matches ? world.serverPin : world.nobody)
        },
        "… rule is report-only": { world, matches in
            try world.policy(matches ? world.serverPin : world.nobody) { $0.enforcement = .reportOnly }
        },
        "… rule has expired or excludes the host, or there is none, or pinning is disabled": { world, matches in
            matches
                ? try world.policy(world.nobody) { $0.expires = world.scene.now }
                : .policy(.disabled(reason: "test"), anchors: world.anchors)
        },
        "… and the policy refuses hosts without a rule": { world, _ in
            .policy(
                try PinningPolicy(name: "matrix", rules: [], requiresRuleForEveryHost: true), anchors: world.anchors)
        },
        "… and a key on the path is denied": { world, matches in
            try world.policy(world.serverPin, denied: matches ? [] : [Pin(world.root)]) {
                $0.enforcement = .reportOnly
            }
        },
        "… and the path ends in a local anchor for which pins are bypassed": { world, matches in
            try world.policy(
                matches ? world.serverPin : world.nobody, local: .dangerouslyBypassingPins([world.root.view]))
        },
        "`.evaluators(_:)`, host is listed": { world, matches in
            world.evaluators(world.keyPins(matches ? world.serverPin : world.nobody))
        },
        "… host is not listed": { world, _ in
            world.evaluators(world.keyPins(world.nobody), host: "unrelated.example.org")
        },
        "`.evaluators(_:)`, a custom evaluator": { world, matches in
            world.evaluators(ClosureEvaluator { _, _ in if !matches { throw CompositeEvaluatorTests.Refusal() } })
        },
        "… inside `DangerouslyReplacingSystemTrust`": { world, matches in
            world.evaluators(
                DangerouslyReplacingSystemTrust(
                    ClosureEvaluator { _, _ in if !matches { throw CompositeEvaluatorTests.Refusal() } }))
        },
        "`.pinnedKeysOnly(_:)`, match on the server's own key": { world, matches in
            .pinnedKeysOnly(PinnedKeysOnly(certificates: [], pins: [matches ? world.serverPin : world.nobody]))
        },
        "`.pinnedKeysOnly(_:)`, match on a CA's key": { world, matches in
            let authority = matches ? world.root : try world.scene.factory.authority("Nobody's")
            return .pinnedKeysOnly(PinnedKeysOnly(certificates: [authority.view]))
        },
        "`.dangerouslyAcceptAnyCertificate()`": { _, _ in .dangerouslyAcceptAnyCertificate() },
    ]

    private static func table() throws -> DocumentTable {
        try DocumentTable(
            header:
                "| configuration | path to an anchor | dates | host name | `serverAuth` | pins | what a mismatch "
                + "does |",
            in: "trust-matrix.md")
    }

    @Test("the document and the test have the same rows")
    func sameRows() throws {
        #expect(try Set(Self.table().names) == Set(Self.rows.keys))
        #expect(try Self.table().names.count == Self.rows.count, "a row must occur only once")
    }

    @Test("each cell states the actual behavior", arguments: rows.keys.sorted())
    func cells(name: String) async throws {
        let world = try MatrixWorld()
        let make = try #require(Self.rows[name])
        let cells = try Self.table().cells(name)
        try #require(cells.count == 6)
        let context = try make(world, true)
        let refusesAlways = cells[0].isEmpty
        #expect(try await world.verdict(context, world.sound).permitsConnection == !refusesAlways)

        let probes = [world.strangers, world.expired, world.otherHost, world.clientOnly]
        for (cell, probe) in zip(cells, probes) where !cell.isEmpty {
            let isChecked = !cell.hasPrefix("no")
            let verdict = try await world.verdict(context, probe)
            #expect(verdict.permitsConnection == !isChecked, "\(cell): \(verdict)")
        }

        let mismatch = try await world.verdict(make(world, false), world.sound)
        let says = [mismatch.finding.code.rawValue] + mismatch.notices.map(\.code.rawValue)
        switch cells[5] {
        case "": #expect(mismatch.permitsConnection, "\(mismatch)")
        case let cell where cell.hasPrefix("refuses"): #expect(!mismatch.permitsConnection, "\(mismatch)")
        case let cell:
            #expect(cell.hasPrefix("connects") && mismatch.permitsConnection, "\(mismatch)")
            #expect(says.contains(try #require(DocumentTable.code(in: cell))), "\(mismatch)")
        }
    }

    @Test("the host name in pinned keys only mode follows the verification setting")
    func hostNameModes() async throws {
        let world = try MatrixWorld()
        func permits(_ pins: PinnedKeysOnly) async throws -> Bool {
            try await world.verdict(.pinnedKeysOnly(pins), world.otherHost).permitsConnection
        }
        let own = PinnedKeysOnly(certificates: [world.sound.view], hostnameVerification: .always)
        #expect(try await !permits(own))
        let authority = PinnedKeysOnly(certificates: [world.root.view], hostnameVerification: .never)
        #expect(try await permits(authority))
    }
}
