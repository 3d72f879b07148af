import Testing

@testable import ChatCenter

@Suite struct ClampedTimeoutTests {
    @Test(
        "every number of seconds becomes a usable duration",
        arguments: [
            (30.0, Duration.seconds(30), false), (0.25, .milliseconds(250), false), (0, .milliseconds(1), true),
            (-1, .milliseconds(1), true), (0.000_001, .milliseconds(1), true), (.infinity, .seconds(31_536_000), true),
            (-.infinity, .milliseconds(1), true), (.nan, .seconds(20), true),
            (.greatestFiniteMagnitude, .seconds(31_536_000), true), (31_536_000, .seconds(31_536_000), false),
        ] as [(Double, Duration, Bool)])
    func table(seconds: Double, expected: Duration, clamped: Bool) {
        let timeout = ClampedTimeout(seconds: seconds, documented: .seconds(20))
        #expect(timeout.duration == expected)
        #expect(timeout.wasClamped == clamped)
    }
}
