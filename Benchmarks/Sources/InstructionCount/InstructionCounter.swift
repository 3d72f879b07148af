import BenchSupport
import Foundation

/// Counts the instructions of this program's child processes with Valgrind.
struct InstructionCounter {
    /// An error for a run whose output has no count.
    struct NoCount: Error, CustomStringConvertible {
        var log: String
        var description: String { "The output of valgrind has no count of instructions:\n\(log)" }
    }

    let valgrind: String
    let address: ServerAddress

    /// Returns the instructions of one operation: the median of several rounds.
    func instructions(of measure: Measure, rounds: Int) throws -> Int {
        let (few, many) = measure.operations
        let figures = try (0..<rounds).map { _ in
            Double(try count(measure, many) - count(measure, few)) / Double(many - few)
        }
        return Int(figures.median.rounded())
    }

    /// Returns all instructions of a process that performs some operations.
    private func count(_ measure: Measure, _ operations: Int) throws -> Int {
        let log = FileManager.default.temporaryDirectory.appending(path: "holdfast-instructions-\(UUID())")
        defer { try? FileManager.default.removeItem(at: log) }
        _ = try ChildProcess.output(
            of: valgrind,
            [
                "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", "--log-file=\(log.path)",
                ChildProcess.ownPath, WorkCommand.name, measure.rawValue, "--operations", "\(operations)",
                "--address", try address.text(),
            ])
        let text = try String(contentsOf: log, encoding: .utf8)
        // The line is "==1234== I   refs:      12,345,678"; newer versions write "I refs:".
        guard let line = text.split(separator: "\n").first(where: { $0.contains(/I +refs:/) }),
            let count = line.split(separator: " ").last.flatMap({ Int($0.filter { $0 != "," }) })
        else { throw NoCount(log: text) }
        return count
    }
}
