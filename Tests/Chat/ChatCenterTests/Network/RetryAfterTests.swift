import HoldfastBase
import Testing

@testable import ChatCenter

@Suite struct RetryAfterTests {
    /// 1994-11-06T08:49:37Z
    static let moment: Int64 = 784_111_777_000

    @Test(
        "seconds and dates are parsed, anything else is ignored",
        arguments: [
            ("0", 0), ("120", 120_000), ("999999999", 86_400_000),
            ("Sun, 06 Nov 1994 08:50:37 GMT", 60_000), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
            ("Sun, 06 Nov 2094 08:49:37 GMT", 86_400_000), ("", nil), ("-1", nil), ("1.5", nil), ("soon", nil),
            ("1234567890", 86_400_000), ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun, 6 Nov 1994 08:49:37 GMT", nil),
            ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("Sun, 31 Feb 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:37 +00", nil),
        ] as [(String, Int64?)])
    func table(text: String, expected: Int64?) {
        #expect(RetryAfter.milliseconds(text, now: Self.moment) == expected)
    }

    @Test("without the header there is no wait")
    func missing() {
        #expect(RetryAfter.milliseconds(nil, now: 0) == nil)
    }
}
