import ChatWire

/// The account on whose behalf the server is called, with its token.
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

/// A state machine for the authorized user. It tracks whether the token works, requests another token from the host
/// application, and reports the outcome of `authorize`.
struct SessionMachine: Hashable, Sendable {
    /// The state of the token.
    private enum Token: Hashable, Sendable {
        /// The token can be used. If the host application was asked for it, `since` is the time of its answer on the
        /// monotonic clock.
        case usable(since: Int64?)
        /// The host application was asked for another token.
        case asked(TokenAttempt)
        /// The token was rejected. No attempts are made before the host application authorizes again.
        case rejected(ServerRefusal)
    }

    /// The results that `authorize` waits for before its outcome is reported.
    private struct Progress: Hashable, Sendable {
        var needsConfiguration = true
        var needsHistory = true
        var failure: TransportFailure?
        var isTold = false
    }

    /// The client information that was sent to the server, and the time on the monotonic clock.
    private struct ToldInfo: Hashable, Sendable {
        var info: ClientInfo
        var at: Int64
    }

    private struct Session: Hashable, Sendable {
        var user: UserIdentity
        var account: Account
        var token = Token.usable(since: nil)
        /// Whether the server accepted a request with this token.
        var tokenWorked = false
        /// The deadline for the host application to provide another token, on the monotonic clock.
        var tokenDeadline: Int64?
        /// The request that was not answered in time. A late answer is still used.
        var lateAttempt: TokenAttempt?
        /// The refusal that caused the request for another token; `nil` if only the file store refused the token in
        /// use.
        var tokenRefusal: ServerRefusal?
        /// The last CLIENT_INFO on this socket and its time.
        var toldInfo: ToldInfo?
        var progress = Progress()
    }

    /// If a new token is refused within this time, in nanoseconds, the host application is not asked again. This
    /// prevents a storm of requests.
    static let tokenTrial: Int64 = 60_000_000_000
    /// The time limit for the host application to provide another token, in milliseconds. A person may have to sign in.
    static let tokenPatience: Int64 = 120_000

    /// Whether the host application can provide another token.
    private let hasTokenProvider: Bool
    private var session: Session?
    /// The token for push notifications to this device, for any user.
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

    /// Whether a user is authorized whose token is not known to be refused.
    var mayCall: Bool {
        if case .usable = session?.token { true } else { false }
    }

    /// The reason why the token was rejected, if it was.
    var rejection: ServerRefusal? {
        if case .rejected(let refusal) = session?.token { refusal } else { nil }
    }

    /// The deadline for another token, on the monotonic clock.
    var wake: Int64? {
        if case .asked = session?.token { session?.tokenDeadline } else { nil }
    }

    /// The outcome of `authorize` waits for the configuration.
    var awaitsConfiguration: Bool { session.map { $0.progress.needsConfiguration && !$0.progress.isTold } ?? false }

    // MARK: Authorizing

    /// Starts the session of a user, who may have used this device before.
    mutating func begin(_ user: UserIdentity, _ credentials: WireCredentials, deviceAddress: String?) {
        let account = Account(credentials: credentials, clientID: user.clientID, deviceAddress: deviceAddress)
        session = Session(user: user, account: account)
    }

    /// Returns whether `authorize` would change nothing. After a rejection, it is false, so that the same token is
    /// tried again.
    func isCurrent(_ user: UserIdentity, _ credentials: WireCredentials) -> Bool {
        guard let session else { return false }
        return session.account.credentials == credentials && session.user.signature == user.signature
            && rejection == nil
    }

    /// Reports the outcome of `authorize` again, if there is one.
    func repeatOutcome() -> [CoreAction] {
        guard let session, session.progress.isTold else { return [] }
        return [.notify(.authorized(.success(session.user)))]
    }

    /// Authorizes the same user with another token.
    mutating func beginAgain(_ user: UserIdentity, _ credentials: WireCredentials) {
        session?.user = user
        session?.account.credentials = credentials
        session?.token = .usable(since: nil)
        session?.tokenWorked = false
        session?.progress = Progress()
    }

