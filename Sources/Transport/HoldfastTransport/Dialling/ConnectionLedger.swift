package import HoldfastTrust

/// The open connections of a dialler, with the data for verifying each of them again: the presented certificates and
/// the verified host.
package struct ConnectionLedger: Sendable {
    /// An open connection.
    package struct Entry: Hashable, Sendable {
        /// The number of the connection.
        package var id: TransportConnectionID
        /// The host and port that the server was verified for.
        package var subject: TrustSubject
        /// The certificate chain that the server presented; `nil` without TLS.
        package var presented: PresentedChain?
        /// The policy revision that the server was last verified with.
        package var revision: UInt64 = 0
    }

    private var entries: [TransportConnectionID: Entry] = [:]

    package init() {}

    /// Adds an accepted connection.
    package mutating func opened(_ entry: Entry) {
        entries[entry.id] = entry
    }

    /// Returns an open connection; `nil` if it is closed.
    package func entry(_ id: TransportConnectionID) -> Entry? { entries[id] }

    /// Records that a connection was verified again and accepted. Unknown connections and older revisions are ignored.
    package mutating func judged(_ id: TransportConnectionID, revision: UInt64) {
        guard let entry = entries[id] else { return }
        entries[id]?.revision = max(entry.revision, revision)
    }

    /// Returns the TLS connections that were verified with another policy revision than `revision`, oldest first.
    package func judged(before revision: UInt64) -> [Entry] {
        entries.values.filter { $0.revision != revision && $0.presented != nil }.sorted { $0.id < $1.id }
    }

    /// Returns whether a connection was verified with a policy revision. A connection that is closed or without TLS
    /// counts as verified.
    package func isJudged(_ id: TransportConnectionID, by revision: UInt64) -> Bool {
        guard let entry = entries[id], entry.presented != nil else { return true }
        return entry.revision == revision
    }

    /// Removes a closed connection. Unknown connections are ignored.
    package mutating func closed(_ id: TransportConnectionID) {
        entries[id] = nil
    }

    /// The open connections, oldest first.
    package var live: [Entry] { entries.values.sorted { $0.id < $1.id } }
}
