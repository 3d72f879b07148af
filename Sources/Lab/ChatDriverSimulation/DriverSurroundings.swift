import ChatCenter
import ChatCenterCore
import ChatSimulation
import Synchronization

/// The surroundings of one driver process: clock, network, path monitor and step counter. Records what happens, and
/// ends the process at the step that the world chooses.
final class DriverSurroundings: Sendable {
    private struct State {
        var conditions: HostConditions
        var path: NetworkPath
        var reports: [HostReport] = []
        /// The number of steps since the last call of ``settle(_:)``.
        var steps = 0
        var isDead = false
        /// The number of reports at the start of the group of commits.
        var groupStart: Int?
        var turns: UInt64 = 0
        var identifiers: [String] = []
        /// The message that `send` is handling.
        var sending: (ticket: Ticket, id: MessageID)?
        var isAcknowledged = false
        var timer: (@Sendable () -> Void)?
        var answers: [UInt64: @Sendable (ChatAuth?) -> Void] = [:]
        var sink: (@Sendable (NetworkEvent) -> Void)?
        var pathSink: (@Sendable (NetworkPath) -> Void)?

        /// Counts a step. Returns whether the process still makes it.
        mutating func step(isCommit: Bool) -> Bool {
            guard !isDead else { return false }
            guard let limit = conditions.stepsToDeath, isCommit || !conditions.losesEffects else { return true }
            if steps >= limit {
                isDead = true
                return false
            }
            steps += 1
            return true
        }

        mutating func report(_ report: HostReport) {
            if !isDead { reports.append(report) }
        }
    }

    private let state: Mutex<State>
    private let entropy: HostEntropy
    private let bug: DriverBug?
    /// Each process of the device uses its own range of numbers.
    private let firstNumber: UInt64

    init(_ entropy: HostEntropy, life: UInt64, path: NetworkPath, bug: DriverBug?) {
        self.entropy = entropy
        self.bug = bug
        firstNumber = life << 32
        state = Mutex(State(conditions: HostConditions(moment: Moment(monotonic: 0, wall: 0)), path: path))
    }

    // MARK: The world's side

    var isDead: Bool { state.withLock { $0.isDead } }

    /// Ends the process.
    func end() {
        state.withLock { $0.isDead = true }
    }

    /// Sets the conditions, unless there are reports that the world has not received yet.
    func adopt(_ conditions: HostConditions) {
        state.withLock { state in
            if state.reports.isEmpty, state.steps == 0 { state.conditions = conditions }
        }
    }

    /// Returns the reports since the last call.
    func takeReports() -> [HostReport] {
        state.withLock { state in
            defer { (state.reports, state.steps) = ([], 0) }
            return state.reports + (state.steps > 0 ? [.steps(state.steps)] : []) + (state.isDead ? [.died] : [])
        }
    }

    func report(_ report: HostReport) {
        state.withLock { $0.report(report) }
    }

    /// Calls `send`, which uses these identifiers.
    func sendBegins(_ ticket: Ticket, _ id: MessageID, files: [String]) {
        state.withLock { state in
            state.identifiers = files + [id.text]
            state.sending = (ticket, id)
            state.isAcknowledged = false
        }
    }

    /// `send` has returned.
    func sendEnded(_ ticket: Ticket, _ id: MessageID?) {
        state.withLock { state in
            state.identifiers = []
            state.sending = nil
            if state.isAcknowledged, id != nil { return }
            state.report(.sent(ticket, id.map { .success($0) } ?? .failure(.notAuthorized)))
        }
    }

    /// Fires the timer.
    func ring() {
        let timer = state.withLock { state in
            defer { state.timer = nil }
            return state.timer
        }
        timer?()
    }

    /// Answers the driver's request for a token.
    func answer(_ attempt: TokenAttempt, _ auth: ChatAuth?) {
        let answer = state.withLock { $0.answers.removeValue(forKey: attempt.number) }
        answer?(auth)
    }

    /// Reports a network event. Returns `false` if the driver has not created its network yet.
    func tell(_ event: NetworkEvent) -> Bool {
        guard let sink = state.withLock({ $0.sink }) else { return false }
        sink(event)
        return true
    }

    /// Reports a change of the device's network.
    func see(_ path: NetworkPath) {
        let sink = state.withLock { state in
            state.path = path
            return state.pathSink
        }
        sink?(path)
    }

    /// Returns the number that selects the executor whose work runs next.
    func choice(_ number: UInt64) -> UInt64 { entropy.order(firstNumber + number) }

    // MARK: The driver's side

