import Testing

@testable import ChatSimulation

/// What is known of a run.
@Suite struct ChronicleTests {
    @Test func theFirstComplaintStays() {
        var chronicle = Chronicle(SimulationOptions())
        #expect(chronicle.isGood)
        chronicle.advance(to: 5_000_000)
        chronicle.complain(.rest, "one")
        chronicle.complain(.codec, "two")
        #expect(chronicle.complaints == [Complaint(rule: .rest, time: 5, text: "one")])
    }

    @Test func timeNeverGoesBack() {
        var chronicle = Chronicle(SimulationOptions())
        chronicle.advance(to: 7)
        chronicle.advance(to: 3)
        #expect(chronicle.now == 7)
    }

    @Test func onlyTheLastLinesAreKept() {
        var options = SimulationOptions()
        options.traceLines = 2
        var chronicle = Chronicle(options)
        for text in ["a", "b", "c"] { chronicle.note(text) }
        #expect(chronicle.lines == ["0.000 b", "0.000 c"])
        var silent = Chronicle(SimulationOptions())
        silent.note("a")
        #expect(silent.lines.isEmpty)
    }

    @Test func aRunWithoutAnEndIsReported() {
        var chronicle = Chronicle(SimulationOptions())
        chronicle.tally { $0.events = Chronicle.longestRun }
        chronicle.judgeLength()
        #expect(chronicle.isGood)
        chronicle.tally { $0.events += 1 }
        chronicle.judgeLength()
        #expect(chronicle.complaints.map(\.rule) == [.rest])
    }
}
