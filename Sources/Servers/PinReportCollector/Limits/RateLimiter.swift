/// Limits the requests of each peer with a token bucket, as a value.
///
/// The table is bounded. When it is full, buckets that are full again are removed. If there is none, new peers share
/// one bucket, so that a flood from many addresses cannot remove the entries of limited peers.
struct RateLimiter<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        /// The consumed waiting time in nanoseconds.
        var debt: Int64
        var at: Int64
    }

    private let capacity: Int64
    private let cost: Int64
    private let tableLimit: Int
    private var buckets: [Key: Bucket] = [:]
    private var newcomers = Bucket(debt: 0, at: 0)
    /// The earliest time for the next search for full buckets.
    private var nextSweep = Int64.min

    /// The number of remembered peers.
    var count: Int { buckets.count }

    /// Allows `burst` requests at once and `perMinute` more per minute; a burst of 0 disables the limit.
    init(burst: Int, perMinute: Int, tableLimit: Int) {
        let minute: Int64 = 60_000_000_000
        cost = burst == 0 ? 0 : max(1, minute / Int64(clamping: max(1, perMinute)))
        let (product, overflow) = cost.multipliedReportingOverflow(by: Int64(clamping: burst))
        capacity = overflow ? .max / 4 : min(product, .max / 4)
        self.tableLimit = tableLimit
    }

    /// Counts a request, at a time in nanoseconds. Returns 0 if it is allowed, or the number of seconds until the next
    /// one is allowed.
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

    /// Returns the seconds until a peer's next request is allowed; 0 if it is allowed now. Counts nothing.
    ///
    /// Only the peer's own requests count. If new peers shared a bucket here, an attacker that fills the table could
    /// lock out all peers without an entry. ``admit(_:at:)`` still limits new peers together.
    func wait(for key: Key, at now: Int64) -> Int64 {
        guard cost > 0, let bucket = buckets[key] else { return 0 }
        return wait(debt(of: bucket, at: now))
    }

    private func wait(_ debt: Int64) -> Int64 {
        guard debt > capacity - cost else { return 0 }
        return (debt - (capacity - cost) - 1) / 1_000_000_000 + 1
    }

    /// Charges a peer for additional cost of an admitted request. Charges are never refused, but delay the peer's next
    /// requests.
    mutating func charge(_ key: Key, _ count: Int, at now: Int64) {
        guard cost > 0, count > 0 else { return }
        if var bucket = buckets[key] {
            add(count, to: &bucket, at: now)
            buckets[key] = bucket
        } else if buckets.count < tableLimit {
            // The bucket was removed meanwhile, because it was full.
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
        // A clock that goes back refills nothing.
        guard now > bucket.at else { return bucket.debt }
        let (elapsed, overflow) = now.subtractingReportingOverflow(bucket.at)
        return overflow ? 0 : max(0, bucket.debt - elapsed)
    }

    private mutating func sweep(at now: Int64) {
        guard now >= nextSweep else { return }
        buckets = buckets.filter { debt(of: $0.value, at: now) > 0 }
        // A search examines every bucket, so it does not run for each request of a flood.
        nextSweep = now.addingReportingOverflow(1_000_000_000).partialValue
    }
}
