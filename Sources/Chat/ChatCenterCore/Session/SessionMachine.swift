import ChatWire

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

/// The user who is authorized, as a state machine: whether the token works, when the host application is asked for another
/// one, and when the outcome of `authorize` is told.
struct SessionMachine: Hashable, Sendable {
    /// What is known of the token.
    private enum Token: Hashable, Sendable {
        /// Since when, on the monotonic clock, if the host application was asked for it.
        case usable(since: Int64?)
        /// The host application was asked.
        case asked(TokenAttempt)
        /// Nothing is tried before the host application authorizes again.
        case rejected(ServerRefusal)
    }

    /// What `authorize` waits for before it tells its outcome.
    private struct Progress: Hashable, Sendable {
        var needsConfiguration = true
        var needsHistory = true
        var failure: TransportFailure?
        var isTold = false
    }

    /// What the server was told of the user, and when on the monotonic clock.
    private struct ToldInfo: Hashable, Sendable {
        var info: ClientInfo
        var at: Int64
    }

    private struct Session: Hashable, Sendable {
        var user: UserIdentity
        var account: Account
        var token = Token.usable(since: nil)
        /// The server answered something that was asked with this token.
        var tokenWorked = false
        /// When the host application has taken too long for another token, on the monotonic clock.
        var tokenDeadline: Int64?
        /// The question that was not answered in time: its answer is still of use.
        var lateAttempt: TokenAttempt?
        /// Why the host application was asked for another token; `nil` where the file store alone refused the one in use.
        var tokenRefusal: ServerRefusal?
        /// The last CLIENT_INFO on this socket, and when it was sent.
        var toldInfo: ToldInfo?
        var progress = Progress()
    }

    /// A token that is refused within so many nanoseconds is not replaced by asking again: no storm of questions.
    static let tokenTrial: Int64 = 60_000_000_000
    /// The time that the host application has for another token, in milliseconds: a person may have to sign in.
    static let tokenPatience: Int64 = 120_000

    /// The host application can be asked for another token.
    private let hasTokenProvider: Bool
    private var session: Session?
    /// The token for push notifications to this device, whoever uses it.
    private(set) var pushToken: String?

    init(hasTokenProvider: Bool) {
        self.hasTokenProvider = hasTokenProvider
    }

    // MARK: Looking

    var isAuthorized: Bool { session != nil }
    var user: UserIdentity? { session?.user }
    var clientID: String? { session?.user.clientID }
    var account: Account? { session?.account }
    var deviceAddress: String? { session?.account.deviceAddress }

    /// A user is authorized whose token is not known to be refused.
    var mayCall: Bool {
        if case .usable = session?.token { true } else { false }
    }

    /// Why the token was rejected, if it was.
    var rejection: ServerRefusal? {
        if case .rejected(let refusal) = session?.token { refusal } else { nil }
    }

    /// Until when another token is waited for, on the monotonic clock.
    var wake: Int64? {
        if case .asked = session?.token { session?.tokenDeadline } else { nil }
    }

    // MARK: Authorizing

    /// A user is authorized, who may have used this device before.
    mutating func begin(_ user: UserIdentity, _ credentials: WireCredentials, deviceAddress: String?) {
        let account = Account(credentials: credentials, clientID: user.clientID, deviceAddress: deviceAddress)
        session = Session(user: user, account: account)
    }

    /// Whether `authorize` would change nothing. The token that was refused is tried again.
    func isCurrent(_ user: UserIdentity, _ credentials: WireCredentials) -> Bool {
        guard let session else { return false }
        return session.account.credentials == credentials && session.user.signature == user.signature
            && rejection == nil
    }

    /// Tells the outcome of `authorize` once more if there is one.
    func repeatOutcome() -> [CoreAction] {
        guard let session, session.progress.isTold else { return [] }
        return [.notify(.authorized(.success(session.user)))]
    }

    /// The same user is authorized with another token.
    mutating func beginAgain(_ user: UserIdentity, _ credentials: WireCredentials) {
        session?.user = user
        session?.account.credentials = credentials
        session?.token = .usable(since: nil)
        session?.tokenWorked = false
        session?.progress = Progress()
    }

    /// The configuration or the history was fetched, or could not be. Tells the outcome of `authorize` once both calls have
    /// ended.
    mutating func progressed(
        configuration: TransportFailure?? = nil, history: TransportFailure?? = nil
    ) -> [CoreAction] {
        guard let session, !session.progress.isTold else { return [] }
        var progress = session.progress
        if let configuration {
            progress.needsConfiguration = false
            progress.failure = progress.failure ?? configuration
        }
        if let history {
            progress.needsHistory = false
            progress.failure = progress.failure ?? history
        }
        progress.isTold = !progress.needsConfiguration && !progress.needsHistory
        self.session?.progress = progress
        guard progress.isTold else { return [] }
        return [.notify(.authorized(progress.failure.map { .failure(.transport($0)) } ?? .success(session.user)))]
    }

    /// The user leaves. If the outcome of `authorize` was not told, it is that another wish replaced it.
    mutating func supersede() -> [CoreAction] {
        guard session?.progress.isTold == false else { return [] }
        session?.progress.isTold = true
        return [.notify(.authorized(.failure(.superseded)))]
    }

    /// Nothing of the user stays.
    mutating func forgetUser() { session = nil }

    // MARK: What is known of the user

    mutating func setPushToken(_ token: String?) { pushToken = token }

