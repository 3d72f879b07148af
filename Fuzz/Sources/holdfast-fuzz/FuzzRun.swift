import Foundation
import HoldfastFuzzing

/// The run of one target.
struct FuzzRun {
    let target: FuzzTarget
    let samples: [[UInt8]]
    private(set) var executions = 0
    private(set) var findings = 0
    private var slowest = Duration.zero
    private var took = Duration.zero

    /// The number of findings after which a run stops. Further findings are likely to be duplicates.
    private static let findingLimit = 20

    init(target: FuzzTarget, samples: [[UInt8]]) {
        self.target = target
        self.samples = samples
    }

    mutating func run(seconds: Double, seed: UInt64) throws {
        try FileManager.default.createDirectory(atPath: "Fuzz/Findings", withIntermediateDirectories: true)
        let currentInput = try CurrentInput(path: "Fuzz/Findings/\(target.rawValue)-current")
        let clock = ContinuousClock()
        let start = clock.now
        for sample in samples { try run(sample, currentInput) }
        var mutator = FuzzMutator(seed: seed)
        var previous: [UInt8] = []
        while clock.now - start < .seconds(seconds), findings < FuzzRun.findingLimit {
            // Every fourth input is a mutation of the previous mutation.
            let base = mutator.below(4) == 0 ? previous : samples.isEmpty ? [] : samples[mutator.below(samples.count)]
            previous = mutator.mutate(base, others: samples)
            try run(previous, currentInput)
        }
        took = clock.now - start
        try currentInput.close()
    }

    private mutating func run(_ bytes: [UInt8], _ currentInput: borrowing CurrentInput) throws {
        currentInput.note(bytes)
        executions += 1
        let clock = ContinuousClock()
        let start = clock.now
        do {
            try target.run(bytes)
        } catch {
            findings += 1
            let path = "Fuzz/Findings/\(target.rawValue)-\(findings)"
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            print("\(target.rawValue): \(error) (\(path))")
        }
        let time = clock.now - start
        if time > slowest {
            slowest = time
            try Data(bytes).write(to: URL(fileURLWithPath: "Fuzz/Findings/\(target.rawValue)-slowest"))
        }
    }

    var summary: String {
        let seconds = Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18
        let slow = Double(slowest.components.seconds) * 1e3 + Double(slowest.components.attoseconds) / 1e15
        return "\(target.rawValue): \(executions) executions in \(String(format: "%.1f", seconds)) s, "
            + "\(findings) findings, the slowest took \(String(format: "%.1f", slow)) ms"
    }
}
