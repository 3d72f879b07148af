import HoldfastBase
import HoldfastTransport
import HoldfastTrust

/// A fleet of clients, their servers, a CDN for bundles, a collector for reports, and an operator, in virtual time.
///
/// One loop processes the events second by second. The same setup gives the same result in every process.
struct FleetWorld {
    let setup: FleetSetup
    var clients: [FleetClient]
    var wheel: EventWheel
    var nodes = NodePool()
    var policies: PolicyGroups
    var record: FleetRecord
    var figures = FleetFigures()
    var complaints: [FleetComplaint] = []
    /// The key that the servers present.
    var key = ServerKey.usual
    var collector = CollectorModel()
    var desk = DeskModel()
    /// What reports about each policy and key have in common, by `group * ServerKey.allCases.count + key`.
    let subjects: [ReportSubject]
    /// The second that is being processed.
    var now = 0

    /// Creates a fleet at the start of a run.
    init(_ setup: FleetSetup) throws {
        self.setup = setup
        policies = try PolicyGroups(clients: setup.clients, smallestShare: setup.stages[0].share)
        try policies.publish([.usual, .backup], version: 1, validity: -30 * 86_400...365 * 86_400)
        wheel = EventWheel(seconds: setup.horizon, clients: setup.clients)
        record = FleetRecord(seconds: setup.horizon)
        clients = []
        clients.reserveCapacity(setup.clients)
        subjects = (0..<DeskModel.mostGroups * ServerKey.allCases.count).map { number in
            ReportSubject(key: SHA256Hash(hashing: Array("subject \(number)".utf8)), host: 1)
        }
        for index in 0..<setup.clients {
            var client = FleetClient()
            client.useDue = Int32(below(setup.useInterval, &client, index))
            client.fetchDue = Int32(below(21_600, &client, index))
            client.position = UInt16(below(10_000, &client, index))
            if setup.hasWrongClocks, below(10, &client, index) == 0 {
                client.clock = Int32(below(2 * setup.clockError + 1, &client, index) - setup.clockError)
            }
            wheel.add(.use, index, at: Int(client.useDue))
            wheel.add(.fetch, index, at: Int(client.fetchDue))
            clients.append(client)
        }
    }

    /// Runs to the end.
    mutating func run() throws {
        while now < setup.horizon {
            try operate()
            while let event = wheel.take(at: now) { process(event.kind, event.client) }
            now += 1
            if now % FleetWorld.checkInterval == 0 { check() }
        }
        finish()
    }

    private mutating func process(_ kind: FleetEventKind, _ index: Int) {
        let time = Int32(now)
        switch kind {
        case .use where clients[index].useDue == time: use(index)
        case .fetch where clients[index].fetchDue == time: fetch(index)
        case .report where clients[index].reportDue == time: report(index)
        case .start: start(index)
        // The event was replaced by a later or an earlier one.
        case .use, .fetch, .report: return
        }
        figures.events += 1
    }

    // MARK: Random numbers

    /// Returns the next random number of a client.
    func draw(_ client: inout FleetClient, _ index: Int) -> UInt64 {
        client.draws &+= 1
        let entity = SplitMix64.mixed(setup.seed &+ UInt64(index) &* 0xD6E8_FEB8_6659_FD93)
        return SplitMix64.mixed(entity ^ (UInt64(client.draws) &* 0xA076_1D64_78BD_642F))
    }

    /// Returns a number in 0 ..< `limit`.
    func below(_ limit: Int, _ client: inout FleetClient, _ index: Int) -> Int {
        Int(draw(&client, index) % UInt64(max(1, limit)))
    }

    /// Returns the time of a client's clock.
    func clock(_ client: FleetClient) -> Timestamp { PolicyGroups.time(now + Int(client.clock)) }

    // MARK: Uses

    /// Opens a connection to the servers.
    private mutating func use(_ index: Int) {
        var client = clients[index]
        record.count(.connects, at: now)
        if policies.groups[Int(client.group)].accepts[key.rawValue] {
            client.useFailures = 0
            schedule(.use, &client, index, after: setup.useInterval / 2 + below(setup.useInterval + 1, &client, index))
        } else {
            let backoff = ExponentialBackoff(base: setup.useBackoff.base, ceiling: setup.useBackoff.ceiling)
            let wait = backoff.wait(after: Int(client.useFailures), entropy: draw(&client, index))
            client.useFailures = min(client.useFailures, 100) + 1
            schedule(.use, &client, index, after: max(1, Int(wait)))
            failed(&client, index)
        }
        clients[index] = client
    }

    /// Sets the time of a client's next event.
    mutating func schedule(_ kind: FleetEventKind, _ client: inout FleetClient, _ index: Int, after seconds: Int) {
        let due = now + max(1, seconds)
        switch kind {
        case .use: client.useDue = Int32(due)
        case .fetch: client.fetchDue = Int32(due)
        case .report: client.reportDue = Int32(due)
        case .start: break
        }
        wheel.add(kind, index, at: due)
    }

    // MARK: Restarts

    /// Ends all apps in the same second.
    mutating func endAllApps() {
        for index in clients.indices {
            var client = clients[index]
            client.useDue = FleetClient.never
            client.fetchDue = FleetClient.never
            client.reportDue = FleetClient.never
            schedule(.start, &client, index, after: 1 + below(setup.startSpread, &client, index))
            clients[index] = client
        }
    }

    /// Starts an app. It keeps what is on its disk.
    private mutating func start(_ index: Int) {
        var client = clients[index]
        client.outdatedTag = FleetClient.noBundle
        client.stale = FleetClient.noBundle
        var machine = fetchMachine(of: client)
        let wait = machine.launched(entropy: draw(&client, index))
        client.fetchFailures = 0
        schedule(.fetch, &client, index, after: Int(wait))
        clients[index] = client
        report(index)
        clients[index].useDue = Int32(now)
        use(index)
    }
}
