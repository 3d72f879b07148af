import OrderedCollections

/// The sessions of operators who have signed in. Ids are random and passed in. A session ends at its time, when its
/// operator signs out, or when there are too many; the oldest ends first.
package struct DeskSessions: Hashable, Sendable {
    private var sessions: OrderedDictionary<String, DeskSession> = [:]
    private let limit: Int
    /// The length of a session in nanoseconds.
    private let length: Int64

    /// Creates an empty list.
    package init(limit: Int = 100, length: Int64 = 43_200_000_000_000) {
        self.limit = limit
        self.length = length
    }

    /// Begins a session.
    ///
    /// - Parameters:
    ///   - id: The secret id, which only the session's cookie contains.
    ///   - number: The public number, which pages may contain.
    ///   - form: The secret token of the session's forms.
    package mutating func begin(id: String, number: String, form: String, for person: DeskOperator, at now: Int64) {
        sessions.removeAll { $0.value.expires <= now }
        while sessions.count >= max(1, limit) { sessions.removeFirst() }
        sessions[id] = DeskSession(
            operator: person, number: number, form: form, expires: now.addingClamped(length))
    }

    /// Returns the session with this id; `nil` if it is unknown or has ended.
    package func session(_ id: String, at now: Int64) -> DeskSession? {
        sessions[id].flatMap { $0.expires > now ? $0 : nil }
    }

    /// Ends a session. Returns it, if it was known.
    package mutating func end(_ id: String) -> DeskSession? { sessions.removeValue(forKey: id) }
}

/// A session of an operator.
package struct DeskSession: Hashable, Sendable {
    package var `operator`: DeskOperator
    /// The public number of the session.
    package var number: String
    /// The token that the session's forms contain.
    package var form: String
    /// When the session ends, on the monotonic clock.
    package var expires: Int64
}

/// Limits attempts to sign in: a number of attempts at once for each address, and then one in each interval. A
/// successful attempt does not count.
package struct SignInAttempts: Hashable, Sendable {
    private struct Record: Hashable, Sendable {
        var attempts: Int
        /// When the number of attempts decreases by one.
        var next: Int64
    }

    private var records: OrderedDictionary<[UInt8], Record> = [:]
    private let burst: Int
    /// The interval in nanoseconds.
    private let interval: Int64
    /// The maximum number of addresses; the oldest is forgotten.
    private let addresses: Int

    /// Creates an empty list.
    package init(burst: Int = 10, interval: Int64 = 30_000_000_000, addresses: Int = 1_024) {
        self.burst = burst
        self.interval = interval
        self.addresses = addresses
    }

    /// Counts an attempt. Returns `nil` if it is allowed, or else the time until the next one in nanoseconds.
    package mutating func begin(_ address: [UInt8], at now: Int64) -> Int64? {
        var record = records[address] ?? Record(attempts: 0, next: now.addingClamped(interval))
        if record.next <= now {
            let passed = (now - record.next) / max(1, interval) + 1
            record.attempts = max(0, record.attempts - Int(clamping: passed))
            record.next = now.addingClamped(interval)
        }
        guard record.attempts < burst else {
            records[address] = record
            return max(1, record.next - now)
        }
        if record.attempts == 0 { record.next = now.addingClamped(interval) }
        record.attempts += 1
        if records[address] == nil, records.count >= max(1, addresses) { records.removeFirst() }
        records[address] = record
        return nil
    }

    /// Removes an attempt that was successful.
    package mutating func succeeded(_ address: [UInt8]) {
        records[address]?.attempts -= 1
    }
}
