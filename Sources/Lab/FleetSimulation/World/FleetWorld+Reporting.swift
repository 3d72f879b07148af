import HoldfastTransport
import HoldfastTrust

/// The collector: it accepts a number of reports in each second and refuses the others.
struct CollectorModel: Sendable {
    private var second = -1
    private var count = 0

    /// Returns whether the collector has capacity for another report in this second.
    mutating func accepts(at now: Int, capacity: Int) -> Bool {
        if now != second {
            second = now
            count = 0
        }
        count += 1
        return count <= capacity
    }
}

/// Reports about failures.
extension FleetWorld {
    private static let address = "https://reports.fleet.example/"
    /// The pseudonym for the servers' host.
    private static let about = "servers"
    /// The number of subjects, as a factor in the IDs of reports.
    private static let idFactor = 64

    /// Reports a failed connection.
    mutating func failed(_ client: inout FleetClient, _ index: Int) {
        let subject = Int(client.group) * ServerKey.allCases.count + key.rawValue
        var machine = reporter(of: client)
        let time = clock(client)
        switch machine.failed(subjects[subject], at: time, entropy: draw(&client, index)) {
        case .ignore: return
        case .report(let admitted):
            client.reports &+= 1
            let entry = ReportQueue.Entry(
                id: String(Int(client.reports) * Self.idFactor + subject), url: Self.address, about: Self.about,
                created: time, due: time, size: setup.reportSize)
            guard let displaced = machine.displaced(by: entry.size, about: entry.about) else {
                figures.dropped += 1
                return
            }
            machine.place(entry, displacing: displaced)
            machine.placed(admitted)
            figures.dropped += displaced.count
        }
        countWaiting(machine.queue.entries.count)
        send(&machine, &client, index)
        remember(machine, &client)
    }

    private mutating func countWaiting(_ waiting: Int) {
        guard waiting > figures.mostWaiting else { return }
        figures.mostWaiting = waiting
        if waiting > setup.mostWaitingReports {
            complain(
                .boundedQueues,
                "\(waiting) reports wait in a client; at most \(setup.mostWaitingReports) are expected.")
        }
    }

    /// Sends the reports of a client that are due.
    mutating func report(_ index: Int) {
        var client = clients[index]
        guard client.queue != NodePool.none else { return }
        var machine = reporter(of: client)
        send(&machine, &client, index)
        remember(machine, &client)
        clients[index] = client
    }

    private mutating func send(_ machine: inout ReporterMachine, _ client: inout FleetClient, _ index: Int) {
        let time = clock(client)
        client.reportDue = FleetClient.never
        while true {
            switch machine.next(at: time) {
            case .send(let entry):
                record.count(.reports, at: now)
                let outcome = collect(entry, &client, index)
                _ = machine.ended(entry.id, outcome, at: time, entropy: draw(&client, index))
            case .drop: figures.dropped += 1
            case .wait(let seconds):
                schedule(.report, &client, index, after: Int(seconds))
                return
            case .rest: return
            }
        }
    }

    /// Returns the answer of the collector. The desk counts accepted reports.
    private mutating func collect(
        _ entry: ReportQueue.Entry, _ client: inout FleetClient, _ index: Int
    ) -> ReportQueue.Outcome {
        if let outage = setup.collectorOutage, outage.contains(now) {
            figures.unanswered += 1
            return .unreachable
        }
        guard collector.accepts(at: now, capacity: setup.collectorCapacity) else {
            figures.refused += 1
            // The collector distributes the refused clients over ten minutes.
            return .failed(retryAfter: Double(60 + below(600, &client, index)))
        }
        figures.accepted += 1
        let subject = (Int(entry.id) ?? 0) % Self.idFactor
        desk.count(subject / ServerKey.allCases.count, &client)
        return .sent
    }

    // MARK: The compact state

    /// Makes the machine of a client.
    private func reporter(of client: FleetClient) -> ReporterMachine {
        let decided = nodes.list(client.ledger).map { node in
            ReportLedger.Entry(
                subject: subjects[Int(node.subject)], time: FleetSetup.epoch + Int64(node.time), wasSent: node.wasSent)
        }
        let entries = nodes.list(client.queue).map { node in
            ReportQueue.Entry(
                id: String(Int(node.number) * Self.idFactor + Int(node.subject)), url: Self.address,
                about: Self.about, created: PolicyGroups.time(Int(node.time)), attempts: Int(node.attempts),
                tries: Int(node.tries), due: PolicyGroups.time(Int(node.due)), size: setup.reportSize)
        }
        let hold = ReportQueue.Hold(
            failures: Int(client.holdFailures), until: PolicyGroups.time(Int(client.holdUntil)))
        return ReporterMachine(
            ledger: ReportLedger(limits: setup.ledgerLimits, decided: decided),
            queue: ReportQueue(
                limits: setup.spoolLimits, backoff: setup.reportBackoff, entries: entries,
                holds: client.holdFailures > 0 ? [Self.address: hold] : [:]))
    }

    private mutating func remember(_ machine: ReporterMachine, _ client: inout FleetClient) {
        func second(_ time: Timestamp) -> Int32 { Int32(clamping: time.secondsSince1970 - FleetSetup.epoch) }
        if machine.isLedgerOwed {
            client.ledger = nodes.replace(
                client.ledger,
                with: machine.ledger.decided.map { entry in
                    NodePool.Node(
                        time: Int32(clamping: entry.time - FleetSetup.epoch),
                        subject: UInt8(clamping: subjects.firstIndex(of: entry.subject) ?? 0), wasSent: entry.wasSent)
                })
        }
        client.queue = nodes.replace(
            client.queue,
            with: machine.queue.entries.map { entry in
                let id = Int(entry.id) ?? 0
                return NodePool.Node(
                    time: second(entry.created), due: second(entry.due),
                    number: UInt16(truncatingIfNeeded: id / Self.idFactor), tries: UInt16(clamping: entry.tries),
                    attempts: UInt16(clamping: entry.attempts), subject: UInt8(id % Self.idFactor))
            })
        let hold = machine.queue.holds[Self.address]
        client.holdFailures = UInt16(clamping: hold?.failures ?? 0)
        client.holdUntil = hold.map { second($0.until) } ?? 0
    }
}
