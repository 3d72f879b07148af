import ChatCenterCore
import ChatWire
import Dispatch
import Foundation

/// Passes the core's notices to the delegate, to streams, and to pending calls.
final class ChatHub: Sendable {
    /// A pending call that waits for a response.
    enum Question: Sendable {
        case logout(@Sendable (LogoutOutcome) -> Void)
        case unread(@Sendable (Result<Int, any Error>) -> Void)
        case search(@Sendable (Result<SearchAnswer, any Error>) -> Void)
        case fetch(@Sendable (Result<Int, any Error>) -> Void)
    }

    /// The callbacks of a file transfer.
    struct TransferWatch: Sendable {
        var progress: (@Sendable (ChatTransferProgress) -> Void)?
        var completion: (@Sendable (Result<RemoteFile, any Error>) -> Void)?
    }

    private struct State {
        weak var sdk: ChatCenterUISDK?
        var questions: [Ticket: Question] = [:]
        var transfers: [TransferID: TransferWatch] = [:]
        /// Pending calls of `authorize` with their users, in order.
        var authorizations: [(user: String, answer: OneShot<String>)] = []
        /// Pending calls of a user who has since logged out. The result for that user does not end the wait of the next
        /// one.
        var leaving: [OneShot<String>] = []
        var screen: (id: ScreenID, states: Broadcast<ChatScreenState>)?
        var isFinished = false
    }

    /// The executor that carries out effects and delivers notices.
    let executor: any ChatExecutor
    let slot: DelegateSlot
    let events = Broadcast<ChatCenterEvent>(capacity: 256)
    let fates = DeliveryWaiters()
    private let errors: ErrorTable
    private let trust: ChatTrust
    private let state = OrderedMutex(.hub, State())

    init(errors: ErrorTable, trust: ChatTrust, executor: any ChatExecutor) {
        self.errors = errors
        self.trust = trust
        self.executor = executor
        slot = DelegateSlot(inline: executor)
    }

    /// Sets the SDK that delegates receive.
    func attach(_ sdk: ChatCenterUISDK) {
        state.withLock { $0.sdk = sdk }
    }

    /// Ends every stream, and fails every pending call, because the SDK was freed.
    func finish() {
        let past = state.withLock { state in
            let past = state
            state = State()
            state.sdk = past.sdk
            state.isFinished = true
            return past
        }
        for question in past.questions.values { question.giveUp() }
        for transfer in past.transfers.values { transfer.completion?(.failure(CancellationError())) }
        for waiter in past.leaving + past.authorizations.map(\.answer) { waiter.fulfil(.failure(CancellationError())) }
        past.screen?.states.finish()
        fates.finishAll()
        events.finish()
    }

    // MARK: Pending calls

    /// Changes the state unless the SDK was freed. Returns whether it did.
    private func change(_ body: (inout State) -> Void) -> Bool {
        state.withLock { state in
            if !state.isFinished { body(&state) }
            return !state.isFinished
        }
    }

    func expect(_ ticket: Ticket, _ question: Question) {
        if !change({ $0.questions[ticket] = question }) { question.giveUp() }
    }

    func watch(_ id: TransferID, _ watch: TransferWatch) {
        if !change({ $0.transfers[id] = watch }) { watch.completion?(.failure(CancellationError())) }
    }

    func stopWatching(_ id: TransferID) {
        state.withLock { _ = $0.transfers.removeValue(forKey: id) }
    }

    /// Adds a pending call of `authorize` with this user.
    func expectAuthorization(of user: String, _ answer: OneShot<String>) {
        if !change({ $0.authorizations.append((user, answer)) }) { answer.fulfil(.failure(CancellationError())) }
    }

    /// Called when the user logs out: the pending calls get that result, and later calls do not.
    func userLeaves() {
        state.withLock { state in
            state.leaving += state.authorizations.map(\.answer)
            state.authorizations = []
        }
    }

    // MARK: Screens

    /// Makes a screen the one that receives states. The states of the previous screen end. Returns the new screen's
    /// states.
    func begin(_ screen: ScreenID) -> Broadcast<ChatScreenState> {
        // Only the newest state matters.
        let states = Broadcast<ChatScreenState>(capacity: 1)
        let past = state.withLock { state in
            defer { state.screen = (screen, states) }
            return state.screen
        }
        past?.states.finish()
        return states
    }

    /// Publishes the newest state of the current screen. The state is read now, because a queued one may be older than
    /// the state that a new reader has received.
    func publish(newest state: (ScreenID) -> ChatScreenState?) {
        guard let screen = self.state.withLock({ $0.screen }) else { return }
        screen.states.publish(newest: { state(screen.id) })
    }

