/// A search under way: who asked, for what, and why the server is not asked any more.
struct SearchRequest: Hashable, Sendable {
    enum Asker: Hashable, Sendable {
        case ticket(Ticket)
        /// The search on the screen with this number.
        case screen(UInt64)
    }

    var asker: Asker
    var text: String
    var page: Int64
    /// What the server's answer was, when the store is asked instead.
    var failure: TransportFailure?
}
