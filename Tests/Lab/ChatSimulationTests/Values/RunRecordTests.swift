import Testing

@testable import ChatSimulation

/// Tests the record of a run.
@Suite struct RunRecordTests {
    @Test func theFirstComplaintStays() {
        var record = RunRecord(SimulationOptions())
        #expect(record.isGood)
        record.advance(to: 5_000_000)
        record.complain(.rest, "one")
        record.complain(.codec, "two")
        #expect(record.complaints == [Complaint(rule: .rest, time: 5, text: "one")])
    }

    @Test func timeNeverGoesBack() {
        var record = RunRecord(SimulationOptions())
        record.advance(to: 7)
        record.advance(to: 3)
        #expect(record.now == 7)
    }

    @Test func onlyTheLastLinesAreKept() {
        var options = SimulationOptions()
        options.traceLines = 2
        var record = RunRecord(options)
        for text in ["a", "b", "c"] { record.note(text) }
        #expect(record.lines == ["0.000 b", "0.000 c"])
        var silent = RunRecord(SimulationOptions())
        silent.note("a")
        #expect(silent.lines.isEmpty)
    }

    @Test func aRunWithoutAnEndIsReported() {
        var record = RunRecord(SimulationOptions())
        record.tally { $0.events = RunRecord.longestRun }
        record.judgeLength()
        #expect(record.isGood)
        record.tally { $0.events += 1 }
        record.judgeLength()
        #expect(record.complaints.map(\.rule) == [.rest])
    }
}
