package import HoldfastTrust

/// The open connections of a dialler, each with what its server sent and whom it was judged for: what is needed to judge
/// it again.
package struct ConnectionLedger: Sendable {
    /// One open connection.
    package struct Entry: Hashable, Sendable {
        /// Its number.
        package var id: TransportConnectionID
        /// Whom the server was judged for.
        package var subject: TrustSubject
        /// What the server sent; `nil` without TLS.
        package var presented: PresentedChain?
        /// The revision of the policy by which it was judged, at least.
        package var revision: UInt64 = 0
    }

    private var entries: [TransportConnectionID: Entry] = [:]

    package init() {}

    /// A connection was accepted.
    package mutating func opened(_ entry: Entry) {
        entries[entry.id] = entry
    }

    /// An open connection; `nil` if it is closed.
    package func entry(_ id: TransportConnectionID) -> Entry? { entries[id] }

    /// A connection was judged again, and accepted. One that the ledger does not know is ignored; so is a judgement that a later
    /// one has overtaken.
    package mutating func judged(_ id: TransportConnectionID, revision: UInt64) {
        guard let entry = entries[id] else { return }
        entries[id]?.revision = max(entry.revision, revision)
    }

    /// The connections over TLS that another revision of the policy has judged than `revision`, oldest first.
    package func judged(before revision: UInt64) -> [Entry] {
        entries.values.filter { $0.revision != revision && $0.presented != nil }.sorted { $0.id < $1.id }
    }

    /// Whether this revision of the policy has judged a connection. One that is closed, or without TLS, needs no judgement.
    package func isJudged(_ id: TransportConnectionID, by revision: UInt64) -> Bool {
        guard let entry = entries[id], entry.presented != nil else { return true }
        return entry.revision == revision
    }

    /// A connection is closed. One that the ledger does not know is ignored.
    package mutating func closed(_ id: TransportConnectionID) {
        entries[id] = nil
    }

    /// The open connections, oldest first.
    package var live: [Entry] { entries.values.sorted { $0.id < $1.id } }
}
