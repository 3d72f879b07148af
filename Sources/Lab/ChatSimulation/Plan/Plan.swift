/// Everything that happens to a world from outside, determined before the run. Each entry depends on its own random
/// numbers, so the other entries stay the same when one is removed.
package struct Plan: Hashable, Sendable {
    package var items: [PlannedItem]

    package init(items: [PlannedItem]) {
        self.items = items
    }

    /// The plan of a seed.
    package init(seed: UInt64) {
        let streams = RandomStreams(seed: seed)
        var count = streams.sequence(.plan, -1)
        let setup = SimulationSetup(seed: seed)
        let devices = setup.devices.map(\.user)
        let common = 16 + count.below(40)
        items = (0..<(common + count.below(3))).map { number in
            var draw = streams.sequence(.plan, number)
            let time = draw.between(0, SimulationSetup.horizon)
            let happening =
                number < common ? Self.happening(devices, &draw) : Self.rareHappening(devices.count, &draw)
            return PlannedItem(number: number, time: time, happening: happening)
        }
    }

    /// Returns the plan with only the entries that have these numbers.
    package func keeping(_ numbers: [Int]) -> Plan {
        var plan = self
        let wanted = Set(numbers)
        plan.items.removeAll { !wanted.contains($0.number) }
        return plan
    }

    /// One line for each entry, ordered by time.
    package var lines: [String] {
        items.sorted { ($0.time, $0.number) < ($1.time, $1.number) }
            .map { "\($0.number) at \($0.time) ms: \($0.happening.text)" }
    }

    private static func happening(_ users: [Int], _ draw: inout RandomStream) -> SimulationEvent {
        let client = draw.below(users.count)
        let user = users[client]
        switch draw.below(100) {
        case 0..<20: return .send(client: client, files: draw.chance(15) ? 1 + draw.below(2) : 0)
        case 20..<22: return .answerSurvey(client: client)
        case 22..<25: return .resend(client: client)
        case 25..<26: return .discard(client: client)
        case 26..<28: return .typed(client: client)
        case 28..<29: return .loadOlder(client: client)
        case 29..<30: return .reload(client: client)
        case 30..<31: return .askUnreadCount(client: client)
        case 31..<32: return .search(client: client)
        case 32..<38: return .openScreen(client: client)
        case 38..<40: return .closeScreen(client: client)
        case 40..<44: return .background(client: client, for: draw.between(100, 20_000))
        case 44..<45: return .logout(client: client, next: next(user, &draw), after: draw.between(0, 15_000))
        case 45..<46: return .deauthorize(client: client, next: next(user, &draw), after: draw.between(0, 5000))
        case 46..<47: return .handOver(client: client, next: next(user, &draw))
        case 47..<56: return .operatorSays(user: user)
        case 56..<57: return .operatorEdits(user: user)
        case 57..<58: return .operatorDeletes(user: user)
        case 58..<60: return .operatorReads(user: user)
        case 60..<61: return .operatorTypes(user: user)
        case 61..<62: return .operatorClosesThread(user: user)
        case 62..<63: return .operatorAsksSurvey(user: user)
        default: return .fault(fault(client, user, &draw))
        }
    }

    /// Returns an event for one of the last entries of a plan. These entries were added later, so that the entries
    /// before them stay the same.
    private static func rareHappening(_ clients: Int, _ draw: inout RandomStream) -> SimulationEvent {
        let client = draw.below(clients)
        return draw.chance(50) ? .browse(client: client) : .fault(.refusedHandshake(client: client))
    }

    private static func next(_ user: Int, _ draw: inout RandomStream) -> Int {
        draw.chance(50) ? user : draw.below(SimulationSetup.users.count)
    }

    private static func fault(_ client: Int, _ user: Int, _ draw: inout RandomStream) -> Fault {
        let direction: Fault.Direction = draw.chance(50) ? .up : .down
        let frames = 1 + draw.below(4)
        switch draw.below(100) {
        case 0..<8: return .loss(client: client, direction, frames: frames)
        case 8..<15: return .duplication(client: client, direction, frames: frames)
        case 15..<22: return .reordering(client: client, direction, frames: frames)
        case 22..<28: return .delay(client: client, direction, frames: frames, by: draw.between(100, 15_000))
        case 28..<36: return .cut(client: client, delivers: draw.chance(50))
        case 36..<43: return .cutBeforeReply(client: client)
        case 43..<48: return .silence(client: client, for: draw.between(1000, 40_000))
        case 48..<53: return .noRoute(client: client, for: draw.between(500, 20_000))
        case 53..<56: return .pathChange(client: client)
        case 56..<61:
            let failures = Fault.CallFailure.allCases
            return .failedCalls(client: client, failures[draw.below(failures.count)], count: 1 + draw.below(3))
        case 61..<62: return .failedUploads(client: client, count: 1)
        case 62..<63: return .hangingUploads(client: client, count: 1)
        case 63..<78:
            return .clientCrash(
                client: client, afterEffects: draw.below(25), unperformed: draw.chance(40) ? draw.below(4) : 0,
                down: draw.between(10, 12_000))
        case 78..<83: return .serverCrash(afterEffects: draw.below(10), down: draw.between(10, 8000))
        case 83..<88: return .clientDiskFull(client: client, commits: 1 + draw.below(3))
        case 88..<91: return .serverDiskFull(commits: 1)
        case 91..<95: return .tokenExpiry(user: user, providerAnswers: draw.chance(70))
        case 95..<97: return .keyRotation(isInPins: draw.chance(50), for: draw.between(500, 15_000))
        case 97..<99: return .clockJump(client: client, by: draw.between(-120_000, 120_000))
        default: return .refusedMarks(client: client, for: draw.between(5000, 40_000))
        }
    }
}

