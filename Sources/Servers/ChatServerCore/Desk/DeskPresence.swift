import OrderedCollections

/// Who is at the desk, and which conversation each person has open.
struct DeskPresence: Hashable, Sendable {
    private struct Sitting: Hashable, Sendable {
        var `operator`: DeskOperator
        var clientID: String?
        /// When the seat is free again, on the monotonic clock; `nil` for a stream, which ends with its connection.
        var expires: Int64?
    }

    private var seats: OrderedDictionary<DeskSeat, Sitting> = [:]
    /// The maximum number of seats.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether a stream is open, which must be told of changes.
    var hasStreams: Bool { seats.keys.contains { if case .stream = $0 { true } else { false } } }

    /// When the next seat expires, on the monotonic clock.
    var nextDue: Int64? { seats.values.compactMap(\.expires).min() }

    /// The operators and the conversations that they have open, each pair once, in the order of arrival.
    var colleagues: [DeskColleague] {
        var found: OrderedSet<DeskColleague> = []
        for sitting in seats.values {
            found.append(DeskColleague(operator: sitting.operator, clientID: sitting.clientID))
        }
        return Array(found)
    }

    /// Takes a seat. A stream replaces the page of its session. Returns `false` if all seats are taken.
    mutating func sit(_ seat: DeskSeat, _ person: DeskOperator, clientID: String?, until expires: Int64?) -> Bool {
        if case .stream(_, let session) = seat { seats.removeValue(forKey: .page(session: session)) }
        guard seats[seat] != nil || seats.count < limit else { return false }
        seats[seat] = Sitting(operator: person, clientID: clientID, expires: expires)
        return true
    }

    /// Frees a seat. Returns `false` if it is already free.
    mutating func leave(_ seat: DeskSeat) -> Bool { seats.removeValue(forKey: seat) != nil }

    /// Frees the page seat of a session that has signed out.
    mutating func leave(session: String) -> Bool { leave(.page(session: session)) }

    /// Frees the seats whose time has passed. Returns `false` if there are none.
    mutating func expire(at now: Int64) -> Bool {
        let count = seats.count
        seats.removeAll { element in element.value.expires.map { $0 <= now } ?? false }
        return seats.count < count
    }
}

/// A place at the desk. Both kinds contain the public number of the session.
package enum DeskSeat: Hashable, Sendable {
    /// An open stream, with a number that is never used twice.
    case stream(UInt64, session: String)
    /// A page that was loaded without a stream.
    case page(session: String)
}

/// An operator at the desk, and the client whose conversation is open there.
package struct DeskColleague: Hashable, Sendable {
    package var `operator`: DeskOperator
    package var clientID: String?
}
