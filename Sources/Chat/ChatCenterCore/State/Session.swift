import ChatWire

/// The user who is authorised.
struct Session: Hashable, Sendable {
    /// What is known of the token.
    enum Token: Hashable, Sendable {
        /// Since when, on the monotonic clock, if the host application was asked for it.
        case usable(since: Int64?)
        /// The host application was asked.
        case asked(TokenAttempt)
        /// Nothing is tried before the host application authorises again.
        case rejected(ServerRefusal)

        var isRejected: Bool {
            if case .rejected = self { true } else { false }
        }
    }

    /// What `authorize` waits for before it tells its outcome.
    struct Progress: Hashable, Sendable {
        var needsConfiguration = true
        var needsHistory = true
        var failure: TransportFailure?
        var isTold = false
    }

    /// What the server was told of the user, and when on the monotonic clock.
    struct ToldInfo: Hashable, Sendable {
        var info: ClientInfo
        var at: Int64
    }

    /// A token that is refused within so many nanoseconds is not replaced by asking again: no storm of questions.
    static let tokenTrial: Int64 = 60_000_000_000

    /// So long the host application has for another token, in milliseconds: a person may have to sign in.
    static let tokenPatience: Int64 = 120_000

    var user: UserIdentity
    var credentials: WireCredentials
    var deviceAddress: String?
    var token = Token.usable(since: nil)
    /// The server answered something that was asked with this token.
    var tokenWorked = false
    /// When the host application has taken too long for another token, on the monotonic clock.
    var tokenDeadline: Int64?
    /// The question that was not answered in time: its answer is still of use.
    var lateAttempt: TokenAttempt?
    /// Why the host application was asked for another token; `nil` where the file store alone refused the one in use.
    var tokenRefusal: ServerRefusal?
    /// The last CLIENT_INFO on this socket, and when it went.
    var toldInfo: ToldInfo?
    var progress = Progress()
    /// The history was asked for since the user was authorised, with an answer.
    var hasHistory = false

    /// On whose behalf the server is asked.
    var account: Account {
        Account(credentials: credentials, clientID: user.clientID, deviceAddress: deviceAddress)
    }
}

/// On whose behalf the server is asked, and with which token.
struct Account: Hashable, Sendable {
    var credentials: WireCredentials
    var clientID: String
    var deviceAddress: String?
}

extension RESTCall {
    init(_ request: RESTRequest, for account: Account) {
        self.init(
            request, credentials: account.credentials, clientID: account.clientID,
            deviceAddress: account.deviceAddress)
    }
}
