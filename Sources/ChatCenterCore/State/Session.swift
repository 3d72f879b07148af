import ChatWire

/// The user who is authorised.
struct Session: Hashable, Sendable {
    /// What is known of the token.
    enum Token: Hashable, Sendable {
        case accepted
        /// Asked for or handed over after a refusal, not accepted by the server yet: a second refusal in a row is
        /// final.
        case onTrial
        /// The host application was asked.
        case asked(TokenAttempt)
        /// Nothing is tried before the host application authorises again.
        case rejected(ServerRefusal)
    }

    /// What `authorize` waits for before it tells its outcome.
    struct Progress: Hashable, Sendable {
        var needsConfiguration = true
        var needsHistory = true
        var failure: TransportFailure?
        var isTold = false
    }

    var user: UserIdentity
    var credentials: WireCredentials
    var deviceAddress: String?
    var token = Token.accepted
    var progress = Progress()
    /// The configuration came from the server since the user was authorised.
    var isConfigured = false
    /// The history was asked for since the user was authorised, with an answer.
    var hasHistory = false
}
