import ChatCenterCore
import ChatServerCore
import ChatWire

/// Devices, a server, and the networks, clocks and disks between them, which one loop runs. The same seed and the same
/// plan give the same run.
package final class World {
    let setup: SimulationSetup
    let options: SimulationOptions
    let shelf: any StoreShelf
    let streams: RandomStreams
    let bugs: PlantedBugs
    let codec: JSONRoundTrip
    private let plan: Plan

    private var queue = OccurrenceQueue()
    let clients: [ClientNode]
    let server: ServerNode
    var links = LinkTable()
    var tokens = TokenIssuer()
    var record: RunRecord

    /// - Parameter hosts: Makes what runs in the processes of devices; `nil` for the cores alone.
    package init(
        seed: UInt64, plan: Plan? = nil, options: SimulationOptions = .init(), shelf: any StoreShelf,
        hosts: (any DriverHostMaker)? = nil
    ) {
        self.plan = plan ?? Plan(seed: seed)
        self.options = options
        self.shelf = shelf
        setup = SimulationSetup(seed: seed)
        let streams = RandomStreams(seed: seed)
        let bugs = PlantedBugs(options.plantedBug, streams)
        self.streams = streams
        self.bugs = bugs
        codec = JSONRoundTrip(isUsed: options.usesCodec)
        clients = setup.devices.enumerated().map { index, device in
            ClientNode(
                index: index, settings: device.settings, core: ChatCore(settings: bugs.settings(device.settings)),
                skew: device.skew, streams: streams,
                host: hosts?.host(
                    of: index, settings: device.settings, entropy: HostEntropy(streams, device: index)))
        }
        server = ServerNode(settings: setup.server)
        record = RunRecord(options)
    }

    /// Runs the plan and then the quiet time, in which everything works and the rules check that every promise is kept.
    package func run() {
        applyAccess()
        for item in plan.items { queue.add(.planned(item), at: SimulationClock.nanoseconds(item.time)) }
        for client in clients.indices {
            clients[client].host?.start()
            app(client).starts()
            app(client).authorize(setup.devices[client].user)
            if client == 0 { app(client).openScreen() }
        }
        advance(toMilliseconds: SimulationSetup.horizon)
        QuietTime(self).pass()
        let messages = server.shelf.contents.messages
        record.tally { figures in
            figures.arrived = messages.count(where: \.isFromClient)
            figures.received = messages.count - figures.arrived
        }
    }

    // MARK: The loop

    func advance(toMilliseconds end: Int64) {
        let end = SimulationClock.nanoseconds(end)
        while record.isGood, let next = queue.nextTime, next <= end, let entry = queue.takeNext() {
            record.advance(to: entry.time)
            happen(entry.occurrence)
            record.judgeLength()
        }
        record.advance(to: end)
    }

    func at(_ time: Int64, _ occurrence: Occurrence) {
        queue.add(occurrence, at: time)
    }

    func after(milliseconds: Int64, _ occurrence: Occurrence) {
        queue.add(occurrence, at: now + SimulationClock.nanoseconds(milliseconds))
    }

    private func happen(_ occurrence: Occurrence) {
        switch occurrence {
        case .planned(let item): PlanPerformer(self).happens(item)
        case .clientWake(let client, let life, let due): wake(client, life, due)
        case .clientDies(let client, let life):
            if clients[client].life == life, clients[client].plannedCrash != nil { die(client) }
        case .clientStarts(let client): start(client)
        case .clientSettles(let client, let life):
            if isLife(client, life) { HostedDevice(client, in: self).settleIfNeeded() }
        case .foreground(let client, let life): if isLife(client, life) { app(client).enterForeground() }
        case .authorize(let client, let life, let user):
            if isLife(client, life), clients[client].user == nil { app(client).authorize(user) }
        case .tokenComes(let client, let life, let attempt, let answers):
            if isLife(client, life) { app(client).tokenComes(attempt, answers) }
        case .reauthorize(let client, let life):
            if isLife(client, life), let user = clients[client].user { app(client).authorize(user) }
        case .clientEvent(let client, let life, let event): if isLife(client, life) { hand(event, to: client) }
        case .networkReturns(let client):
            if clients[client].conditions.hasRoute(at: now) { hand(.network(.pathChanged(hasRoute: true)), to: client) }
        case .pinsArrive: for client in clients { client.pins = [server.key] }
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
            if isLife(client, life) { FileUploads(client, in: self).uploadEnds(id, plan) }
        case .serverWake(let life, let due):
            if server.isUp, server.life == life, server.armed == due {
                server.armed = nil
                handServer(.woke)
            }
        case .serverDies(let life): if server.life == life, server.plannedCrash != nil { serverDies() }
        case .serverStarts: serverStarts()
        }
    }

    func isLife(_ client: Int, _ life: Int) -> Bool { clients[client].isAlive && clients[client].life == life }

    // MARK: Reports

    var now: Int64 { record.now }

    func complain(_ rule: Rule, _ text: String) {
        record.complain(rule, text)
    }

    func note(_ text: @autoclosure () -> String) {
        guard options.traceLines > 0 else { return }
        let text = text()
        record.note(text)
    }

    /// The outcome of the run so far.
    package func outcome(of seed: UInt64) -> SimulationOutcome {
        SimulationOutcome(
            seed: seed, complaints: record.complaints, trace: record.trace, figures: record.figures,
            lines: record.lines, turns: record.turns)
    }

    // MARK: Parts

    func app(_ client: Int) -> DeviceApp { DeviceApp(client, in: self) }

    func userRules(_ client: Int) -> UserRules { UserRules(clients[client], server.shelf.contents, shelf) }

    func networkRules(_ client: Int) -> NetworkRules { NetworkRules(clients[client], server.shelf.contents) }
}

/// Conversions of a world's time, which is in nanoseconds since its start.
enum SimulationClock {
    /// Milliseconds since 1970 at the start of a world.
    static let epoch: Int64 = 1_700_000_000_000

    static func wall(_ now: Int64) -> Int64 { epoch + now / 1_000_000 }

    static func nanoseconds(_ milliseconds: Int64) -> Int64 { milliseconds * 1_000_000 }
}
