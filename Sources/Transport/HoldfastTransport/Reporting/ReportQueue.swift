package import HoldfastTrust

/// Decides which report is sent next, and when. It does not access a clock, a disk or a random number generator.
///
/// The queue is bounded. A failed attempt delays all reports to the same address, but no others.
package struct ReportQueue: Hashable, Sendable {
    /// A waiting report, whose body is on disk.
    package struct Entry: Hashable, Sendable {
        package var id: String
        package var url: String
        /// A pseudonym for the host of the failed rule.
        package var about: String
        package var created: Timestamp
        /// The number of times that a collector responded without accepting the report. It is limited.
        package var attempts: Int
        /// The number of attempts, whatever their outcome.
        package var tries: Int
        /// The earliest time for the next attempt.
        package var due: Timestamp
        package var size: Int

        /// Creates an entry.
        package init(
            id: String, url: String, about: String, created: Timestamp, attempts: Int = 0, tries: Int = 0,
            due: Timestamp, size: Int
        ) {
            self.id = id
            self.url = url
            self.about = about
            self.created = created
            self.attempts = attempts
            self.tries = tries
            self.due = due
            self.size = size
        }

        /// Creates an entry for a report; `size` is the size of its file.
        init(_ delivery: ReportDelivery, size: Int) {
            self.id = delivery.id
            self.url = delivery.url
            self.about = delivery.about
            self.created = delivery.created
            self.attempts = delivery.attempts
            self.tries = delivery.tries
            self.due = delivery.due
            self.size = size
        }
    }

    /// The next step.
    package enum Step: Hashable, Sendable {
        /// Send this report.
        case send(Entry)
        /// Drop this report: it is too old, or was tried too often.
        case drop(Entry)
        /// Wait for this number of seconds, or for a new report.
        case wait(Int64)
        /// Wait for a new report.
        case rest
    }

    /// The outcome of an attempt.
    package enum Outcome: Hashable, Sendable {
        case sent
        /// The collector refused the report.
        case refused
        /// The collector responded with a temporary failure. `retryAfter` is the delay that it requested, in seconds.
        case failed(retryAfter: Double?)
        /// There was no response. This does not count as an attempt, because the network may be unavailable for a long
        /// time.
        case unreachable
    }

    /// The action after an attempt.
    package enum Consequence: Hashable, Sendable {
        /// Remove the file.
        case remove
        /// Store this entry.
        case keep(Entry)
        /// The report is unknown; do nothing.
        case nothing
    }

    /// The delay of an address.
    package struct Hold: Hashable, Sendable {
        package var failures: Int
        package var until: Timestamp

        package init(failures: Int, until: Timestamp) {
            self.failures = failures
            self.until = until
        }
    }

    package let limits: ReportSpoolLimits
    package let backoff: Backoff
    /// The waiting reports, oldest first.
    package private(set) var entries: [Entry] = []
    /// The total size of the reports, in bytes.
    package private(set) var bytes = 0
    /// The delays, by address.
    package private(set) var holds: [String: Hold] = [:]

    package init(limits: ReportSpoolLimits, backoff: Backoff) {
        self.limits = limits
        self.backoff = backoff
    }

    /// Creates a queue with the state of an earlier one. `entries` must be sorted by their creation.
    package init(limits: ReportSpoolLimits, backoff: Backoff, entries: [Entry], holds: [String: Hold]) {
        self.init(limits: limits, backoff: backoff)
        self.entries = entries
        self.holds = holds
        self.bytes = entries.reduce(0) { $0 + $1.size }
    }

    /// Returns whether there is room for another report of this size.
    func hasRoom(for size: Int) -> Bool {
        entries.count < limits.reports && size >= 0 && size <= limits.bytes - bytes
    }

    /// Returns the reports to remove for a new report: none if there is room, or `nil` if the new report must be
    /// dropped.
    ///
    /// The newest report about the host with the most reports is removed, if that host then still has at least as many
    /// reports as the new report's host. A flood about one host therefore only fills unused places, and the first
    /// report about another host always gets a place.
    func displaced(by size: Int, about host: String) -> [Entry]? {
        guard size >= 0, size <= limits.bytes, limits.reports > 0 else { return nil }
        var rest = entries
        var displaced: [Entry] = []
        var free = limits.bytes - bytes
        while rest.count >= limits.reports || size > free {
            let counts = rest.reduce(into: [String: Int]()) { $0[$1.about, default: 0] += 1 }
            guard let most = counts.values.max(), most > counts[host, default: 0] + 1,
                let index = rest.lastIndex(where: { counts[$0.about] == most })
            else { return nil }
            displaced.append(rest.remove(at: index))
            free += displaced.last?.size ?? 0
        }
        return displaced
    }

    /// Adds a report. Returns `false` if there is no room.
    mutating func add(_ entry: Entry) -> Bool {
        guard hasRoom(for: entry.size), !entries.contains(where: { $0.id == entry.id }) else { return false }
        let place = entries.firstIndex { $0.created > entry.created } ?? entries.endIndex
        entries.insert(entry, at: place)
        bytes += entry.size
        return true
    }

    /// Restores a report from disk after a restart, together with the delay of its address.
    mutating func restore(_ entry: Entry) -> Bool {
        guard add(entry) else { return false }
        guard entry.tries > 0 else { return true }
        let known = holds[entry.url]
        holds[entry.url] = Hold(
            failures: max(known?.failures ?? 0, entry.tries), until: max(known?.until ?? entry.due, entry.due))
        return true
    }

    /// Returns the next step. The report with the fewest attempts is sent first, then the oldest, so that a report that
    /// its collector always rejects does not block others.
    mutating func next(at now: Timestamp) -> Step {
        settle(at: now)
        if let old = entries.first(where: { isOver($0, at: now) }) {
            forget(old.id)
            return .drop(old)
        }
        var soonest: Timestamp?
        var best: Entry?
        for entry in entries {
            let ready = max(entry.due, holds[entry.url]?.until ?? entry.due)
            if ready > now {
                soonest = min(soonest ?? ready, ready)
            } else if best.map({ entry.tries < $0.tries }) ?? true {
                best = entry
            }
        }
        if let best { return .send(best) }
        guard let soonest else { return .rest }
        return .wait(max(1, soonest.secondsSince1970 - now.secondsSince1970))
    }

    /// Processes the end of an attempt.
    mutating func ended(_ id: String, _ outcome: Outcome, at now: Timestamp, entropy: UInt64) -> Consequence {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return .nothing }
        let url = entries[index].url
        switch outcome {
        case .sent, .refused:
            holds[url] = nil
            forget(id)
            return .remove
        case .failed(let retryAfter):
            entries[index].attempts = min(entries[index].attempts, 1_000_000) + 1
            return hold(index, retryAfter: retryAfter, at: now, entropy: entropy)
        case .unreachable: return hold(index, retryAfter: nil, at: now, entropy: entropy)
        }
    }

    /// Delays the address and the report. The report has its own delay, because a success of another report ends only
    /// the delay of the address.
    private mutating func hold(
        _ index: Int, retryAfter: Double?, at now: Timestamp, entropy: UInt64
    ) -> Consequence {
        let url = entries[index].url
        let failures = min((holds[url]?.failures ?? 0) + 1, 1_000)
        entries[index].tries = min(entries[index].tries, 1_000_000) + 1
        let delay = backoff.delay(failures: failures, retryAfter: retryAfter, entropy: entropy)
        let own = backoff.delay(failures: entries[index].tries, retryAfter: retryAfter, entropy: entropy)
        holds[url] = Hold(failures: failures, until: now.advanced(bySeconds: delay))
        entries[index].due = now.advanced(bySeconds: max(delay, own))
        return .keep(entries[index])
    }

    /// Delays a report that cannot be read from disk. The address is not delayed.
    mutating func postpone(_ id: String, until due: Timestamp) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        entries[index].due = due
    }

    /// Removes a report.
    mutating func forget(_ id: String) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        let entry = entries.remove(at: index)
        bytes -= entry.size
        if !entries.contains(where: { $0.url == entry.url }) { holds[entry.url] = nil }
    }

    /// Returns whether a report has reached its limits. A report without any attempt gets one, however old it is: a
    /// clock that was set forward, or a machine that was off, must not cause its loss.
    private func isOver(_ entry: Entry, at now: Timestamp) -> Bool {
        entry.attempts >= limits.attempts
            || (entry.tries > 0 && now.secondsSince1970 - entry.created.secondsSince1970 > limits.age)
    }

    /// Adjusts times in the future after the clock was set back, so that no report waits longer than permitted.
    private mutating func settle(at now: Timestamp) {
        let latest = now.advanced(bySeconds: backoff.longest)
        for index in entries.indices {
            if entries[index].created > now {
                entries[index].created = now
                if entries[index].tries == 0 { entries[index].due = now }
            }
            entries[index].due = min(entries[index].due, latest)
        }
        for (url, hold) in holds where hold.until > latest { holds[url]?.until = latest }
    }
}
