/// Generates cases, and judges them with Holdfast and the references.
package enum DifferentialRun {
    /// The cases that one process of the references judges.
    private static let batch = 500

    /// Runs `count` cases of a kind. The references judge a batch while the next one is generated.
    package static func run(
        _ kind: DifferentialKind, cases count: Int, seed: UInt64, _ references: ReferenceJudges
    ) async throws -> DifferentialReport {
        var generator = try CaseGenerator(kind, seed: seed)
        var report = DifferentialReport()
        var pending = try next(min(batch, count), &generator)
        var left = count - pending.count
        while !pending.isEmpty {
            let current = pending
            async let judged = references.judge(current)
            let results = try current.map { try HoldfastJudge.judge($0) }
            pending = try next(min(batch, left), &generator)
            left -= pending.count
            let reasons = try await judged
            let questions = current.indices.map { index in
                report.question(current[index], isAccepted: results[index].isAccepted, reasons[index])
            }
            let open = questions.compactMap(\.self)
            var answers = (open.isEmpty ? [] : try await references.judge(open))[...]
            for (index, item) in current.enumerated() {
                report.add(
                    item, code: results[index].code, isAccepted: results[index].isAccepted, reasons[index],
                    simplified: questions[index] == nil ? nil : answers.removeFirst())
            }
        }
        report.unreadable = generator.unreadable
        return report
    }

    private static func next(_ count: Int, _ generator: inout CaseGenerator) throws -> [DifferentialCase] {
        var cases: [DifferentialCase] = []
        for _ in 0..<max(0, count) { cases.append(try generator.next()) }
        return cases
    }
}
