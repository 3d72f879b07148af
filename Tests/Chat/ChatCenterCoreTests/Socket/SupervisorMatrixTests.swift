import Testing

@testable import ChatCenterCore

/// Tests the supervisor: every phase against every event.
@Suite struct SupervisorMatrixTests {
    static let rules = SocketRules(
        connectionTimeout: 30_000, pingInterval: 15_000, pingRetries: 2, retryInterval: 1000)
    static let gone = DisconnectCause.transport(TransportFailure(.unreachable))

    /// All events, by the names that the matrix uses.
    enum Event: String, CaseIterable, Sendable {
        case wishOpen, wishPreRegistration, wishClosed, opened, registered, introduced, heard, lost, abandoned, due
        case early, halt, resume, forget, route, noRoute, replace, doubt, press, release

        func happen(to socket: inout SocketSupervisor, at now: Moment) -> [CoreAction] {
            let rules = SupervisorMatrixTests.rules
            switch self {
            case .wishOpen: return socket.settle(.open, at: now, rules)
            case .wishPreRegistration: return socket.settle(.preRegistration, at: now, rules)
            case .wishClosed: return socket.settle(.closed(.chatClosed), at: now, rules)
            case .opened: return socket.opened(at: now, rules)
            case .registered: return socket.registered(at: now, rules)
            case .introduced: return socket.introduced(at: now, rules)
            case .heard: socket.heard(at: now, rules)
            case .lost: return socket.lost(SupervisorMatrixTests.gone, at: now, entropy: 999, rules)
            case .abandoned:
                return socket.abandon(.refused, .linkDead, at: now, entropy: 999, rules)
            case .due:
                let due = Moment(monotonic: max(now.monotonic, socket.wake ?? 0), wall: now.wall)
                return socket.expire(at: due, entropy: 999, rules)
            case .early: return socket.expire(at: now, entropy: 999, rules)
            case .halt: return socket.halt(.unauthorized)
            case .resume: socket.resume()
            case .forget: socket.forgetFailures()
            case .route: socket.networkChanged(at: now, hasRoute: true)
            case .noRoute: socket.networkChanged(at: now, hasRoute: false)
            case .replace: return socket.replace(.networkChanged)
            case .doubt: socket.doubt(at: now)
            case .press: socket.press("1-1", at: now, rules)
            case .release: socket.press(nil, at: now, rules)
            }
            return []
        }
    }

    /// The phases, in the order of the matrix's columns.
    static let columns = ["idle", "opening", "registering", "introducing", "ready", "waiting", "halted"]

    /// The effect of each event on each phase. `=` means that the phase does not change; `due` occurs when the phase's
    /// timer fires.
    static let matrix: [(Event, [String])] = [
        (.wishOpen, ["opening", "=", "=", "=", "=", "=", "="]),
        (.wishPreRegistration, ["opening", "=", "=", "=", "=", "=", "="]),
        (.wishClosed, ["=", "idle", "idle", "idle", "idle", "idle", "="]),
        (.opened, ["=", "registering", "=", "=", "=", "=", "="]),
        (.registered, ["=", "=", "introducing", "=", "=", "=", "="]),
        (.introduced, ["=", "=", "=", "ready", "=", "=", "="]),
        (.heard, ["=", "=", "=", "=", "=", "=", "="]),
        (.lost, ["=", "waiting", "waiting", "waiting", "waiting", "=", "="]),
        (.abandoned, ["=", "waiting", "waiting", "waiting", "waiting", "=", "="]),
        // A ready socket is probed. Another row covers a missing answer.
        (.due, ["=", "waiting", "waiting", "waiting", "=", "=", "="]),
        (.early, ["=", "=", "=", "=", "=", "=", "="]),
        (.halt, ["halted", "halted", "halted", "halted", "halted", "halted", "="]),
        (.resume, ["=", "=", "=", "=", "=", "idle", "idle"]),
        (.forget, ["=", "=", "=", "=", "=", "idle", "="]),
        (.route, ["=", "=", "=", "=", "=", "idle", "="]),
        (.noRoute, ["=", "=", "=", "=", "=", "=", "="]),
        (.replace, ["=", "idle", "idle", "idle", "idle", "idle", "="]),
        (.doubt, ["=", "=", "=", "=", "=", "=", "="]),
        (.press, ["=", "=", "=", "=", "=", "=", "="]),
        (.release, ["=", "=", "=", "=", "=", "=", "="]),
    ]

