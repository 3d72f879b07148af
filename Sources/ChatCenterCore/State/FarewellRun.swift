import ChatWire

/// A logout that tells the server, while it lasts. The user's data is gone from this device already.
struct FarewellRun: Hashable, Sendable {
    /// Whoever waits for the outcome.
    var ticket: Ticket?
    var farewell: Farewell
    var user: UserIdentity
    var credentials: WireCredentials
    var deadline: Deadline
    /// How often it was begun again after the logout.
    var tries = 0

    /// After so many it is left at that.
    static let mostTries = 20
}
