import ChatWire

/// A logout that is being reported to the server. The user's data is already erased from this device. The first attempt uses
/// the socket, all later ones use REST.
struct FarewellRun: Hashable, Sendable {
    /// Whoever waits for the outcome.
    var ticket: Ticket?
    var farewell: Farewell
    var user: UserIdentity
    var credentials: WireCredentials
    var deadline: Deadline
    /// The number of attempts over REST.
    var tries = 0

    /// After so many it is left at that.
    static let mostTries = 20
}
