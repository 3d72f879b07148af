import HoldfastTrust
import HoldfastTestSupport

/// Generates cases from a seed. The same seed generates the same cases, with other keys.
package struct CaseGenerator {
    var world: CaseWorld
    private var count = 0
    private let make: (Int, inout CaseWorld) throws -> DifferentialCase
    /// The number of generated certificates that the factory could not mint, because Holdfast cannot read them.
    package private(set) var unreadable = 0

    /// Creates a generator.
    package init(_ kind: DifferentialKind, seed: UInt64) throws {
        world = try CaseWorld(seed: seed)
        make =
            switch kind {
            case .chains: CaseGenerator.chain
            case .policies: PolicyCases.make
            case .lists: ListCases.make
            case .timestamps: try TimestampCases(&world).make
            }
    }

    /// Returns the next case.
    package mutating func next() throws -> DifferentialCase {
        while true {
            do {
                let made = try make(count, &world)
                count += 1
                return made
            } catch is CertificateError {
                unreadable += 1
            }
        }
    }

    private static func chain(_ number: Int, _ world: inout CaseWorld) throws -> DifferentialCase {
        var plan = ChainPlan(&world)
        var changes: [String] = []
        for _ in 0..<world.pick([0, 1, 1, 1, 1, 2, 2, 3]) {
            let change = world.pick(ChainChange.allCases)
            try change.apply(to: &plan, &world)
            changes.append(change.rawValue)
        }
        let minted = try plan.minted(&world)
        var made = DifferentialCase(
            .chains, number: number, changes: changes + plan.facts, anchors: minted.anchors, chain: minted.chain,
            host: plan.host, time: plan.time)
        made.corruptedCertificate = minted.corrupted
        return made
    }
}
