/// A line chart of a run as SVG.
package struct FleetPlot: Hashable, Sendable {
    /// A moment of the run, which the chart marks with a vertical line.
    package struct Mark: Hashable, Sendable {
        package var second: Int
        package var name: String
    }

    private static let width = 960
    private static let height = 360
    private static let left = 90
    private static let right = 20
    private static let top = 44
    private static let bottom = 44
    /// The most points of the line.
    private static let mostPoints = 480

    /// The title, which names the unit of the values.
    package var title: String
    /// The values at equal distances, in thousandths of the unit.
    package var thousandths: [Int]
    /// The length of the run.
    package var seconds: Int
    package var marks: [Mark]

    package init(title: String, thousandths: [Int], seconds: Int, marks: [Mark]) {
        self.title = title
        self.thousandths = thousandths
        self.seconds = seconds
        self.marks = marks
    }

    /// Returns the charts of a run, with their file names.
    package static func all(_ outcome: FleetOutcome) -> [(name: String, plot: FleetPlot)] {
        let marks = marks(outcome)
        let seconds = outcome.setup.horizon
        func rate(_ stream: FleetRecord.Stream, _ title: String) -> FleetPlot {
            FleetPlot(
                title: title, thousandths: means(outcome.record.seconds[stream.rawValue]), seconds: seconds,
                marks: marks)
        }
        let lockedOut = outcome.record.lockedOut.map { Int($0) * 100_000 / outcome.setup.clients }
        return [
            ("connects.svg", rate(.connects, "Connections a second")),
            ("fetches.svg", rate(.fetches, "Requests for bundles a second")),
            ("reports.svg", rate(.reports, "Attempts to report a second")),
            (
                "locked-out.svg",
                FleetPlot(
                    title: "Locked-out clients in percent", thousandths: lockedOut, seconds: seconds, marks: marks)
            ),
        ]
    }

    private static func marks(_ outcome: FleetOutcome) -> [Mark] {
        let moments: [(Int?, String)] = [
            (outcome.setup.incident, "incident"), (outcome.figures.noticedAt, "noticed"),
            (outcome.figures.haltedAt, "halt"), (outcome.figures.fixedAt, "fix"),
        ]
        return moments.compactMap { second, name in second.map { Mark(second: $0, name: name) } }
    }

    /// Returns the mean of each part of a stream, in thousandths.
    private static func means(_ stream: [UInt32]) -> [Int] {
        let length = max(1, stream.count / mostPoints)
        return stride(from: 0, to: stream.count, by: length).map { start in
            let part = stream[start..<min(start + length, stream.count)]
            return part.reduce(0) { $0 + Int($1) } * 1_000 / part.count
        }
    }

    /// The highest value of the vertical axis: 1, 2 or 5 times a power of ten, in thousandths.
    private var ceiling: Int {
        let most = max(1, thousandths.max() ?? 0)
        var step = 1
        while step < 1_000_000_000_000 {
            for factor in [1, 2, 5] where factor * step >= most { return factor * step }
            step *= 10
        }
        return most
    }

    /// The chart as an SVG document.
    package var svg: String {
        let (plotWidth, plotHeight) = (Self.width - Self.left - Self.right, Self.height - Self.top - Self.bottom)
        let ceiling = ceiling
        func x(_ second: Int) -> Int { Self.left + second * plotWidth / max(1, seconds) }
        func y(_ value: Int) -> Int { Self.top + plotHeight - value * plotHeight / ceiling }
        var lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(Self.width) \#(Self.height)" role="img""#
                + #" font-family="system-ui, sans-serif" font-size="13">"#,
            "<title>\(title)</title>",
            #"<rect width="\#(Self.width)" height="\#(Self.height)" fill="rgb(255,255,255)"/>"#,
            #"<text x="\#(Self.left)" y="22" font-size="16" fill="rgb(26,26,26)">\#(title)</text>"#,
        ]
        for part in 0...4 {
            let value = ceiling * part / 4
            lines.append(
                #"<path d="M\#(Self.left) \#(y(value))h\#(plotWidth)" stroke="rgb(217,217,217)"/>"#
                    + #"<text x="\#(Self.left - 8)" y="\#(y(value) + 4)" text-anchor="end" fill="rgb(89,89,89)">"#
                    + "\(Self.text(value))</text>")
        }
        for hour in stride(from: 0, through: seconds / 3_600, by: max(1, seconds / 3_600 / 8)) {
            lines.append(
                #"<text x="\#(x(hour * 3_600))" y="\#(Self.height - 18)" text-anchor="middle" fill="rgb(89,89,89)">"#
                    + "\(hour) h</text>")
        }
        for (number, mark) in marks.enumerated() {
            let place = x(mark.second)
            lines.append(
                #"<path d="M\#(place) \#(Self.top)v\#(plotHeight)" stroke="rgb(179,38,30)" stroke-dasharray="4 3"/>"#
                    + #"<text x="\#(place + 4)" y="\#(Self.top + 12 + 14 * number)" fill="rgb(179,38,30)">\#(mark.name)</text>"#
            )
        }
        let points = thousandths.enumerated().map { number, value in
            "\(x(number * seconds / max(1, thousandths.count))),\(y(value))"
        }
        lines.append(
            #"<polyline fill="none" stroke="rgb(11,87,208)" stroke-width="2" points="\#(points.joined(separator: " "))"/>"#
        )
        return (lines + ["</svg>", ""]).joined(separator: "\n")
    }

    /// Returns a number of thousandths as text with at most three decimals.
    static func text(_ thousandths: Int) -> String {
        let fraction = thousandths % 1_000
        guard fraction != 0 else { return "\(thousandths / 1_000)" }
        var digits = String(1_000 + fraction).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(thousandths / 1_000).\(digits)"
    }
}