/// An entry of a plan. Its number identifies it on the command line, and stays the same when other entries are removed.
package struct PlannedItem: Hashable, Sendable {
    package var number: Int
    /// Milliseconds since the start.
    package var time: Int64
    package var happening: SimulationEvent

    package init(number: Int, time: Int64, happening: SimulationEvent) {
        self.number = number
        self.time = time
        self.happening = happening
    }
}

/// An event from outside of the two cores: an action of a user or an operator, or a fault.
package enum SimulationEvent: Hashable, Sendable {
    // Users.
    case send(client: Int, files: Int)
    case answerSurvey(client: Int)
    case resend(client: Int)
    case discard(client: Int)
    case typed(client: Int)
    case loadOlder(client: Int)
    case reload(client: Int)
    case askUnreadCount(client: Int)
    case search(client: Int)
    /// The user searches on the screen and downloads files.
    case browse(client: Int)
    case openScreen(client: Int)
    case closeScreen(client: Int)
    /// The app enters the background for a number of milliseconds.
    case background(client: Int, for: Int64)
    /// The user logs out. The same or another user is authorized after a number of milliseconds.
    case logout(client: Int, next: Int, after: Int64)
    case deauthorize(client: Int, next: Int, after: Int64)
    /// Another user is authorized without a logout of the current one.
    case handOver(client: Int, next: Int)

    // Operators.
    case operatorSays(user: Int)
    case operatorEdits(user: Int)
    case operatorDeletes(user: Int)
    case operatorReads(user: Int)
    case operatorTypes(user: Int)
    case operatorClosesThread(user: Int)
    case operatorAsksSurvey(user: Int)

    case fault(Fault)
}

extension SimulationEvent {
    /// The description of the event, without the names of modules.
    package var text: String {
        if case .fault(let fault) = self { return fault.text }
        return Self.short("\(self)")
    }

    /// Removes the names that `description` puts before the cases of nested enums.
    static func short(_ text: String) -> String {
        text.replacing("ChatSimulation.", with: "").replacing("Fault.Direction.", with: "")
            .replacing("Fault.CallFailure.", with: "")
    }
}

extension Fault {
    /// The description of the fault in one line.
    package var text: String { SimulationEvent.short("\(self)") }
}
