import HoldfastTestSupport
import HoldfastFuzzing
import Testing

/// Runs the committed corpus as it is, and after random changes with a fixed seed. The long runs are in `Fuzz/`.
@Suite("Fuzz corpus")
struct CorpusTests {
    private static let changesPerSample = 60

    private static let folder = Repository.path("Fuzz/Corpus")

    @Test("no sample and no changed sample violates a property", arguments: FuzzTarget.allCases)
    func corpus(target: FuzzTarget) throws {
        let samples = try FuzzCorpus.samples(of: target, in: Self.folder)
        #expect(samples.count >= 3)
        var mutator = FuzzMutator(seed: 1)
        for sample in samples {
            try run(target, sample.bytes, sample.name)
            for change in 0..<Self.changesPerSample {
                let bytes = mutator.mutate(sample.bytes, others: samples.map(\.bytes))
                try run(target, bytes, "\(sample.name), change \(change)")
            }
        }
    }

    private func run(_ target: FuzzTarget, _ bytes: [UInt8], _ name: String) throws {
        do {
            try target.run(bytes)
        } catch {
            Issue.record("\(target) with \(name): \(error)")
        }
    }

    @Test("the same seed makes the same changes; another seed makes different ones")
    func mutations() {
        func changes(_ seed: UInt64) -> [[UInt8]] {
            var mutator = FuzzMutator(seed: seed)
            return (0..<50).map { _ in mutator.mutate(Array("a sample".utf8), others: [[1, 2, 3]], limit: 40) }
        }
        #expect(changes(7) == changes(7))
        #expect(changes(7) != changes(8))
        #expect(Set(changes(7)).count > 30)
        #expect(changes(7).allSatisfy { $0.count <= 40 })
    }
}
