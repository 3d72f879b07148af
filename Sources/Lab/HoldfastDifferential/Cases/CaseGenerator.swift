import HoldfastTrust
import HoldfastTestSupport

/// Generates cases from a seed. The same seed generates the same cases, with other keys.
package struct CaseGenerator {
    let kind: DifferentialKind
    var world: CaseWorld
    private var count = 0
    private var timestamps: TimestampCases?
    /// The number of generated certificates that the factory could not mint, because Holdfast cannot read them.
    package private(set) var unreadable = 0

    /// Creates a generator.
    package init(_ kind: DifferentialKind, seed: UInt64) throws {
        self.kind = kind
        world = try CaseWorld(seed: seed)
        if kind == .timestamps { timestamps = try TimestampCases(&world) }
    }

    /// Returns the next case.
    package mutating func next() throws -> DifferentialCase {
        while true {
            do {
                let made: DifferentialCase
                switch kind {
                case .chains: made = try chain()
                case .policies: made = try PolicyCases.make(count, &world)
                case .lists: made = try ListCases.make(count, &world)
                case .timestamps:
                    guard let timestamps else { throw CertificateFactoryError.notAnAddress("") }
                    made = try timestamps.make(count, &world)
                }
                count += 1
                return made
            } catch is CertificateError {
                unreadable += 1
            }
        }
    }

    private mutating func chain() throws -> DifferentialCase {
        var plan = ChainPlan(&world)
        var changes: [String] = []
        for _ in 0..<world.pick([0, 1, 1, 1, 1, 2, 2, 3]) {
            let change = world.pick(ChainChange.allCases)
            try change.apply(to: &plan, &world)
            changes.append(change.rawValue)
        }
        let (anchors, chain) = try plan.minted(&world)
        return DifferentialCase(
            kind, number: count, changes: changes + plan.facts, anchors: anchors, chain: chain, host: plan.host,
            time: plan.time)
    }
}
