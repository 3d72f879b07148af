import HoldfastSystem
import Testing

@Suite("Durations in whole units")
struct WholeUnitsTests {
    @Test("Parts of a unit are dropped on both sides of zero")
    func rounding() {
        #expect(Duration.zero.wholeNanoseconds == 0)
        #expect(Duration.microseconds(1_999).wholeMilliseconds == 1)
        #expect(Duration.microseconds(-1_999).wholeMilliseconds == -1)
        #expect((Duration.seconds(3) + .nanoseconds(4_005)).wholeMicroseconds == 3_000_004)
        #expect(Duration(secondsComponent: -1, attosecondsComponent: -999_999_999).wholeNanoseconds == -1_000_000_000)
    }

    @Test(
        "A duration beyond the range becomes its limit",
        arguments: [Int64.max, 9_223_372_037, Int64.min, -9_223_372_037])
    func limits(seconds: Int64) {
        let duration = Duration(secondsComponent: seconds, attosecondsComponent: 0)
        #expect(duration.wholeNanoseconds == (seconds < 0 ? .min : .max))
    }

    @Test("The last nanoseconds of the range are exact")
    func exact() {
        let duration = Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 854_775_807_000_000_000)
        #expect(duration.wholeNanoseconds == .max)
        #expect((duration - .nanoseconds(1)).wholeNanoseconds == .max - 1)
        #expect((duration + .nanoseconds(1)).wholeNanoseconds == .max)
        let shortest = Duration(secondsComponent: -9_223_372_036, attosecondsComponent: -854_775_808_000_000_000)
        #expect(shortest.wholeNanoseconds == .min)
        #expect((shortest - .nanoseconds(1)).wholeNanoseconds == .min)
    }
}
