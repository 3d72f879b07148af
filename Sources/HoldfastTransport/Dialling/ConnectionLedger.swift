package import HoldfastTrust

/// The open connections of a dialler, each with what its server sent and whom it was judged for: what is needed to judge
/// it again.
package struct ConnectionLedger: Sendable {
    /// One open connection.
    package struct Entry: Hashable, Sendable {
        /// Its number.
        package var id: ConnectionID
        /// Whom the server was judged for.
        package var subject: TrustSubject
        /// What the server sent; `nil` without TLS.
        package var presented: PresentedChain?
    }

    private var entries: [ConnectionID: Entry] = [:]

    package init() {}

    /// A connection was accepted.
    package mutating func opened(_ id: ConnectionID, subject: TrustSubject, presented: PresentedChain?) {
        entries[id] = Entry(id: id, subject: subject, presented: presented)
    }

    /// A connection is closed. One that the ledger does not know is ignored.
    package mutating func closed(_ id: ConnectionID) {
        entries[id] = nil
    }

    /// The open connections, oldest first.
    package var live: [Entry] { entries.values.sorted { $0.id < $1.id } }
}
