import HoldfastBase
import Testing

@Suite struct ExponentialBackoffTests {
    @Test func longestWaitGrowsUpToCeiling() {
        let waits = ExponentialBackoff(base: 250, multiplier: 10, ceiling: 60_000)
        #expect((-1...4).map { waits.longest(after: $0) } == [250, 250, 2_500, 25_000, 60_000, 60_000])
        #expect(ExponentialBackoff(base: 500, multiplier: 1, ceiling: 900).longest(after: .max) == 500)
        #expect(ExponentialBackoff(base: 0, multiplier: 0, ceiling: -5).longest(after: 9) == 1)
        #expect(ExponentialBackoff(base: 3, multiplier: .max, ceiling: .max).longest(after: .max) == .max)
    }

    @Test func waitIsBetweenZeroAndLongest() {
        let waits = ExponentialBackoff(base: 4, ceiling: 100)
        #expect((0...10).map { waits.wait(after: 1, entropy: $0) } == [0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1])
        #expect(ExponentialBackoff(base: .max, ceiling: .max).wait(after: 0, entropy: .max) == .max)
    }
}
