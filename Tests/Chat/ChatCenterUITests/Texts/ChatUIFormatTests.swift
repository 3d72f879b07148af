import Foundation
import Testing

@testable import ChatCenterUI

/// Tests the formats of times, days, sizes and durations.
@Suite struct ChatUIFormatTests {
    let english = ChatUIFormat(locale: Locale(identifier: "en_US"), timeZone: .gmt)

    @Test func timesAndDatesFollowTheLocaleAndTheTimeZone() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let russian = ChatUIFormat(locale: Locale(identifier: "ru_RU"), timeZone: berlin)
        #expect(russian.time(start) == "23:13")
        #expect(english.date(start) == "November 14, 2023")
        #expect(russian.date(start).contains("2023"))
        #expect(russian.size(12_345_678).hasPrefix("12,3"))
    }

    @Test func daysBeginAtMidnightOfTheUser() throws {
        let midnight = start - start % day + day
        #expect(english.day(midnight) == english.day(midnight - 1) + 1)
        #expect(english.day(0) == 0)
        #expect(english.day(-1) == -1)
        #expect(english.day(-day) == -1)
        // Summer time began in Berlin at 2024-03-31 01:00 UTC; the day has 23 hours.
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let format = ChatUIFormat(locale: Locale(identifier: "de_DE"), timeZone: berlin)
        let spring: Int64 = 1_711_839_600_000  // 2024-03-31 00:00 in Berlin
        #expect(format.day(spring) == format.day(spring - 1) + 1)
        #expect(format.day(spring + 23 * 60 * minute - 1) == format.day(spring))
        #expect(format.day(spring + 23 * 60 * minute) == format.day(spring) + 1)
    }

    @Test(arguments: [Int64.min, Int64.max, -62_135_596_800_001, 253_402_300_799_001])
    func absurdTimesAreShownAsTheNearestOne(time: Int64) {
        #expect(!english.time(time).isEmpty)
        #expect(!english.date(time).isEmpty)
        _ = english.day(time)
    }

    @Test(arguments: [(0, "0:00"), (999, "0:00"), (65_000, "1:05"), (3_600_000, "60:00"), (-5, "0:00")])
    func durations(milliseconds: Int64, text: String) {
        #expect(english.duration(milliseconds) == text)
        #expect(english.duration(.max) == "5999:59")
    }

    @Test func sizesAreNeverNegative() {
        #expect(english.size(-5) == english.size(0))
    }
}
