import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

@Suite("Timestamps")
struct TimestampTests {
    @Test(
        "known instants",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1), ("2000-02-29T00:00:00Z", 951_782_400),
            ("2031-03-15T12:00:00Z", 1_931_342_400), ("0000-01-01T00:00:00Z", -62_167_219_200),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
        ] as [(String, Int64)])
    func known(text: String, seconds: Int64) {
        let instant = Timestamp(secondsSince1970: seconds)
        #expect(Timestamp(iso8601: text) == instant)
        #expect(instant.description == text)
    }

    @Test("reads back a printed instant")
    func roundTrip() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<3_000 {
            let instant = Timestamp(
                secondsSince1970: Int64.random(in: -62_167_219_200...253_402_300_799, using: &random))
            guard Timestamp(iso8601: instant.description) == instant else {
                Issue.record("\(instant.secondsSince1970) is printed as \(instant)")
                return
            }
        }
    }

    @Test(
        "29 February", arguments: [(1900, false), (2000, true), (2023, false), (2024, true), (2100, false), (0, true)])
    func leapDays(year: Int, exists: Bool) {
        #expect((Timestamp(year: year, month: 2, day: 29, hour: 0, minute: 0, second: 0) != nil) == exists)
    }

    @Test(
        "reads other spellings of an instant",
        arguments: [
            "2031-03-15T12:00:00.999Z", "2031-03-15t12:00:00z", "2031-03-15 12:00:00Z", "2031-03-15T14:00:00+02:00",
            "2031-03-15T06:30:00-05:30",
        ])
    func spellings(text: String) {
        #expect(Timestamp(iso8601: text) == CertificateFactory.referenceTime)
    }

    @Test("a date alone is its first second")
    func dateAlone() {
        #expect(Timestamp(iso8601: "2031-03-15")?.description == "2031-03-15T00:00:00Z")
    }

    @Test(
        "refuses invalid text",
        arguments: [
            "", "2031", "2031-3-15", "2031-03-15T", "2031-03-15T12:00Z", "2031-03-15T12:00:00", "2031-13-01",
            "2031-00-01",
            "2031-02-30", "2031-03-15T24:00:00Z", "2031-03-15T12:60:00Z", "2031-03-15T12:00:61Z",
            "2031-03-15T12:00:00.Z",
            "2031-03-15T12:00:00+0200", "2031-03-15T12:00:00+24:00", "2031-03-15T12:00:00Zx", " 2031-03-15",
            "+031-03-15",
            "२०३१-03-15",
        ])
    func refused(text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test("arithmetic is clamped, and printing never traps")
    func extremes() {
        #expect(Timestamp(secondsSince1970: .max).advanced(bySeconds: 1).secondsSince1970 == .max)
        #expect(Timestamp(secondsSince1970: .min).advanced(bySeconds: -1).secondsSince1970 == .min)
        #expect(Timestamp(secondsSince1970: .max).description == "@9223372036854775807")
        #expect(Timestamp(secondsSince1970: .min).description == "@-9223372036854775808")
    }
}
