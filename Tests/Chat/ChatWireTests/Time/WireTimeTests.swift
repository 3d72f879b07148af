import ChatWire
import Testing

@Suite struct WireTimeTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00.000Z", Int64(0)), ("2025-03-06T16:12:51.438Z", 1_741_277_571_438),
        ("1969-12-31T23:59:59.999Z", -1), ("2000-02-29T12:00:00.001Z", 951_825_600_001),
        ("2024-12-31T23:59:59.999Z", 1_735_689_599_999), ("9999-12-31T23:59:59.999Z", WireTime.latest),
        ("0000-01-01T00:00:00.000Z", WireTime.earliest), ("1900-03-01T00:00:00.000Z", -2_203_891_200_000),
    ])
    func textAndMilliseconds(_ text: String, _ milliseconds: Int64) {
        #expect(WireTime.text(milliseconds) == text)
        #expect(WireTime.milliseconds(text) == milliseconds)
    }

    @Test(arguments: [
        ("1970-01-01T00:00:01Z", Int64(1000)), ("1970-01-01T00:00:01.5Z", 1500), ("1970-01-01T00:00:00.1239Z", 123),
        ("1970-01-01T03:00:00+03:00", 0), ("1969-12-31T19:00:00.000-0500", 0), ("1970-01-01 00:00:00z", 0),
        ("2016-12-31T23:59:60Z", 1_483_228_800_000),
    ])
    func otherFormatsAreRead(_ text: String, _ milliseconds: Int64) {
        #expect(WireTime.milliseconds(text) == milliseconds)
    }

    @Test(arguments: [
        "", "2025", "2025-03-06", "2025-02-29T00:00:00Z", "2025-13-01T00:00:00Z", "2025-00-01T00:00:00Z",
        "2025-01-00T00:00:00Z", "2025-04-31T00:00:00Z", "2025-01-01T24:00:00Z", "2025-01-01T00:60:00Z",
        "2025-01-01T00:00:61Z", "2025-01-01T00:00:00", "2025-01-01T00:00:00.Z", "2025-01-01T00:00:00Zz",
        "2025-01-01T00:00:00+3", "2025-01-01T00:00:00+24:00", "+025-01-01T00:00:00Z", "２025-01-01T00:00:00Z",
    ])
    func invalidTimesAreNil(_ text: String) {
        #expect(WireTime.milliseconds(text) == nil)
    }

    @Test func everyDayOfFourCenturiesRoundTrips() {
        var previous = ""
        for day in stride(from: Int64(-146_097), through: 146_097, by: 1) {
            let text = WireTime.text(day * 86_400_000)
            #expect(WireTime.milliseconds(text) == day * 86_400_000)
            #expect(text > previous)
            previous = text
        }
    }

    @Test func momentsOutsideFourDigitYearsAreClamped() {
        #expect(WireTime.text(.max) == "9999-12-31T23:59:59.999Z")
        #expect(WireTime.text(.min) == "0000-01-01T00:00:00.000Z")
    }
}
