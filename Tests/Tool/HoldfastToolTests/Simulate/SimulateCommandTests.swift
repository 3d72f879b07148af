import Foundation
import Testing

@testable import HoldfastTool

/// Tests the exit codes, figures and replays of `holdfast simulate`. ChatSimulationTests tests the simulation.
@Suite struct SimulateCommandTests {
    @Test func passingSeedsSucceed() async {
        let outcome = await ToolOutcome.of("simulate", "--seeds", "10", "--from", "3")
        #expect(outcome.status == .success)
        #expect(outcome.lines.first?.hasPrefix("10 seeds, ") == true)
        #expect(outcome.lines.first?.hasSuffix("every rule held") == true)
        #expect(outcome.lines.last?.hasPrefix("faults: loss ") == true)
    }

    @Test func singleSeedPrintsItsTrace() async {
        let first = await ToolOutcome.of("simulate", "--seed", "7", "--trace")
        let second = await ToolOutcome.of("simulate", "--seed", "7", "--trace", "--jobs", "1")
        #expect(first.status == .success)
        let traces = first.lines.filter { $0.hasPrefix("trace ") }
        #expect(traces.count == 1)
        #expect(traces == second.lines.filter { $0.hasPrefix("trace ") })
        #expect(first.lines.contains { $0.hasPrefix("0 at ") })
        // Without its plan, the seed runs differently.
        let empty = await ToolOutcome.of("simulate", "--seed", "7", "--faults", "none", "--trace")
        #expect(empty.status == .success)
        #expect(empty.lines.filter { $0.hasPrefix("trace ") } != traces)
    }

    /// A failure is reported with the command that replays it, and the command reproduces it.
    @Test func aPlantedBugIsFoundAndItsReplayBreaksTheSameRule() async throws {
        let outcome = await ToolOutcome.of("simulate", "--planted", "secondSocket", "--json")
        #expect(outcome.status == .success)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(json["good"] as? Bool == true)
        let failure = try #require((json["failures"] as? [[String: Any]])?.first)
        #expect(failure["rule"] as? String == "oneSocket")
        let replay = try #require(failure["replay"] as? String).split(separator: " ").dropFirst().map(String.init)
        let again = await ToolOutcome.of(replay.filter { $0 != "--trace" } + ["--no-shrink"])
        #expect(again.status == .success)
        #expect(again.output.contains("breaks oneSocket"))
    }

    /// The driver's worlds have their own trace, which is the same each time.
    @Test func theDriverRunsInTheSameWorlds() async {
        let first = await ToolOutcome.of("simulate", "--driver", "--seed", "7", "--trace")
        #expect(first.status == .success, "\(first.output.suffix(2000))")
        let second = await ToolOutcome.of("simulate", "--driver", "--seed", "7", "--trace")
        let cores = await ToolOutcome.of("simulate", "--seed", "7", "--trace")
        func trace(_ outcome: ToolOutcome) -> [String] { outcome.lines.filter { $0.hasPrefix("trace ") } }
        #expect(trace(first).count == 1)
        #expect(trace(first) == trace(second))
        #expect(trace(first) != trace(cores))
        #expect(first.lines.contains { $0.hasPrefix("0 at ") })
    }

    @Test func plantedDriverBugIsFound() async {
        let outcome = await ToolOutcome.of("simulate", "--driver", "--planted", "doubleDelivery", "--no-shrink")
        #expect(outcome.status == .success)
        #expect(outcome.output.contains("breaks nothingTwice"))
        #expect(outcome.output.contains("--driver --planted doubleDelivery --trace"))
    }

    @Test func undetectedPlantedBugIsAFailure() async {
        let outcome = await ToolOutcome.of("simulate", "--planted", "lostCommit", "--seed", "1", "--faults", "none")
        #expect(outcome.status == .failure)
        #expect(outcome.output.contains("was not found"))
    }

    @Test(arguments: [
        ["--trace"], ["--faults", "1"], ["--seeds", "0"], ["--jobs", "0"], ["--planted", "nothing"],
        ["--driver", "--planted", "secondSocket"], ["--planted", "doubleDelivery"],
        ["--seed", "1", "--faults", "x"], ["--seeds", "2", "--from", "18446744073709551615"],
    ])
    func aWrongCommandLineIsRefused(arguments: [String]) async {
        let outcome = await ToolOutcome.of(["simulate"] + arguments)
        #expect(outcome.status == .usage)
        #expect(outcome.output.isEmpty)
    }
}
