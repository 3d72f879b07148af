import HoldfastTrust

/// Which report is sent next, and when. A value: nothing in it reads a clock, a disk or a random number.
///
/// What waits is bounded. A failure concerns an address and not a report: while one is being given time, nothing is sent to it, and
/// the others are none the worse for it.
struct ReportQueue: Hashable, Sendable {
    /// A report that waits; its body is on the disk.
    struct Entry: Hashable, Sendable {
        var id: String
        var url: String
        /// Stands for the host of the rule that it is about.
        var about: String
        var created: Timestamp
        /// How often a collector answered, and did not take it. These are limited in number.
        var attempts: Int
        /// How often it was tried, whatever came of it.
        var tries: Int
        /// Not to be tried before.
        var due: Timestamp
        var size: Int

        /// What there is to know about a report without its body; `size` is the file's.
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

    /// What is to be done.
    enum Step: Hashable, Sendable {
        /// Send this one.
        case send(Entry)
        /// Drop this one: it is too old, or was tried too often.
        case drop(Entry)
        /// Wait so many seconds, unless something new comes.
        case wait(Int64)
        /// Wait until something comes.
        case rest
    }

    /// How an attempt ended.
    enum Outcome: Hashable, Sendable {
        case sent
        /// The collector does not want it.
        case refused
        /// The collector answered, and it may work later; `retryAfter` is what it asked for, in seconds.
        case failed(retryAfter: Double?)
        /// There was no answer: a matter of the network, which may be away for longer than a report has attempts.
        case unreachable
    }

    /// What follows from it.
    enum Consequence: Hashable, Sendable {
        /// Remove the file.
        case remove
        /// Keep it as it is now.
        case keep(Entry)
        /// Nobody knows it any more.
        case nothing
    }

    private struct Hold: Hashable {
        var failures: Int
        var until: Timestamp
    }

    let limits: ReportSpoolLimits
    let backoff: Backoff
    /// Oldest first.
    private(set) var entries: [Entry] = []
    /// The bytes of all of them.
    private(set) var bytes = 0
    private var holds: [String: Hold] = [:]

    init(limits: ReportSpoolLimits, backoff: Backoff) {
        self.limits = limits
        self.backoff = backoff
    }

    /// Whether there is room for one more report of that size.
    func hasRoom(for size: Int) -> Bool {
        entries.count < limits.reports && size >= 0 && size <= limits.bytes - bytes
    }

    /// Which reports give up their places for one more of that size: none where there is room, `nil` where it gets no place.
    ///
    /// Of the rule's host that has most reports the newest goes, as long as that one still has more than the host of the new one then
    /// has. So a flood about one host fills what nobody else needs, and the first report about another always has a place.
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

    /// Takes a report; `false` where there is no room for it.
    mutating func add(_ entry: Entry) -> Bool {
        guard hasRoom(for: entry.size), !entries.contains(where: { $0.id == entry.id }) else { return false }
        let place = entries.firstIndex { $0.created > entry.created } ?? entries.endIndex
        entries.insert(entry, at: place)
        bytes += entry.size
        return true
    }

    /// Takes a report that was kept on the disk over a restart, with the time that its address was being given.
    mutating func restore(_ entry: Entry) -> Bool {
        guard add(entry) else { return false }
        guard entry.tries > 0 else { return true }
        let known = holds[entry.url]
        holds[entry.url] = Hold(
            failures: max(known?.failures ?? 0, entry.tries), until: max(known?.until ?? entry.due, entry.due))
        return true
    }

    /// What is to be done now. What was tried least goes first, so that a report that its collector cannot digest keeps no other
    /// back; of these the oldest.
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

    /// An attempt has ended.
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

    /// Gives the address time, and the report as much as it has needed itself: another one that succeeds ends the first alone.
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

    /// The report cannot be had from the disk just now. That concerns no address.
    mutating func postpone(_ id: String, until due: Timestamp) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        entries[index].due = due
    }

    /// The report is gone, for whatever reason.
    mutating func forget(_ id: String) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        let entry = entries.remove(at: index)
        bytes -= entry.size
        if !entries.contains(where: { $0.url == entry.url }) { holds[entry.url] = nil }
    }

    /// However old one is that was never tried, it has one attempt: a clock that was set forward, or a machine that was off, must
    /// not be enough to lose it.
    private func isOver(_ entry: Entry, at now: Timestamp) -> Bool {
        entry.attempts >= limits.attempts
            || (entry.tries > 0 && now.secondsSince1970 - entry.created.secondsSince1970 > limits.age)
    }

    /// A clock that went back makes what lies in the future begin now, so that nothing waits for longer than it may.
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
