import ChatSimulation
import Foundation
import Testing

@Suite struct Scratch {
    @Test func scratch() {
        let env = ProcessInfo.processInfo.environment
        guard let range = env["SEEDS"]?.split(separator: "-").compactMap({ UInt64($0) }) else { return }
        var options = SimulationOptions()
        options.traceLines = Int(env["LINES"] ?? "0") ?? 0
        options.plantedBug = env["BUG"].flatMap(PlantedBug.init(rawValue:))
        var figures = SimulationFigures()
        for seed in range[0]...range[1] {
            options.usesCodec = Simulation.usesCodec(seed)
            var outcome = Simulation.run(seed, options: options)
            figures += outcome.figures
            fflush(stdout)
            guard let complaint = outcome.complaints.first else { continue }
            print("SEED \(seed): \(complaint.rule.rawValue) at \(complaint.time): \(complaint.text.prefix(300))")
            if env["SHRINK"] != nil {
                var shrinker = PlanShrinker(seed: seed, rule: complaint.rule, options: options)
                let plan = shrinker.shrink(Plan(seed: seed))
                print("shrunk in \(shrinker.runs) runs to:")
                for item in plan.items { print("  \(item.number) at \(item.time): \(item.happening)") }
                outcome = Simulation.run(seed, plan: plan, options: options)
                print("SHRUNK: \(outcome.complaints)")
            }
            for line in outcome.lines { print(line) }
            if options.plantedBug != nil { break }
        }
        print(figures)
        fflush(stdout)
    }
}
