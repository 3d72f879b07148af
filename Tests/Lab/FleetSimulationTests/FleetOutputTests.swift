import FleetSimulation
import Testing

/// Tests the record and the charts of a run.
@Suite struct FleetOutputTests {
    private func outcome() throws -> FleetOutcome {
        try FleetSimulation.run(FleetSetup(.misrotation, clients: 1_000, seed: 3))
    }

    /// The record has a fixed size, and the sums of its numbers match the figures.
    @Test func theRecordIsBounded() throws {
        let outcome = try outcome()
        let seconds = outcome.setup.horizon
        #expect(outcome.record.bytes.count == 6 + 8 + 4 * (3 * seconds + seconds / 60))
        #expect(outcome.record.bytes.starts(with: Array("HFFL1\n".utf8)))
        let figures = outcome.figures
        #expect(outcome.record.total(.reports) == figures.accepted + figures.refused + figures.unanswered)
        #expect(outcome.record.lockedOut.max().map { Int($0) } == figures.mostLockedOut)
    }

    @Test func theChartsAreComplete() throws {
        let plots = FleetPlot.all(try outcome())
        #expect(plots.map(\.name) == ["connects.svg", "fetches.svg", "reports.svg", "locked-out.svg"])
        for (name, plot) in plots {
            let svg = plot.svg
            #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""), "\(name)")
            #expect(svg.hasSuffix("</svg>\n"))
            #expect(svg.contains(">incident</text>") && svg.contains(">fix</text>"))
            #expect(svg.contains("<polyline"))
            #expect(!svg.contains("style="), "a strict content security policy refuses inline styles")
        }
    }

    /// The vertical axis ends at 1, 2 or 5 times a power of ten.
    @Test func theAxisIsRound() {
        let plot = FleetPlot(title: "t", thousandths: [0, 41_000, 100], seconds: 3_600, marks: [])
        #expect(plot.svg.contains(">50</text>"))
        #expect(plot.svg.contains(">12.5</text>"))
    }

    /// Each piece of a stream is compared with the busiest window that contains it.
    @Test func theHerdRuleComparesWithAnEvenDistribution() {
        let rule = HerdRule(window: 100)
        let even = [UInt32](repeating: 100, count: 1_000)
        #expect(rule.worst(even, until: even.count)?.ratio == 1_000)
        // A higher rate that lasts as long as the window is not a herd.
        var step = [UInt32](repeating: 50, count: 1_000)
        for second in 300..<400 { step[second] = 500 }
        #expect(rule.worst(step, until: step.count)?.ratio == 1_000)
        // The same requests within a tenth of the time are one.
        var herd = [UInt32](repeating: 50, count: 1_000)
        for second in 300..<310 { herd[second] = 5_000 }
        #expect(rule.worst(herd, until: herd.count).map { $0.ratio > 5_000 && $0.second == 300 } == true)
        #expect(rule.worst(Array(even[..<50]), until: 50) == nil)
        // Too few requests to compare.
        #expect(rule.worst([UInt32](repeating: 1, count: 1_000), until: 1_000) == nil)
    }
}
