import HoldfastBase
import HoldfastTrust
import Testing

import HoldfastTransport

/// `Retry-After`, as a number and as a date.
@Suite struct RetryAfterTests {
    @Test func forms() throws {
        let now = try #require(Timestamp(iso8601: "1994-11-06T08:49:00Z"))
        for (text, seconds) in [
            ("0", 0), ("120", 120), (" 7 ", 7), ("999999999999999", 999_999_999_999_999),
            ("9999999999999999999", .infinity),
            (String(repeating: "9", count: 400), .infinity), ("Sun, 06 Nov 1994 08:49:37 GMT", 37),
            ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("Fri, 31 Dec 9999 23:59:59 GMT", 252_618_189_059),
            ("", nil), ("-1", nil), ("1.5", nil), ("soon", nil), ("١٢", nil), ("Sun, 06 Nov 1994 08:49:37 CET", nil),
            ("Sun, 31 Feb 1994 08:49:37 GMT", nil), ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("a b c d e GMT", nil),
        ] as [(String, Double?)] {
            #expect(RetryAfter.seconds(text, now: now) == seconds, "\(text)")
        }
        #expect(RetryAfter.seconds(nil, now: now) == nil)
        let ever = Timestamp(secondsSince1970: .min)
        #expect(RetryAfter.seconds("Sun, 06 Nov 1994 08:49:37 GMT", now: ever) == .infinity)
    }
}
