/// How many requests each peer may make, as a value: one bucket of tokens for each, which fills up with time.
///
/// The table is bounded. Buckets that are full again are forgotten when it is full; if none is, newcomers share one bucket,
/// so that a flood from many addresses cannot push out the record of those that are limited already.
struct RateLimiter<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        /// Nanoseconds of waiting that have been used up.
        var debt: Int64
        var at: Int64
    }

    private let capacity: Int64
    private let cost: Int64
    private let tableLimit: Int
    private var buckets: [Key: Bucket] = [:]
    private var newcomers = Bucket(debt: 0, at: 0)
    /// The earliest time at which looking for full buckets can be worth while again.
    private var nextSweep = Int64.min

    /// Peers that are remembered.
    var count: Int { buckets.count }

    /// Allows `burst` requests at once and `perMinute` more in each minute; a burst of 0 allows everything.
    init(burst: Int, perMinute: Int, tableLimit: Int) {
        let minute: Int64 = 60_000_000_000
        cost = burst == 0 ? 0 : max(1, minute / Int64(clamping: max(1, perMinute)))
        let (product, overflow) = cost.multipliedReportingOverflow(by: Int64(clamping: burst))
        capacity = overflow ? .max / 4 : min(product, .max / 4)
        self.tableLimit = tableLimit
    }

    /// Counts one request at a time in nanoseconds. The answer is 0 if it may go on, or the seconds after which the next
    /// one may.
    mutating func admit(_ key: Key, at now: Int64) -> Int64 {
        guard cost > 0 else { return 0 }
        if var bucket = buckets[key] {
            let wait = take(from: &bucket, at: now)
            buckets[key] = bucket
            return wait
        }
        if buckets.count >= tableLimit { sweep(at: now) }
        guard buckets.count < tableLimit else { return take(from: &newcomers, at: now) }
        var bucket = Bucket(debt: 0, at: now)
        let wait = take(from: &bucket, at: now)
        buckets[key] = bucket
        return wait
    }

    /// The seconds after which a peer may make its next request; 0 if it may now. Counts nothing.
    ///
    /// Only the peer's own requests count. If newcomers waited here for each other, whoever keeps the table full would lock out all
    /// peers that have done nothing yet. ``admit(_:at:)`` still limits newcomers together.
    func wait(for key: Key, at now: Int64) -> Int64 {
        guard cost > 0, let bucket = buckets[key] else { return 0 }
        return wait(debt(of: bucket, at: now))
    }

    private func wait(_ debt: Int64) -> Int64 {
        guard debt > capacity - cost else { return 0 }
        return (debt - (capacity - cost) - 1) / 1_000_000_000 + 1
    }

    /// Counts so many more against a peer that was let in: they are never refused, and the peer's next ones wait for them.
    mutating func charge(_ key: Key, _ count: Int, at now: Int64) {
        guard cost > 0, count > 0 else { return }
        if var bucket = buckets[key] {
            add(count, to: &bucket, at: now)
            buckets[key] = bucket
        } else if buckets.count < tableLimit {
            // It was forgotten since: it had paid.
            var bucket = Bucket(debt: 0, at: now)
            add(count, to: &bucket, at: now)
            buckets[key] = bucket
        } else {
            add(count, to: &newcomers, at: now)
        }
    }

    private func add(_ count: Int, to bucket: inout Bucket, at now: Int64) {
        let (price, overflow) = cost.multipliedReportingOverflow(by: Int64(clamping: count))
        bucket.debt = min(debt(of: bucket, at: now), .max / 4) + (overflow ? .max / 4 : min(price, .max / 4))
        bucket.at = max(bucket.at, now)
    }

    private func take(from bucket: inout Bucket, at now: Int64) -> Int64 {
        bucket.debt = debt(of: bucket, at: now)
        bucket.at = max(bucket.at, now)
        let wait = wait(bucket.debt)
        if wait == 0 { bucket.debt += cost }
        return wait
    }

    private func debt(of bucket: Bucket, at now: Int64) -> Int64 {
        // A clock that goes back gives nothing away.
        guard now > bucket.at else { return bucket.debt }
        let (elapsed, overflow) = now.subtractingReportingOverflow(bucket.at)
        return overflow ? 0 : max(0, bucket.debt - elapsed)
    }

    private mutating func sweep(at now: Int64) {
        guard now >= nextSweep else { return }
        buckets = buckets.filter { debt(of: $0.value, at: now) > 0 }
        // A sweep looks at every bucket: not for each of a flood's requests.
        nextSweep = now.addingReportingOverflow(1_000_000_000).partialValue
    }
}