    static let now = Moment(monotonic: 1_000_000_000, wall: 1_700_000_000_000)

    /// Returns a supervisor in the phase of a column.
    static func supervisor(_ column: String) -> SocketSupervisor {
        let ways: [String: [Event]] = [
            "idle": [], "opening": [.wishOpen], "registering": [.wishOpen, .opened],
            "introducing": [.wishOpen, .opened, .registered],
            "ready": [.wishOpen, .opened, .registered, .introduced], "waiting": [.wishOpen, .lost], "halted": [.halt],
        ]
        var socket = SocketSupervisor()
        for event in ways[column] ?? [] { _ = event.happen(to: &socket, at: now) }
        return socket
    }

    @Test func theMatrixContainsEveryEventAndEveryPhase() {
        #expect(Self.matrix.map(\.0) == Event.allCases)
        for (event, row) in Self.matrix { #expect(row.count == Self.columns.count, "\(event)") }
        for column in Self.columns { #expect(Self.supervisor(column).phase.name == column) }
    }

    @Test(arguments: matrix.map(\.0.rawValue), columns)
    func cell(_ event: String, _ column: String) throws {
        let event = try #require(Event(rawValue: event))
        let row = try #require(Self.matrix.first { $0.0 == event }?.1)
        let place = try #require(Self.columns.firstIndex(of: column))
        var socket = Self.supervisor(column)
        _ = event.happen(to: &socket, at: Self.now)
        #expect(socket.phase.name == (row[place] == "=" ? column : row[place]))
    }

    /// Every state that eight events can lead to, and every event in each of them.
    @Test("there are never two live sockets or two timers, whatever the order of events")
    func everyEventInEveryState() {
        var frontier: Set<SocketSupervisor> = [SocketSupervisor()]
        var seen = frontier
        var complaints: Set<String> = []
        for _ in 0..<8 {
            var next: Set<SocketSupervisor> = []
            for state in frontier {
                for event in Event.allCases {
                    var socket = state
                    let actions = event.happen(to: &socket, at: Self.now)
                    for complaint in Self.complaints(state, event, actions, socket) {
                        complaints.insert("\(complaint): \(state.phase), \(event), \(socket.phase)")
                    }
                    if seen.insert(socket).inserted { next.insert(socket) }
                }
            }
            frontier = next
        }
        #expect(complaints.isEmpty)
        #expect(seen.count > 100)
    }

    /// Checks the invariants across each step.
    private static func complaints(
        _ before: SocketSupervisor, _ event: Event, _ actions: [CoreAction], _ after: SocketSupervisor
    ) -> [String] {
        var complaints: [String] = []
        func hold(_ isTrue: Bool, _ complaint: String) {
            if !isTrue { complaints.append(complaint) }
        }
        var sockets: Set<Generation> = before.live.map { [$0] } ?? []
        for action in actions {
            switch action {
            case .open(let generation):
                hold(sockets.isEmpty, "a second socket is open")
                hold(generation > before.generation, "a generation is repeated")
                sockets.insert(generation)
            case .close(let generation, _):
                hold(sockets.remove(generation) != nil, "a socket is closed that is not open")
            case .lost: sockets = []
            case .ping(let generation): hold(sockets.contains(generation), "a ping without a socket")
            case .register, .introduce, .becameReady: hold(sockets == [before.generation], "a step without a socket")
            default: hold(false, "an unexpected action")
            }
        }
        hold(sockets == (after.live.map { [$0] } ?? []), "the sockets do not match the state")
        // There is at most one timer, and none if there is nothing to wait for.
        switch after.phase {
        case .idle, .halted: hold(after.wake == nil, "an unnecessary timer")
        case .opening, .registering, .introducing, .ready, .waiting: hold(after.wake != nil, "no timer")
        }
        // After the timer fired, it is not set to the same time again, except for a wait that a wish ends.
        if event == .due, let wake = after.wake, case .ready = after.phase {
            hold(wake > max(now.monotonic, before.wake ?? 0), "a timer without progress")
        }
        return complaints
    }

    @Test func aWaitEndsAtItsTimeIfASocketIsNeeded() {
        var socket = Self.supervisor("waiting")
        #expect(socket.settle(.open, at: Self.now, Self.rules) == [])
        let due = Moment(monotonic: socket.wake ?? 0, wall: 0)
        #expect(socket.settle(.open, at: due, Self.rules) == [.open(Generation(2))])
    }

    /// A network that appears and disappears ends every wait. The supervisor therefore opens at most ten sockets within
    /// 20 s.
    @Test func socketsAreNotOpenedInATightLoop() throws {
        var socket = SocketSupervisor()
        var opened: [Int64] = []
        var now = Self.now
        for _ in 0..<2000 {
            for action in socket.settle(.open, at: now, Self.rules) {
                if case .open = action { opened.append(now.monotonic) }
            }
            now = Moment(monotonic: now.monotonic + 100_000_000, wall: now.wall + 100)
            _ = socket.lost(Self.gone, at: now, entropy: 0, Self.rules)
            socket.networkChanged(at: now, hasRoute: true)
            _ = socket.replace(.networkChanged)
        }
        // 200 s: ten sockets in every window, so the limit is fully used.
        #expect(opened.count == 100)
        for (index, time) in opened.enumerated() where index >= SocketRules.dialBurst {
            #expect(time - opened[index - SocketRules.dialBurst] >= SocketRules.dialWindow * 1_000_000)
        }
    }

    /// A user's actions are not delayed: the tenth opening within a few seconds starts at once, the eleventh reports
    /// its time.
    @Test func theBudgetReportsWhenItContinues() throws {
        var socket = SocketSupervisor()
        for _ in 0..<SocketRules.dialBurst {
            #expect(socket.settle(.open, at: Self.now, Self.rules).count == 1)
            _ = socket.close(.chatClosed)
        }
        #expect(socket.settle(.open, at: Self.now, Self.rules) == [])
        guard case .waiting(let deadline, let attempt, let cause) = socket.phase else {
            Issue.record("\(socket.phase)")
            return
        }
        #expect(attempt == 1 && cause == .tooManyAttempts)
        // The socket is no longer needed, so there is no timer.
        #expect(socket.close(.chatClosed) == [])
        #expect(socket.wake == nil)
        #expect(socket.settle(.open, at: Self.now, Self.rules) == [])
        let due = Moment(monotonic: deadline.monotonic, wall: 0)
        #expect(socket.settle(.open, at: due, Self.rules) == [.open(Generation(11))])
    }

    @Test("the range of reconnect delays grows by the multiplier up to a limit")
    func spans() {
        #expect(
            (0...8).map { RetryDelay.span(after: $0, base: 1000) }
                == [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
        #expect((0...3).map { RetryDelay.span(after: $0, base: 500, multiplier: 1) } == [500, 500, 500, 500])
        #expect((0...3).map { RetryDelay.span(after: $0, base: 250, multiplier: 10) } == [250, 2500, 25_000, 60_000])
        for (base, multiplier) in [(Int64.max, Int64.max), (.min, .min), (0, 0), (-1, 5)] {
            for failures in [Int.min, -1, 0, 1, 100, .max] {
                #expect((1...60_000).contains(RetryDelay.span(after: failures, base: base, multiplier: multiplier)))
                #expect(
                    (0...60_000).contains(
                        RetryDelay.wait(after: failures, base: base, multiplier: multiplier, entropy: .max)))
            }
        }
        #expect(RetryDelay.wait(after: 0, base: 1000, entropy: 0) == 0)
        #expect(RetryDelay.wait(after: 0, base: 1000, entropy: 1000) == 1000)
    }
}

extension SocketSupervisor.Phase {
    fileprivate var name: String {
        switch self {
        case .idle: "idle"
        case .opening: "opening"
        case .registering: "registering"
        case .introducing: "introducing"
        case .ready: "ready"
        case .waiting: "waiting"
        case .halted: "halted"
        }
    }
}
