import Testing

@testable import PinReportCollector

/// Limits a peer's requests.
@Suite("Rate limit")
struct RateLimiterTests {
    private let second: Int64 = 1_000_000_000

    @Test func burstIsAllowedAndRefills() {
        var limiter = RateLimiter<Int>(burst: 3, perMinute: 60, tableLimit: 10)
        #expect((0..<3).map { _ in limiter.admit(1, at: 0) } == [0, 0, 0])
        #expect(limiter.admit(1, at: 0) == 1)
        #expect(limiter.admit(1, at: second - 1) == 1)
        #expect(limiter.admit(1, at: second) == 0)
        #expect(limiter.admit(1, at: second) == 1)
        // Never more than a burst, however long the pause.
        #expect((0..<4).map { _ in limiter.admit(1, at: 1_000 * second) } == [0, 0, 0, 1])
    }

    @Test func waitCountsNothing() {
        var limiter = RateLimiter<Int>(burst: 2, perMinute: 60, tableLimit: 1)
        #expect(limiter.wait(for: 1, at: 0) == 0)
        for _ in 0..<2 { #expect(limiter.admit(1, at: 0) == 0) }
        #expect(limiter.wait(for: 1, at: 0) == 1)
        #expect(limiter.wait(for: 1, at: second) == 0)
    }

    /// A full table must not lock out a peer without requests, and must not lose the limit of another.
    @Test func fullTableDoesNotDelayNewPeers() {
        var limiter = RateLimiter<Int>(burst: 2, perMinute: 60, tableLimit: 1)
        for _ in 0..<2 { #expect(limiter.admit(1, at: 0) == 0) }
        for _ in 0..<2 { #expect(limiter.admit(2, at: 0) == 0) }
        #expect(limiter.admit(2, at: 0) == 1)
        #expect(limiter.wait(for: 1, at: 0) == 1)
        #expect(limiter.wait(for: 3, at: 0) == 0)
        // Requests of new peers count for all of them.
        #expect(limiter.admit(3, at: 0) == 1)
    }

    @Test func peersAreIndependent() {
        var limiter = RateLimiter<Int>(burst: 1, perMinute: 1, tableLimit: 10)
        #expect(limiter.admit(1, at: 0) == 0)
        #expect(limiter.admit(1, at: 0) == 60)
        #expect(limiter.admit(2, at: 0) == 0)
    }

    @Test func tableIsBoundedAndFloodKeepsLimits() {
        var limiter = RateLimiter<Int>(burst: 2, perMinute: 60, tableLimit: 100)
        #expect((0..<3).map { _ in limiter.admit(-1, at: 0) } == [0, 0, 1])
        let admitted = (0..<100_000).count { limiter.admit($0, at: 0) == 0 }
        #expect(limiter.count == 100)
        // The table's 99 other entries, and two for all new peers together.
        #expect(admitted == 99 + 2)
        #expect(limiter.admit(-1, at: 0) == 1)
        // Full buckets are removed.
        #expect(limiter.admit(500_000, at: 10 * second) == 0)
        #expect(limiter.count == 1)
    }

    @Test func clockGoingBackRefillsNothing() {
        var limiter = RateLimiter<Int>(burst: 1, perMinute: 60, tableLimit: 10)
        #expect(limiter.admit(1, at: 100 * second) == 0)
        #expect(limiter.admit(1, at: 0) == 1)
        #expect(limiter.admit(1, at: .min) == 1)
        #expect(limiter.admit(1, at: 101 * second) == 0)
    }

    @Test func chargesDelayRequests() {
        var limiter = RateLimiter<Int>(burst: 3, perMinute: 60, tableLimit: 1)
        #expect(limiter.admit(1, at: 0) == 0)
        limiter.charge(1, 9, at: 0)
        // Ten are charged; the next request is allowed when two are left.
        #expect(limiter.admit(1, at: 0) == 8)
        #expect(limiter.admit(1, at: 8 * second) == 0)
        // The table is full: new peers share one bucket.
        #expect(limiter.admit(2, at: 8 * second) == 0)
        limiter.charge(3, 4, at: 8 * second)
        #expect(limiter.admit(2, at: 8 * second) == 3)
        limiter.charge(1, .max, at: .max)
        limiter.charge(1, .max, at: .max)
        #expect(limiter.admit(1, at: .max) > 0)
    }

    @Test func noBurstMeansNoLimit() {
        var limiter = RateLimiter<Int>(burst: 0, perMinute: 0, tableLimit: 1)
        #expect((0..<1_000).allSatisfy { limiter.admit($0, at: 0) == 0 })
        limiter.charge(1, 9, at: 0)
        #expect(limiter.count == 0)
    }

    @Test func extremeNumbersDoNotTrap() {
        var limiter = RateLimiter<Int>(burst: .max, perMinute: 1, tableLimit: 1)
        #expect(limiter.admit(1, at: .max) == 0)
        #expect(limiter.admit(1, at: .min) == 0)
        var fast = RateLimiter<Int>(burst: 1, perMinute: .max, tableLimit: 0)
        #expect(fast.admit(1, at: .min) == 0)
    }
}
