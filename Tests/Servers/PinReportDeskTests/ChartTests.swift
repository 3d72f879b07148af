import Foundation
import HoldfastTrust
import PinReports
import ServerMarkup
import Testing

@testable import PinReportDesk

@Suite("Charts")
struct ChartTests {
    private func hours(_ counts: [Int64: Int64]) -> [HourCount] {
        counts.map { HourCount(hour: Timestamp(secondsSince1970: $0.key * 3_600), count: $0.value) }
    }

    @Test func aDayHasOneBarForEachHour() {
        let chart = TimelineChart(hours([10: 5, 12: 7]))
        #expect(chart.bars.map(\.count) == [5, 0, 7])
        #expect(chart.width == 3_600)
    }

    @Test func longTimesHaveFewBarsAndTheSameSum() {
        for span: Int64 in [94, 95, 96, 24 * 90, 24 * 365, 24 * 365 * 50] {
            let chart = TimelineChart(hours([5: 1, 5 + span / 2: 2, 5 + span: 4]))
            #expect(chart.bars.count <= TimelineChart.barLimit, "\(span)")
            #expect(chart.bars.map(\.count).reduce(0, +) == 7, "\(span)")
        }
    }

    @Test func impossibleTimesAndCountsDoNotTrap() {
        #expect(TimelineChart([]).bars.isEmpty)
        #expect(TimelineChart([HourCount(hour: Timestamp(secondsSince1970: .min), count: 1)]).bars.isEmpty)
        #expect(TimelineChart([HourCount(hour: Timestamp(secondsSince1970: .max), count: 1)]).bars.isEmpty)
        let chart = TimelineChart(hours([1: .max, 2: 1, 3: .max]))
        #expect(chart.markup(title: "Reports").text.contains("<rect"))
        let both = [HourCount(hour: Timestamp(secondsSince1970: 0), count: .max)]
        #expect(TimelineChart(both + both).bars.map(\.count) == [.max])
    }

    @Test func aPictureHasATitleADescriptionAndATable() {
        let text = TimelineChart(hours([10: 5, 12: 7])).markup(title: "Reports").text
        #expect(text.contains("role=\"img\" aria-labelledby=\"timeline-title timeline-desc\""))
        #expect(text.contains("<title id=\"timeline-title\">Reports</title>"))
        #expect(text.contains("The highest has 7 reports"))
        #expect(text.contains("<caption>"))
        #expect(!text.contains("style="))
    }

    @Test func hostileValuesAreText() {
        let hostile = "</text><script>alert(1)</script>"
        let text = BreakdownChart(
            id: "app-versions", title: "App versions",
            counts: [FacetCount(value: hostile, count: 3), FacetCount(value: "", count: 2), FacetCount(other: 1)]
        ).markup().text
        #expect(!text.contains("<script"))
        #expect(text.contains("&lt;script&gt;"))
        #expect(text.contains("all other values"))
        #expect(BreakdownChart(id: "x", title: "x", counts: []).markup().text.isEmpty)
    }

    @Test func aPictureHasFewBarsAndTheTableAllValues() {
        let counts = (0..<50).map { FacetCount(value: "1.\($0)", count: Int64(50 - $0)) }
        let text = BreakdownChart(id: "x", title: "x", counts: counts).markup().text
        #expect(text.components(separatedBy: "<rect").count - 1 == BreakdownChart.barLimit)
        #expect(text.contains("<bdi>1.49</bdi>"))
    }
}
