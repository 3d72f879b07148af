/// Identifies a call of the host application that waits for an answer: `send`, `logout`, the unread count or a search.
package struct Ticket: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}
