package import HoldfastTrust
package import PinReports
package import ServerMarkup

/// A bar chart of reports over time, as SVG, with a table of the same numbers.
package struct TimelineChart: Hashable, Sendable {
    /// A bar: the reports of an hour, a day, or several days.
    package struct Bar: Hashable, Sendable {
        /// The begin of the bar's time.
        package var begin: Timestamp
        package var count: Int64
    }

    /// The maximum number of bars. A longer time has wider bars.
    package static let barLimit = 96
    private static let hour: Int64 = 3_600
    private static let day: Int64 = 86_400
    /// The times of arrival that a chart shows: 1970 to 9999.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799

    /// The bars, the earliest first, without gaps.
    package let bars: [Bar]
    /// The seconds of each bar.
    package let width: Int64

    /// Creates a chart of the hours with reports. Long times are divided into days or several days, so that there are
    /// at most ``barLimit`` bars. Hours in any order and repeated hours are allowed.
    package init(_ hours: [HourCount]) {
        let hours = hours.filter { Self.times.contains($0.hour.secondsSince1970) }
        let starts = hours.map(\.hour.secondsSince1970)
        guard let first = starts.min(), let last = starts.max() else {
            self.bars = []
            self.width = Self.hour
            return
        }
        let width = Self.width(of: last - first)
        // Bars begin at whole hours or days in UTC, and at the first report for longer ones.
        let origin = first / min(width, Self.day) * min(width, Self.day)
        var counts: [Int64: Int64] = [:]
        for hour in hours {
            let index = (hour.hour.secondsSince1970 - origin) / width
            counts[index] = Self.sum(counts[index] ?? 0, hour.count)
        }
        let count = (last - origin) / width + 1
        self.bars = (0..<count).map {
            Bar(begin: Timestamp(secondsSince1970: origin + $0 * width), count: counts[$0] ?? 0)
        }
        self.width = width
    }

    private static func width(of span: Int64) -> Int64 {
        // One bar more may be needed, because bars begin at whole days.
        let most = Int64(barLimit - 1)
        guard span / hour >= most else { return hour }
        return day * (span / day / most + 1)
    }

    private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }

    /// The height of the plot in the units of the picture.
    private static let plotHeight: Int64 = 120
    private static let plotWidth: Int64 = 720
    private static let left: Int64 = 56
    private static let top: Int64 = 8

    /// Returns the chart with its table.
    package func markup(title: String) -> HTML {
        guard !bars.isEmpty else { return "<p class=\"none\">No reports are stored for this time.</p>" }
        let largest = bars.map(\.count).max() ?? 0
        let rows = bars.filter { $0.count > 0 }.reversed().map { bar -> HTML in
            "<tr><th scope=\"row\">\(DeskTime.element(bar.begin))</th><td>\(bar.count)</td></tr>"
        }
        return """
            <figure class="chart">\(picture(title, largest))\
            <figcaption>\(title), \(unit) from \(DeskTime.element(bars[0].begin))</figcaption>\
            <details><summary>Table: \(title)</summary><table><caption>\(title), \(unit)</caption><thead><tr>\
            <th scope="col">Begin (UTC)</th><th scope="col">Reports</th></tr></thead><tbody>\(rows)</tbody></table>\
            </details></figure>
            """
    }

    private var unit: String {
        switch width {
        case Self.hour: "by hour"
        case Self.day: "by day"
        default: "by \(width / Self.day) days"
        }
    }

    private func picture(_ title: String, _ largest: Int64) -> HTML {
        let step = Self.plotWidth / Int64(bars.count)
        let gap: Int64 = step > 3 ? 1 : 0
        let shapes = bars.enumerated().compactMap { index, bar -> HTML? in
            guard bar.count > 0 else { return nil }
            let height = Self.height(of: bar.count, largest)
            return """
                <rect class="bar" x="\(Self.left + Int64(index) * step)" y="\(Self.top + Self.plotHeight - height)" \
                width="\(max(1, step - gap))" height="\(height)"/>
                """
        }
        let bottom = Self.top + Self.plotHeight
        let right = Self.left + step * Int64(bars.count)
        let (first, last) = (bars.first?.begin.description ?? "", bars.last?.begin.description ?? "")
        let peak = bars.max { $0.count < $1.count }
        let description = """
            \(bars.count) bars \(unit), from \(first) to \(last). The highest has \(largest) reports and begins at \
            \(peak?.begin.description ?? first). The table below has all numbers.
            """
        return """
            <svg role="img" aria-labelledby="timeline-title timeline-desc" \
            viewBox="0 0 \(Self.left + Self.plotWidth + 8) \(bottom + 24)" preserveAspectRatio="xMinYMin meet">\
            <title id="timeline-title">\(title)</title><desc id="timeline-desc">\(description)</desc>\
            <text class="axis" x="\(Self.left - 6)" y="\(Self.top + 10)" text-anchor="end">\(largest)</text>\
            <text class="axis" x="\(Self.left - 6)" y="\(bottom)" text-anchor="end">0</text>\
            <line class="line" x1="\(Self.left)" y1="\(bottom)" x2="\(right)" y2="\(bottom)"/>\(shapes)\
            <text class="axis" x="\(Self.left)" y="\(bottom + 18)">\(String(first.prefix(16)))</text>\
            <text class="axis" x="\(right)" y="\(bottom + 18)" text-anchor="end">\(String(last.prefix(16)))</text></svg>
            """
    }

    /// Returns the height of a bar: at least one unit, so that a single report is visible beside a million.
    private static func height(of count: Int64, _ largest: Int64) -> Int64 {
        guard largest > 0 else { return 0 }
        let (product, overflow) = count.multipliedReportingOverflow(by: plotHeight)
        return max(1, overflow ? count / (largest / plotHeight) : product / largest)
    }
}
