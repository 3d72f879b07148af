import ArgumentParser
import BenchSupport
import Foundation
import HoldfastTestKit

/// Counts the instructions of Holdfast's clients for one operation, and compares them with the budgets of a file.
///
/// Valgrind counts them, so the figures do not depend on the load of the machine. The servers run outside of Valgrind.
struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "compare")

    @Argument(help: "The file with the budgets.")
    var budgets = "Benchmarks/budgets.txt"
    @Option(help: "How often each operation is counted; the median is compared.")
    var rounds = 3
    @Option(help: "Only this operation; repeatable.")
    var only: [Measure] = []
    @Flag(help: "Write the counted figures to the file, and keep the tolerances.")
    var accept = false

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("--rounds must be at least 1.") }
        guard !accept || only.isEmpty else { throw ValidationError("--accept writes all budgets; omit --only.") }
    }

    func run() async throws {
        let file = try BudgetFile(contentsOf: budgets)
        guard let valgrind = ChildProcess.path(of: "valgrind") else {
            throw ValidationError("The instructions are counted by valgrind, which is not installed.")
        }
        let site = try PinnedSite()
        let server = try await LoopbackServer.start(site)
        let address = ServerAddress(server, site)
        var counts: [Measure: Int] = [:]
        for measure in only.isEmpty ? Measure.allCases : only {
            counts[measure] = try InstructionCounter(valgrind: valgrind, address: address)
                .instructions(of: measure, rounds: rounds)
        }
        await server.stop()
        print(file.table(counts))
        if accept {
            try file.replacing(counts).write(to: budgets)
        } else if !file.exceeded(counts).isEmpty {
            throw ExitCode.failure
        }
    }
}
