import Foundation
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("The demo's report") struct DemoReportTests {
    private func result(
        _ number: Int, _ expectation: DemoObservation.Outcome, _ outcome: DemoObservation.Outcome
    ) -> DemoResult {
        DemoResult(
            number: number, chapter: .attacks, name: "step \(number)", mode: .systemAndPins, expectation: expectation,
            observation: DemoObservation(outcome: outcome, detail: "detail \(number)", lines: ["line"]),
            duration: .milliseconds(12))
    }

    /// Compares every outcome with every expectation: only equal ones pass.
    @Test func onlyExpectedOutcomesPass() {
        let expectations: [DemoObservation.Outcome] = [
            .worked, .accepted(.pinMatched), .accepted(.validPath), .refused(.pinMismatch), .refused(.expired),
        ]
        let outcomes: [DemoObservation.Outcome] = [
            .worked, .accepted(.pinMatched), .accepted(.validPath), .refused(.pinMismatch), .refused(.expired), .failed,
        ]
        for (row, expectation) in expectations.enumerated() {
            for (column, outcome) in outcomes.enumerated() {
                #expect(result(1, expectation, outcome).isAsItMustBe == (row == column))
            }
        }
    }

    @Test func oneFailedStepFailsTheDemo() {
        let good = result(1, .worked, .worked)
        let bad = result(2, .refused(.pinMismatch), .accepted(.pinMatched))
        #expect(DemoReport(address: "", results: [good]).status == .success)
        #expect(DemoReport(address: "", results: [good, bad]).status == .failure)
        // A demo without steps proves nothing.
        #expect(DemoReport(address: "", results: []).status == .failure)
    }

    @Test func tableMarksFailedSteps() {
        let results = (1...10).map { result($0, .refused(.pinMismatch), $0 == 3 ? .failed : .refused(.pinMismatch)) }
        let table = DemoReport(address: "", results: results).table()
        let lines = table.split(separator: "\n")
        #expect(lines.count == 13)
        #expect(lines[4].contains("step 3") && lines[4].contains("failed  <-- WRONG"))
        #expect(lines.filter { $0.contains("WRONG") }.count == 1)
        #expect(lines.last == "1 of 10 steps do not have the expected result.")
        // The columns are aligned.
        #expect(Set(lines[1...11].map(\.count)).count == 1)
    }

    @Test func theJSONHasEveryStep() throws {
        let report = DemoReport(
            address: "https://localhost:1",
            results: [result(1, .worked, .worked), result(2, .refused(.expired), .refused(.hostMismatch))])
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(try report.json.utf8)) as? [String: Any])
        #expect(object["passed"] as? Bool == false)
        #expect(object["address"] as? String == "https://localhost:1")
        let steps = try #require(object["steps"] as? [[String: Any]])
        #expect(steps.map { $0["ok"] as? Bool } == [true, false])
        #expect(steps.map { $0["observed"] as? String } == ["works", "refused: hostMismatch"])
        #expect(steps.map { $0["expected"] as? String } == ["works", "refused: expired"])
        #expect(steps.allSatisfy { $0["milliseconds"] as? Int == 12 })
    }

    @Test func failedStepIsPrintedWithItsExpectation() {
        let transcript = Transcript()
        let narrator = DemoNarrator(transcript.console)
        narrator.tell(result(7, .refused(.expired), .accepted(.pinMatched)))
        #expect(
            transcript.output == """
                WRONG 7. step 7 [system + pins]: accepted: pinMatched
                        detail 7
                        line
                        Expected: refused: expired

                """)
    }
}
