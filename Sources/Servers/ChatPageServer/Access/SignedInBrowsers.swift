import Crypto

/// The browsers that are signed in: the digest of each one's cookie, and its visitor.
///
/// A value without a clock: the caller passes the time in milliseconds of a monotonic clock.
struct SignedInBrowsers: Sendable {
    private struct Entry: Sendable {
        var visitor: ChatPageVisitor
        var expires: Int64
        var lastUsed: Int64
    }

    /// The maximum number of browsers of one visitor. A further one signs out the one that was used least recently.
    static let limitPerVisitor = 16

    private let limit: Int
    private let lifetime: Int64
    private var entries: [SHA256Digest: Entry] = [:]

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of browsers. A further one signs out the one that was used least recently.
    ///   - lifetime: The time in milliseconds after which a browser must sign in again.
    init(limit: Int, lifetime: Int64) {
        self.limit = max(1, limit)
        self.lifetime = lifetime
    }

    /// The number of browsers.
    var count: Int { entries.count }

    /// Signs in a browser. A text that is not a ``Secret`` is ignored.
    mutating func signIn(_ cookie: String, as visitor: ChatPageVisitor, at now: Int64) {
        guard let digest = Secret.digest(cookie) else { return }
        entries = entries.filter { $0.value.expires > now }
        if entries.values.count(where: { $0.visitor == visitor }) >= Self.limitPerVisitor {
            removeLeastRecent { $0.visitor == visitor }
        }
        if entries.count >= limit { removeLeastRecent { _ in true } }
        entries[digest] = Entry(visitor: visitor, expires: now + lifetime, lastUsed: now)
    }

    /// Returns the visitor of a cookie's digest; `nil` if the browser is not signed in.
    ///
    /// The table is searched by digest, whose time reveals nothing about other cookies.
    mutating func visitor(of digest: SHA256Digest, at now: Int64) -> ChatPageVisitor? {
        guard let entry = entries[digest] else { return nil }
        guard entry.expires > now else {
            entries[digest] = nil
            return nil
        }
        entries[digest]?.lastUsed = now
        return entry.visitor
    }

    /// Signs out every browser of a visitor.
    mutating func signOut(_ visitor: ChatPageVisitor) {
        entries = entries.filter { $0.value.visitor != visitor }
    }

    private mutating func removeLeastRecent(where fits: (Entry) -> Bool) {
        let oldest = entries.filter { fits($0.value) }.min { $0.value.lastUsed < $1.value.lastUsed }
        if let oldest { entries[oldest.key] = nil }
    }
}
