import Crypto

/// The sessions of the desk and the tokens that begin one. A value: times and random texts are parameters.
struct DeskSessions {
    /// The maximum number of sessions; the one that was used least recently ends first.
    static let limit = 64
    /// The time after the last use at which a session ends, in nanoseconds: 8 hours.
    static let idleTime: Int64 = 8 * 3_600 * 1_000_000_000
    /// The time in nanoseconds after which a session ends in any case: 24 hours.
    static let longestTime: Int64 = 24 * 3_600 * 1_000_000_000
    /// The maximum number of one-time tokens; the oldest one becomes invalid first.
    static let oneTimeLimit = 16
    /// The time for which a one-time token is valid: 15 minutes.
    static let oneTimeTime: Int64 = 15 * 60 * 1_000_000_000

    /// A signed-in person.
    struct Session: Hashable, Sendable {
        /// The number for the server's own use. It is not a secret.
        var number: Int
        /// The name in the history of incidents.
        var name: String
        /// The token of the session's forms.
        var form: String
    }

    private struct Entry {
        var session: Session
        let begun: Int64
        var used: Int64
    }

    /// By the digest of the secret id, so that the time of a look-up reveals nothing about an id.
    private var entries: [SHA256Digest: Entry] = [:]
    private var oneTimes: [(digest: SHA256Digest, ends: Int64)] = []
    private var nextNumber = 1

    /// Begins a session with a secret id.
    mutating func begin(id: String, name: String, form: String, at now: Int64) {
        removeEnded(at: now)
        if entries.count >= Self.limit, let oldest = entries.min(by: { $0.value.used < $1.value.used }) {
            entries[oldest.key] = nil
        }
        let session = Session(number: nextNumber, name: name, form: form)
        nextNumber += 1
        entries[Self.digest(id)] = Entry(session: session, begun: now, used: now)
    }

    /// Returns the session with a secret id, and counts a use.
    mutating func use(_ id: String, at now: Int64) -> Session? {
        removeEnded(at: now)
        let key = Self.digest(id)
        entries[key]?.used = now
        return entries[key]?.session
    }

    /// Returns whether a session has not ended. Does not count as a use.
    mutating func isLive(_ number: Int, at now: Int64) -> Bool {
        removeEnded(at: now)
        return entries.values.contains { $0.session.number == number }
    }

    /// Ends a session. Returns it.
    mutating func end(_ id: String) -> Session? {
        entries.removeValue(forKey: Self.digest(id))?.session
    }

    /// Adds a token that begins one session.
    mutating func addOneTime(_ token: String, at now: Int64) {
        oneTimes.removeAll { $0.ends <= now }
        if oneTimes.count >= Self.oneTimeLimit { oneTimes.removeFirst() }
        oneTimes.append((Self.digest(token), now + Self.oneTimeTime))
    }

    /// Returns whether a one-time token is valid, and makes it invalid.
    mutating func takeOneTime(_ token: String, at now: Int64) -> Bool {
        oneTimes.removeAll { $0.ends <= now }
        let digest = Self.digest(token)
        guard let index = oneTimes.firstIndex(where: { $0.digest == digest }) else { return false }
        oneTimes.remove(at: index)
        return true
    }

    private mutating func removeEnded(at now: Int64) {
        entries = entries.filter { now - $0.value.used < Self.idleTime && now - $0.value.begun < Self.longestTime }
    }

    private static func digest(_ text: String) -> SHA256Digest { SHA256.hash(data: Array(text.utf8)) }
}