    mutating func setUserData(_ data: JSONObject?) { session?.user.data = data }

    /// The identity that belongs to the token that the host application was asked for.
    mutating func identify(_ attempt: TokenAttempt, signature: String?, isEncrypted: Bool) {
        guard isAsking(attempt) else { return }
        session?.user.signature = signature
        session?.user.isEncrypted = isEncrypted
    }

    /// The server gave this device an address.
    mutating func registered(_ deviceAddress: String) -> [CoreAction] {
        guard let session, session.account.deviceAddress != deviceAddress else { return [] }
        self.session?.account.deviceAddress = deviceAddress
        return [.save(.deviceAddress(deviceAddress))]
    }

    /// Returns what the server is to be told of the user. On a socket on which it knows the same already, `interval`
    /// milliseconds have to be over unless this is the introduction; anything new goes at once.
    mutating func introduce(
        isIntroduction: Bool, preRegister: Bool, locale: String?, interval: Int64, at now: Moment
    ) -> ClientInfo? {
        guard let session else { return nil }
        let info = ClientInfo(
            name: session.user.name, data: session.user.data, locale: session.user.locale ?? locale,
            preRegister: preRegister)
        if !isIntroduction, let told = session.toldInfo, told.info == info {
            guard now.monotonic >= told.at.saturatingAdd(interval * 1_000_000) else { return nil }
        }
        self.session?.toldInfo = ToldInfo(info: info, at: now.monotonic)
        return info
    }

    /// On the next socket the server is told anew who the user is.
    mutating func socketIsGone() { session?.toldInfo = nil }

    // MARK: The token

    /// The server answered what was asked with these.
    mutating func tokenWorked(_ credentials: WireCredentials?) {
        if let credentials, credentials == session?.account.credentials { session?.tokenWorked = true }
    }

    /// The server refused what was made with these credentials. Returns whether another token is, or will be, there to
    /// try it again with; otherwise the host application must act.
    ///
    /// Several things are under way at a time: a refusal of the token before says nothing of the one in use. The file
    /// store may be another server, which cannot end the chat: what it refuses is asked for once, and never rejected.
    mutating func tokenRefused(
        _ credentials: WireCredentials?, _ refusal: ServerRefusal, byFileStore: Bool = false, at now: Moment,
        numbers: inout NumberSequence
    ) -> (isRetried: Bool, actions: [CoreAction]) {
        guard let session, case .usable(let since) = session.token else {
            return (session != nil && rejection == nil, [])
        }
        if let credentials, credentials != session.account.credentials { return (true, []) }
        let log = CoreAction.log(.error, "the server does not accept the token: \(refusal.logged)")
        let trialIsOver = since.map { now.monotonic >= $0.saturatingAdd(Self.tokenTrial) } ?? true
        // The provider was asked and gave a token that never worked: it would give another such one.
        let isHopeless = since != nil && refusal.isInvalidToken && !session.tokenWorked
        guard hasTokenProvider, trialIsOver, !isHopeless else {
            return (false, [log] + (byFileStore ? [] : reject(refusal)))
        }
        let attempt = TokenAttempt(numbers.next())
        self.session?.token = .asked(attempt)
        self.session?.tokenDeadline = now.after(milliseconds: Self.tokenPatience).monotonic
        self.session?.tokenRefusal = byFileStore ? nil : refusal
        return (true, [log, .effect(.askForToken(attempt))])
    }

    private mutating func reject(_ refusal: ServerRefusal) -> [CoreAction] {
        session?.token = .rejected(refusal)
        // What was put off for the sake of the next token will not be asked now.
        let failure = TransportFailure(.refused, refusal: refusal)
        return [.notify(.reauthorizationNeeded(refusal))]
            + progressed(configuration: .some(failure), history: .some(failure))
    }

    /// The host application was asked for a token and has not answered yet.
    func isAsking(_ attempt: TokenAttempt) -> Bool {
        if case .asked(attempt) = session?.token { true } else { isLate(attempt) }
    }

    /// The answer is given up, and nothing else has helped since.
    private func isLate(_ attempt: TokenAttempt) -> Bool { session?.lateAttempt == attempt && rejection != nil }

    /// Does what is due: an answer that never comes would halt everything for good.
    mutating func expire(at now: Moment) -> [CoreAction] {
        guard case .asked(let attempt) = session?.token, let wake, wake <= now.monotonic else { return [] }
        let log = CoreAction.log(.error, "no token came within \(Self.tokenPatience / 1000) s")
        let actions = tokenArrived(attempt, nil, at: now)
        session?.lateAttempt = attempt
        return [log] + actions
    }

    /// The host application answered; without a token if it has none.
    mutating func tokenArrived(
        _ attempt: TokenAttempt, _ credentials: WireCredentials?, at now: Moment
    ) -> [CoreAction] {
        guard isAsking(attempt) else { return [.log(.info, "a token came that nobody waits for")] }
        let isLate = isLate(attempt)
        session?.lateAttempt = nil
        // None, or the one that was refused: nothing would come of trying it again.
        guard let credentials, credentials != session?.account.credentials else {
            if isLate { return [] }
            if let refusal = session?.tokenRefusal { return reject(refusal) }
            session?.token = .usable(since: now.monotonic)
            return []
        }
        session?.account.credentials = credentials
        session?.token = .usable(since: now.monotonic)
        session?.tokenWorked = false
        return [.goOn]
    }
}