    /// The environment of the driver.
    func environment(settings: ChatSettings, executors: WorldExecutors) -> ChatEnvironment {
        var environment = ChatEnvironment()
        environment.clock = self
        environment.entropy = { [self] in
            let number = state.withLock { state in
                state.turns += 1
                return state.turns
            }
            return entropy.turn(firstNumber + number)
        }
        environment.identifier = { [self] in
            state.withLock { $0.identifiers.isEmpty ? "unexpected" : $0.identifiers.removeFirst() }
        }
        environment.holdProcess = { _ in }
        environment.makePathMonitor = { [self] in self }
        environment.afterStart = { _ in }
        environment.makeExecutor = { _ in executors.make() }
        environment.makeNetwork = { [self] sink in
            state.withLock { $0.sink = sink }
            return self
        }
        environment.settings = settings
        environment.deviceToken = { nil }
        environment.askForToken = { [self] attempt, answer in
            state.withLock { $0.answers[attempt.number] = answer }
        }
        environment.watch = self
        return environment
    }
}

extension DriverSurroundings: ChatClock {
    func now() -> Moment { state.withLock { $0.conditions.moment } }

    func wake(at monotonic: Int64?, tolerance: Int64, _ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.timer = monotonic.map { _ in body }
            state.report(.armed(monotonic))
        }
    }
}

extension DriverSurroundings: ChatNetwork {
    func perform(_ command: NetworkCommand) {
        report(.carriedOut(.network(command)))
    }
}

extension DriverSurroundings: ChatPathMonitor {
    func start(_ sink: @escaping @Sendable (NetworkPath) -> Void) {
        let path = state.withLock { state in
            state.pathSink = sink
            return state.path
        }
        sink(path)
    }

    func stop() {
        state.withLock { $0.pathSink = nil }
    }
}

extension DriverSurroundings: ChatDriverWatch {
    func handled(_ event: ChatEvent, _ effects: [ChatEffect], _ core: ChatCore) {
        report(.handled(event, effects, core))
    }

    func willCommit(_ transaction: StoreTransaction) throws(StoreFailure) -> Bool {
        let result = state.withLock { state -> Result<Bool, StoreFailure> in
            if bug == .earlyAcknowledgement, transaction.ticket != nil, let (ticket, id) = state.sending {
                state.report(.sent(ticket, .success(id)))
                state.isAcknowledged = true
            }
            guard state.step(isCommit: true) else { return .failure(StoreFailure(.other)) }
            // If a group cannot be committed, each of its events is handled again.
            if state.groupStart == nil, state.conditions.failingCommits > 0 {
                state.conditions.failingCommits -= 1
                state.report(.commitFailed(transaction, StoreFailure(.diskFull)))
                return .failure(StoreFailure(.diskFull))
            }
            guard bug == .lostCommit, transaction.ticket != nil, entropy.order(state.turns) % 8 == 0 else {
                return .success(true)
            }
            state.report(.committed(transaction))
            return .success(false)
        }
        return try result.get()
    }

    func didCommit(_ transaction: StoreTransaction) {
        state.withLock { state in
            state.report(.committed(transaction))
            if state.conditions.losesEffects, let limit = state.conditions.stepsToDeath, state.steps >= limit {
                state.isDead = true
            }
        }
    }

    func groupBegins() {
        state.withLock { $0.groupStart = $0.reports.count }
    }

    func willCommitGroup() throws(StoreFailure) {
        let failure = state.withLock { state -> StoreFailure? in
            if state.isDead { return StoreFailure(.other) }
            return state.conditions.failingCommits > 0 ? StoreFailure(.diskFull) : nil
        }
        if let failure { throw failure }
    }

    func groupEnded(isKept: Bool) {
        state.withLock { state in
            defer { state.groupStart = nil }
            guard !isKept, let start = state.groupStart else { return }
            // The changes of the group are not on the disk.
            let taken = state.reports[start...].filter { report in
                if case .committed = report { false } else { true }
            }
            state.reports.replaceSubrange(start..., with: taken)
        }
    }

    func repetitions(of effect: ChatEffect) -> Int {
        state.withLock { state in
            guard state.step(isCommit: false) else { return 0 }
            switch effect {
            // The network reports these effects.
            case .network: return 1
            // The callers report their answers.
            case .notify(.loggedOut), .notify(.unreadAnswer), .notify(.searchAnswer): return 1
            case .notify(.received) where bug == .doubleDelivery:
                state.report(.carriedOut(effect))
                state.report(.carriedOut(effect))
                return 2
            default:
                state.report(.carriedOut(effect))
                return 1
            }
        }
    }
}
