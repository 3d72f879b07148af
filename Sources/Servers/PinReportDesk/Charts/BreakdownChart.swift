package import PinReports
package import ServerMarkup

/// A chart of counts by value, as SVG with horizontal bars, with a table of the same numbers.
package struct BreakdownChart: Hashable, Sendable {
    /// The maximum number of bars. The table has all values.
    package static let barLimit = 10
    /// The maximum number of characters of a label in the picture. The table has the whole value.
    package static let labelLimit = 24

    private let id: String
    private let title: String
    private let counts: [FacetCount]

    /// Creates a chart.
    ///
    /// - Parameters:
    ///   - id: Identifies the chart on its page: letters and hyphens.
    ///   - title: What is counted, such as `App versions`.
    ///   - counts: The counts, the largest first.
    package init(id: String, title: String, counts: [FacetCount]) {
        self.id = id
        self.title = title
        self.counts = counts
    }

    /// Returns the chart with its table.
    package func markup() -> HTML {
        guard !counts.isEmpty else { return "" }
        let rows = counts.map { count -> HTML in
            "<tr><th scope=\"row\">\(Self.name(count))</th><td>\(count.count)</td></tr>"
        }
        return """
            <figure class="chart" id="\(id)"><h3>\(title)</h3>\(picture)\
            <details><summary>Table: \(title)</summary><table><caption>\(title)</caption><thead><tr>\
            <th scope="col">Value</th><th scope="col">Reports</th></tr></thead><tbody>\(rows)</tbody></table></details>\
            </figure>
            """
    }

    private static func name(_ count: FacetCount) -> HTML {
        count.isOther ? "all other values" : "<bdi>\(count.value)</bdi>"
    }

    private var picture: HTML {
        let shown = counts.prefix(Self.barLimit)
        let largest = max(1, shown.map(\.count).max() ?? 1)
        let lines = shown.enumerated().map { index, count -> HTML in
            let top = Int64(index) * 26 + 4
            let width = max(1, Self.scaled(count.count, largest))
            return """
                <text class="label" x="0" y="\(top + 15)" unicode-bidi="isolate">\(Self.label(count))</text>\
                <rect class="bar" x="200" y="\(top)" width="\(width)" height="20"/>\
                <text class="axis" x="\(206 + width)" y="\(top + 15)">\(count.count)</text>
                """
        }
        let first = counts[0]
        let description = """
            \(counts.count) values. The most frequent is \(first.isOther ? "a value that is not listed" : first.value) with \
            \(first.count) reports. The table below has all numbers.
            """
        return """
            <svg role="img" aria-labelledby="\(id)-title \(id)-desc" viewBox="0 0 480 \(shown.count * 26 + 4)" \
            preserveAspectRatio="xMinYMin meet"><title id="\(id)-title">\(title)</title>\
            <desc id="\(id)-desc">\(description)</desc>\(lines)</svg>
            """
    }

    private static func label(_ count: FacetCount) -> String {
        guard !count.isOther else { return "all other values" }
        let text = count.value.isEmpty ? "none" : count.value
        return text.count <= labelLimit ? text : String(text.prefix(labelLimit - 1)) + "…"
    }

    private static func scaled(_ count: Int64, _ largest: Int64) -> Int64 {
        let (product, overflow) = count.multipliedReportingOverflow(by: 200)
        return overflow ? count / max(1, largest / 200) : product / largest
    }
}
