import Foundation
import Testing

@testable import HoldfastTool

/// Tests the output and the exit codes of `holdfast simulate fleet`. FleetSimulationTests tests the simulation.
@Suite struct SimulateFleetCommandTests {
    @Test func aScenarioIsATableRow() async {
        let outcome = await ToolOutcome.of(
            "simulate", "fleet", "--scenario", "misrotation-backup", "--clients", "1000")
        #expect(outcome.status == .success)
        #expect(outcome.lines.first?.hasPrefix("scenario ") == true)
        #expect(outcome.lines.contains { $0.hasPrefix("misrotation-backup ") && $0.contains("0.000%") })
        #expect(outcome.lines.last == "misrotation-backup: every invariant held")
    }

    /// The same seed prints the same record.
    @Test func theSeedDecidesTheRun() async throws {
        func record(_ seed: String) async throws -> String {
            let outcome = await ToolOutcome.of(
                "simulate", "fleet", "--scenario", "restart", "--clients", "1000", "--seed", seed, "--json")
            let json = try #require(
                try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
            #expect(json["good"] as? Bool == true)
            let run = try #require((json["runs"] as? [[String: Any]])?.first)
            #expect(run["clients"] as? Int == 1_000)
            return try #require(run["record"] as? String)
        }
        let first = try await record("4")
        #expect(try await record("4") == first)
        #expect(try await record("5") != first)
    }

    /// A planted mistake is found.
    @Test func aPlantedMistakeBreaksItsInvariant() async {
        let outcome = await ToolOutcome.of("simulate", "fleet", "--planted", "stopsFetching", "--clients", "1000")
        #expect(outcome.status == .success)
        #expect(outcome.output.contains("breaks wayBack"))
        #expect(outcome.lines.last == "the planted mistake stopsFetching broke its invariant")
    }

    /// The charts are written to a new folder. An existing one is not changed.
    @Test func chartsAreWritten() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-fleet-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let arguments = [
            "simulate", "fleet", "--scenario", "misrotation", "--clients", "1000", "--plots", folder,
        ]
        #expect(await ToolOutcome.of(arguments).status == .success)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(
            names
                == ["connects.svg", "fetches.svg", "locked-out.svg", "record.bin", "reports.svg"].map {
                    "misrotation-" + $0
                })
        #expect(await ToolOutcome.of(arguments).status != .success)
    }

    @Test(arguments: [
        ["--scenario", "unknown"], ["--clients", "10"], ["--planted", "unknown"],
        ["--planted", "noSpread", "--scenario", "restart"],
    ])
    func wrongArgumentsAreUsageErrors(arguments: [String]) async {
        #expect(await ToolOutcome.of(["simulate", "fleet"] + arguments).status == .usage)
    }
}
