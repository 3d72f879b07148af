import Crypto

/// The one-time tokens that are not used yet. Each token signs in one visitor, once and within a time limit.
///
/// A value without a clock: the caller passes the time in milliseconds of a monotonic clock.
struct OneTimeTokens: Sendable {
    private struct Entry: Sendable {
        var digest: SHA256Digest
        var visitor: ChatPageVisitor
        var expires: Int64
    }

    /// The time in milliseconds in which a token can be used.
    static let lifetime: Int64 = 120_000

    private let limit: Int
    /// The unused tokens, oldest first.
    private var entries: [Entry] = []

    /// Creates an empty list.
    ///
    /// - Parameter limit: The maximum number of unused tokens. A further token replaces the oldest one.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// The number of tokens that can still be used.
    var count: Int { entries.count }

    /// Adds a token for a visitor. A text that is not a ``Secret`` is ignored.
    mutating func issue(_ token: String, for visitor: ChatPageVisitor, at now: Int64) {
        guard let digest = Secret.digest(token) else { return }
        expire(at: now)
        if entries.count >= limit { entries.removeFirst() }
        entries.append(Entry(digest: digest, visitor: visitor, expires: now + Self.lifetime))
    }

    /// Returns the visitor of a token and removes the token; `nil` if it is unknown, used or expired.
    ///
    /// Compares the token with every entry, so that the time does not depend on which one matches.
    mutating func redeem(_ token: String, at now: Int64) -> ChatPageVisitor? {
        expire(at: now)
        guard let digest = Secret.digest(token) else { return nil }
        var found: Int?
        for index in entries.indices where entries[index].digest == digest { found = index }
        guard let found else { return nil }
        return entries.remove(at: found).visitor
    }

    /// Removes the tokens of a visitor.
    mutating func revoke(_ visitor: ChatPageVisitor) {
        entries.removeAll { $0.visitor == visitor }
    }

    private mutating func expire(at now: Int64) {
        entries.removeAll { $0.expires <= now }
    }
}
