package import ChatCenterCore
import ChatServerCore
import ChatWire

/// Several devices, a server, the networks between them, clocks and disks in one place, moved on by one loop. The
/// same seed and the same plan give the same run.
package final class World {
    let seed: UInt64
    let setup: SimulationSetup
    let plan: Plan
    let options: SimulationOptions
    let shelf: any StoreShelf
    let draws: Draws

    /// Nanoseconds.
    var now: Int64 = 0
    var queue = OccurrenceQueue()
    var clients: [ClientNode]
    var server: ServerNode
    /// A link's place is its number on the server's side.
    var links: [Link] = []
    /// The number of the token that each user has now.
    var tokens: [Int]
    /// Who is asked by the call that the server answers at the moment.
    var callUnderWay: (client: Int, life: Int, id: ClientCallID, request: RESTRequest)?
    var operatorWords = 0
    /// The uuids of surveys that were pushed.
    var surveys: [String] = []

    package private(set) var complaints: [Complaint] = []
    package internal(set) var figures = SimulationFigures()
    package internal(set) var trace = TraceDigest()
    /// The last lines of what happened.
    package private(set) var lines: [String] = []
    package internal(set) var turns: [ClientTurn] = []

    /// More events than a run of sixty seconds can have.
    static let longestRun = 20_000

    package init(seed: UInt64, plan: Plan? = nil, options: SimulationOptions = .init(), shelf: any StoreShelf) {
        self.seed = seed
        self.plan = plan ?? Plan(seed: seed)
        self.options = options
        self.shelf = shelf
        setup = SimulationSetup(seed: seed)
        draws = Draws(seed: seed)
        tokens = SimulationSetup.users.map { _ in 1 }
        clients = setup.devices.enumerated().map { index, device in
            ClientNode(
                index: index, settings: device.settings,
                core: ChatCore(settings: Self.settings(device.settings, options.plantedBug)), skew: device.skew)
        }
        server = ServerNode(settings: setup.server)
        figures.seeds = 1
    }

    /// Lives through the plan, and then through a quiet time in which everything works, so that what was promised can
    /// be asked for.
    package func run() {
        applyAccess()
        for item in plan.items { queue.add(.planned(item), at: SimulationClock.nanoseconds(item.time)) }
        for client in clients.indices {
            appStarts(client)
            authorize(client, user: setup.devices[client].user)
            if client == 0 { openScreen(client) }
        }
        advance(toMilliseconds: SimulationSetup.horizon)
        calmDown()
        for client in clients.indices { countMessages(client) }
    }

    // MARK: The loop

    func advance(toMilliseconds end: Int64) {
        let end = SimulationClock.nanoseconds(end)
        while complaints.isEmpty, let next = queue.nextTime, next <= end, let entry = queue.takeNext() {
            now = max(now, entry.time)
            happen(entry.occurrence)
            if figures.events > Self.longestRun { complain(.rest, "more than \(Self.longestRun) events") }
        }
        now = max(now, end)
    }

    func after(milliseconds: Int64, _ occurrence: Occurrence) {
        queue.add(occurrence, at: now + SimulationClock.nanoseconds(milliseconds))
    }

    private func happen(_ occurrence: Occurrence) {
        switch occurrence {
        case .planned(let item): happens(item)
        case .clientWake(let client, let life, let due): wake(client, life, due)
        case .clientDies(let client, let life):
            if clients[client].life == life, clients[client].doom != nil { die(client) }
        case .clientStarts(let client): start(client)
        case .foreground(let client, let life): if isLife(client, life) { enterForeground(client) }
        case .authorize(let client, let life, let user):
            if isLife(client, life), clients[client].user == nil { authorize(client, user: user) }
        case .tokenComes(let client, let life, let attempt, let answers):
            if isLife(client, life) { tokenComes(client, attempt, answers) }
        case .reauthorize(let client, let life):
            if isLife(client, life), let user = clients[client].user { authorize(client, user: user) }
        case .clientEvent(let client, let life, let event): if isLife(client, life) { hand(event, to: client) }
        case .networkReturns(let client):
            if now >= clients[client].weather.noRouteUntil { hand(.network(.pathChanged(hasRoute: true)), to: client) }
        case .pinsArrive: for client in clients.indices { clients[client].pins = [server.key] }
        case .dialled(let link): dialled(link)
        case .up(let link, let frame): arrivesUp(frame, link)
        case .down(let link, let frame): arrivesDown(frame, link)
        case .pinged(let link): pinged(link)
        case .clientSeesEnd(let link, let cause): clientSeesEnd(link, cause)
        case .serverSeesEnd(let link): serverSeesEnd(link)
        case .called(let client, let life, let id, let call): called(client, life, id, call)
        case .callTimesOut(let client, let life, let id):
            if isLife(client, life) { answer(client, id, .failure(TransportFailure(.timedOut))) }
        case .uploadEnds(let client, let life, let id, let plan):
            if isLife(client, life) { uploadEnds(client, id, plan) }
        case .serverWake(let life, let due):
            if server.isUp, server.life == life, server.armed == due {
                server.armed = nil
                handServer(.woke)
            }
        case .serverDies(let life): if server.life == life, server.doom != nil { serverDies() }
        case .serverStarts: serverStarts()
        }
    }

    func isLife(_ client: Int, _ life: Int) -> Bool { clients[client].isAlive && clients[client].life == life }

    // MARK: Telling

    /// The first complaint ends the run: what comes after it says nothing new.
    func complain(_ rule: Rule, _ text: String) {
        guard complaints.isEmpty else { return }
        complaints.append(Complaint(rule: rule, time: now / 1_000_000, text: text))
        note("COMPLAINT \(rule.rawValue): \(text)")
    }

    /// Keeps a line of the trace, if anybody reads it.
    func note(_ text: @autoclosure () -> String) {
        guard options.traceLines > 0 else { return }
        let milliseconds = now / 1_000_000
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        lines.append("\(milliseconds / 1000).\(fraction) " + text())
        if lines.count > options.traceLines { lines.removeFirst(lines.count - options.traceLines) }
    }
}

/// The time of a world: nanoseconds from its start.
enum SimulationClock {
    /// Milliseconds since 1970 at the start of a world.
    static let epoch: Int64 = 1_700_000_000_000

    static func wall(_ now: Int64) -> Int64 { epoch + now / 1_000_000 }

    static func nanoseconds(_ milliseconds: Int64) -> Int64 { milliseconds * 1_000_000 }
}

/// One turn of a client's core, whole.
package struct ClientTurn: Hashable, Sendable {
    package var client: Int
    package var time: Int64
    package var event: ChatEvent
    package var effects: [ChatEffect]
}