    /// Records that loading the configuration or the history succeeded or failed. Reports the outcome of `authorize`
    /// when both calls have ended.
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

    /// Ends the session of a user who leaves. If the outcome of `authorize` was not reported yet, it is reported as
    /// superseded.
    mutating func supersede() -> [CoreAction] {
        guard session?.progress.isTold == false else { return [] }
        session?.progress.isTold = true
        return [.notify(.authorized(.failure(.superseded)))]
    }

    /// Deletes the user's session.
    mutating func forgetUser() { session = nil }

    // MARK: User data

    mutating func setPushToken(_ token: String?) { pushToken = token }

    mutating func setUserData(_ data: JSONObject?) { session?.user.data = data }

    /// Sets the identity that belongs to the requested token.
    mutating func identify(_ attempt: TokenAttempt, signature: String?, isEncrypted: Bool) {
        guard isAsking(attempt) else { return }
        session?.user.signature = signature
        session?.user.isEncrypted = isEncrypted
    }

    /// Stores the device address that the server assigned.
    mutating func registered(_ deviceAddress: String) -> [CoreAction] {
        guard let session, session.account.deviceAddress != deviceAddress else { return [] }
        self.session?.account.deviceAddress = deviceAddress
        return [.save(.deviceAddress(deviceAddress))]
    }

    /// Returns the client information to send to the server. Unchanged information is sent again on the same socket
    /// only after `interval` milliseconds, except for the introduction. Changes are sent at once.
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

    /// Records that the next socket needs the client information again.
    mutating func socketIsGone() { session?.toldInfo = nil }

    // MARK: The token

    /// Records that the server accepted a request with these credentials.
    mutating func tokenWorked(_ credentials: WireCredentials?) {
        if let credentials, credentials == session?.account.credentials { session?.tokenWorked = true }
    }

    /// Handles the refusal of these credentials.
    ///
    /// Several requests run at the same time, so a refusal of the previous token says nothing about the current one.
    /// The file store may be another server. Its refusal triggers one request for a token, but never rejects the token
    /// for the chat.
    ///
    /// - Returns: Whether there is or will be another token for a retry. Otherwise the host application must act.
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
        // The provider's token never worked, so another one would not work either.
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
        // Requests that waited for the next token will not be made.
        let failure = TransportFailure(.refused, refusal: refusal)
        return [.notify(.reauthorizationNeeded(refusal))]
            + progressed(configuration: .some(failure), history: .some(failure))
    }

    /// Returns whether the host application was asked for this token and has not answered yet.
    func isAsking(_ attempt: TokenAttempt) -> Bool {
        if case .asked(attempt) = session?.token { true } else { isLate(attempt) }
    }

    /// Returns whether the request timed out and the token is still rejected.
    private func isLate(_ attempt: TokenAttempt) -> Bool { session?.lateAttempt == attempt && rejection != nil }

    /// Gives up a request for a token after its deadline. Without it, a missing answer would stop the chat for good.
    mutating func expire(at now: Moment) -> [CoreAction] {
        guard case .asked(let attempt) = session?.token, let wake, wake <= now.monotonic else { return [] }
        let log = CoreAction.log(.error, "the host application provided no token within \(Self.tokenPatience / 1000) s")
        let actions = tokenArrived(attempt, nil, at: now)
        session?.lateAttempt = attempt
        return [log] + actions
    }

    /// Handles the host application's answer; `credentials` is `nil` if it has no token.
    mutating func tokenArrived(
        _ attempt: TokenAttempt, _ credentials: WireCredentials?, at now: Moment
    ) -> [CoreAction] {
        guard isAsking(attempt) else { return [.log(.info, "ignored a token that was not requested")] }
        let isLate = isLate(attempt)
        session?.lateAttempt = nil
        // Without a token, or with the refused one, a retry would fail again.
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
