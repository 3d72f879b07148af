import HoldfastBase
import Testing

@Suite struct TimeTests {
    @Test(
        arguments: [
            (0, 1, 1, -719_528), (1600, 2, 29, -135_081), (1900, 2, 28, -25_509), (1969, 12, 31, -1), (1970, 1, 1, 0),
            (2000, 2, 29, 11_016), (2024, 12, 31, 20_088), (9999, 12, 31, 2_932_896),
        ] as [(Int64, Int64, Int64, Int64)])
    func countsDays(year: Int64, month: Int64, day: Int64, days: Int64) throws {
        let date = try #require(CivilDate(year: year, month: month, day: day))
        #expect(date.daysSince1970 == days)
        #expect(CivilDate(daysSince1970: days) == date)
    }

    @Test func everyDayRoundTrips() throws {
        for days in stride(from: -719_528 as Int64, through: 2_932_896, by: 89) {
            let date = CivilDate(daysSince1970: days)
            #expect(CivilDate(year: date.year, month: date.month, day: date.day)?.daysSince1970 == days)
        }
        #expect(CivilDate(daysSince1970: .min) == CivilDate(year: 0, month: 1, day: 1))
        #expect(CivilDate(daysSince1970: .max) == CivilDate(year: 9999, month: 12, day: 31))
    }

    @Test(
        arguments: [
            (2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 13, 1), (2024, 0, 1), (2024, 1, 0), (2024, 1, 32),
            (-1, 1, 1),
            (10_000, 1, 1), (.max, 1, 1),
        ] as [(Int64, Int64, Int64)])
    func refusesInvalidDays(year: Int64, month: Int64, day: Int64) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ] as [(String, Int64)])
    func readsAndWritesDates(text: String, seconds: Int64) {
        #expect(HTTPDate(text)?.seconds == seconds)
        #expect(HTTPDate(seconds: seconds)?.description == text)
    }

    @Test(arguments: [
        "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 1994 08:49:37 CET", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08-49-37 GMT",
        "Sun  06 Nov 1994 08:49:37 GMT", "Sun, 0６ Nov 1994 8:49:37 GMT", "     , 6 Nov 1994 08:49:37 GMT",
    ])
    func refusesInvalidDates(text: String) {
        #expect(HTTPDate(text) == nil)
    }

    @Test func writesOnlyYears1970To9999() {
        #expect(HTTPDate(seconds: -1) == nil)
        #expect(HTTPDate(seconds: 253_402_300_800) == nil)
        #expect(HTTPDate(seconds: .max) == nil)
    }

    @Test(
        arguments: [
            ("0", 0, 0), ("120", 120, 120_000), (" 7\t", 7, 7_000),
            ("999999999999999", 999_999_999_999_999, 999_999_999_999_999_000),
            ("9999999999999999999", .max, .max), ("Sun, 06 Nov 1994 08:49:37 GMT", 37, 36_750),
            ("Sun, 06 Nov 1994 08:00:00 GMT", 0, 0),
        ] as [(String, Int64, Int64)])
    func readsWaits(text: String, seconds: Int64, milliseconds: Int64) throws {
        // The time is a quarter of a second after 1994-11-06T08:49:00Z.
        let wait = try #require(RetryAfter(text))
        #expect(wait.seconds(from: 784_111_740) == seconds)
        #expect(wait.milliseconds(from: 784_111_740_250) == milliseconds)
    }

    @Test(arguments: [nil, "", " ", "-1", "+1", "1.5", "soon", "١٢", "1 2", "Sun, 31 Feb 1994 08:49:37 GMT"])
    func refusesInvalidFields(text: String?) {
        #expect(RetryAfter(text) == nil)
    }

    @Test func clampsWaitToMaximum() throws {
        let wait = try #require(RetryAfter("Sun, 06 Nov 1994 08:49:37 GMT"))
        #expect(wait.seconds(from: .min) == .max)
    }
}
