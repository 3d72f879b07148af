import ArgumentParser
import BenchSupport
import Foundation

/// A file with the budgets: one line for each ``Measure``, with its instructions and a tolerance in percent. Lines that
/// begin with "#" are comments.
struct BudgetFile {
    private struct Budget {
        var instructions: Int
        var tolerance: Double

        var maximum: Int { Int(Double(instructions) * (1 + tolerance / 100)) }
    }

    private var comments: [Substring] = []
    private var budgets: [Measure: Budget] = [:]

    init(contentsOf path: String) throws {
        try self.init(text: String(contentsOfFile: path, encoding: .utf8))
    }

    init(text: String) throws {
        for line in text.split(separator: "\n") {
            if line.hasPrefix("#") {
                comments.append(line)
                continue
            }
            let words = line.split(separator: " ")
            guard words.count == 3, let measure = Measure(rawValue: String(words[0])), budgets[measure] == nil,
                let instructions = Int(words[1]), instructions > 0, let tolerance = Double(words[2]), tolerance > 0
            else { throw ValidationError("The line of the budgets is invalid: \(line)") }
            budgets[measure] = Budget(instructions: instructions, tolerance: tolerance)
        }
        let missing = Measure.allCases.filter { budgets[$0] == nil }
        guard missing.isEmpty else {
            throw ValidationError("Budgets are missing for: \(missing.map(\.rawValue).joined(separator: ", ")).")
        }
    }

    /// Returns the operations that need more instructions than permitted.
    func exceeded(_ counts: [Measure: Int]) -> [Measure] {
        Measure.allCases.filter { measure in
            guard let count = counts[measure], let budget = budgets[measure] else { return false }
            return count > budget.maximum
        }
    }

    /// Returns a line for each counted operation.
    func table(_ counts: [Measure: Int]) -> String {
        Measure.allCases.compactMap { measure in
            guard let count = counts[measure], let budget = budgets[measure] else { return nil }
            let change = (Double(count) / Double(budget.instructions) - 1) * 100
            let verdict =
                if count > budget.maximum {
                    "exceeds the budget"
                } else if change < -budget.tolerance {
                    "is below the budget; lower it with --accept"
                } else {
                    "is within the budget"
                }
            return "\(measure.rawValue): \(Number.text(Double(count))) instructions, "
                + String(format: "%+.1f %% of ", change)
                + "\(Number.text(Double(budget.instructions))) ± \(Number.text(budget.tolerance, 1)) %: \(verdict)"
        }.joined(separator: "\n")
    }

    /// Returns the file with other figures and the same tolerances.
    func replacing(_ counts: [Measure: Int]) -> BudgetFile {
        var file = self
        for (measure, count) in counts { file.budgets[measure]?.instructions = count }
        return file
    }

    func write(to path: String) throws {
        let lines = Measure.allCases.compactMap { measure in
            budgets[measure].map { "\(measure.rawValue) \($0.instructions) \(Number.text($0.tolerance, 1))" }
        }
        let text = (comments.map(String.init) + lines).joined(separator: "\n") + "\n"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
}