    // MARK: Notices

    func notify(_ notice: SDKNotice) {
        switch notice {
        case .authorized(let result): authorized(result)
        case .unread(let count):
            events.publish(.unreadMessages(count))
            tell(.unread(count))
        case .connection(let phase):
            events.publish(.connection(ChatConnection(phase: phase, security: trust.security)))
        case .networkProblem(let problem):
            let error = ChatNetworkError(problem, errors: errors)
            events.publish(.networkError(error))
            tell(.failed(error))
        case .message(let id, let state):
            fates.tell(id, state)
            events.publish(.messageState(id, state))
        case .received(let ids): events.publish(.messagesReceived(ids))
        case .gapFilled(let count): events.publish(.gapFilled(count))
        case .historyReset: events.publish(.historyReset)
        case .configuration(let configuration): events.publish(.configuration(configuration))
        case .reauthorizationNeeded(let refusal): events.publish(.reauthorizationNeeded(refusal))
        case .loggedOut(let ticket, let outcome):
            if case .logout(let completion) = take(ticket) { completion(outcome) }
        case .unreadAnswer(let ticket, let result):
            if case .unread(let completion) = take(ticket) { completion(result.mapError(error)) }
        case .searchAnswer(let ticket, let result):
            if case .search(let completion) = take(ticket) { completion(result.mapError(error)) }
        case .fetched(let ticket, let result):
            if case .fetch(let completion) = take(ticket) { completion(result.mapError(error)) }
        case .transferProgress(let id, let bytes, let total):
            let watch = state.withLock { $0.transfers[id] }
            watch?.progress?(ChatTransferProgress(completed: bytes, total: total))
        case .transferred(let id, let result):
            let watch = state.withLock { $0.transfers.removeValue(forKey: id) }
            watch?.completion?(result.mapError { ChatNetworkError($0, errors: errors) })
        }
    }

    /// Delivers a log line.
    func logged(_ line: String) {
        tell(.logged(line))
    }

    private func tell(_ report: DelegateSlot.Report) {
        slot.tell(report) { [weak self] in self?.state.withLock { $0.sdk } }
    }

    /// Returns whether the app opens a link. Runs on the caller's thread.
    func asksApp(toOpen url: URL) -> Bool {
        state.withLock { $0.sdk }.map { slot.opens(url, $0) } ?? false
    }

    private func authorized(_ result: Result<UserIdentity, RequestFailure>) {
        let waiters = state.withLock { state in
            var waiters = state.leaving
            state.leaving = []
            // A late result ends the calls for its user and all earlier calls. A logout ends no other call.
            let end: Int =
                switch result {
                case .success(let identity):
                    (state.authorizations.lastIndex { $0.user == identity.clientID } ?? -1) + 1
                case .failure(.superseded): 0
                case .failure: state.authorizations.count
                }
            waiters += state.authorizations.prefix(end).map(\.answer)
            state.authorizations.removeFirst(end)
            return waiters
        }
        switch result {
        case .success(let identity):
            events.publish(.authorized(identifier: identity.clientID))
            for waiter in waiters { waiter.fulfil(.success(identity.clientID)) }
        case .failure(let failure):
            let error = ChatAuthorizationError(failure, errors: errors)
            events.publish(.authorizationFailed(error))
            for waiter in waiters { waiter.fulfil(.failure(error)) }
        }
    }

    private func take(_ ticket: Ticket) -> Question? {
        state.withLock { $0.questions.removeValue(forKey: ticket) }
    }

    private func error(_ failure: RequestFailure) -> any Error {
        switch failure {
        case .transport(let failure): ChatNetworkError(failure, errors: errors)
        case .notAuthorized, .emptyIdentifier: ChatCenterUIError.userNotAuthorized
        case .superseded, .disabled: CancellationError()
        }
    }
}

extension ChatHub.Question {
    /// Fails the call, because no response will arrive.
    fileprivate func giveUp() {
        switch self {
        case .logout(let completion): completion(.localOnlyPending)
        case .unread(let completion): completion(.failure(CancellationError()))
        case .search(let completion): completion(.failure(CancellationError()))
        case .fetch(let completion): completion(.failure(CancellationError()))
        }
    }
}

extension ChatAuthorizationError {
    init(_ failure: RequestFailure, errors: ErrorTable) {
        switch failure {
        case .emptyIdentifier: self.init(.emptyIdentifier, "The user has no identifier.")
        case .notAuthorized, .superseded, .disabled:
            self.init(.superseded, "The user was logged out or changed before the server answered.")
        case .transport(let failure):
            let error = ChatNetworkError(failure, errors: errors)
            self.init(.network, "\(error)", underlying: error)
        }
    }
}
