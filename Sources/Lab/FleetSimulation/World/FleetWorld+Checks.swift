import HoldfastTransport
import HoldfastTrust

/// The invariants.
extension FleetWorld {
    /// The time between two checks of all clients.
    static let checkInterval = 3_600

    /// Adds a complaint, if it is the first about this invariant.
    mutating func complain(_ invariant: FleetInvariant, _ text: String) {
        guard !complaints.contains(where: { $0.invariant == invariant }) else { return }
        complaints.append(FleetComplaint(invariant: invariant, second: now, text: text))
    }

    /// Checks all clients and all streams.
    mutating func check() {
        checkWaysBack()
        for stream in FleetRecord.Stream.allCases {
            // The windows of the last part may not be complete.
            guard let worst = rule(stream).worst(record.seconds[stream.rawValue], until: now),
                worst.ratio > HerdRule.limit
            else { continue }
            complain(
                .noHerd,
                "\(worst.count) \(stream.name) in \(worst.length) seconds from \(worst.second) s; "
                    + "an even distribution has \(worst.ideal).")
        }
    }

    /// The window in which the machines spread the requests of a stream.
    func rule(_ stream: FleetRecord.Stream) -> HerdRule {
        switch stream {
        case .connects: HerdRule(window: 300)
        case .fetches, .reports: HerdRule(window: 600)
        }
    }

    private mutating func checkWaysBack() {
        let groups = policies.groups.map { !$0.accepts[key.rawValue] }
        guard policies.lockedOut(key) > 0 else { return }
        for index in clients.indices where groups[Int(clients[index].group)] {
            let client = clients[index]
            let wait = Int(client.fetchDue) - now
            guard wait >= 0, wait <= setup.longestFetchWait else {
                return complain(.wayBack, "Client \(index) is locked out and does not fetch a bundle.")
            }
            guard figures.fixedAt != nil else { continue }
            let transition = policies.transition(
                Int(client.group), policies.bundles.count - 1, at: now + wait + Int(client.clock),
                position: Int(client.position))
            if case .refused(let error) = transition.decision {
                return complain(
                    .wayBack,
                    "Client \(index) is locked out and refuses the fix (\(error.code)); "
                        + "its clock differs by \(client.clock) s.")
            }
        }
    }

    /// Checks the end of the run.
    mutating func finish() {
        check()
        figures.lockedOutAtEnd = policies.lockedOut(key)
        for client in clients where client.queue != NodePool.none {
            figures.waitingAtEnd += nodes.list(client.queue).count
        }
        guard figures.lockedOutAtEnd > 0 else { return }
        complain(.wayBack, "\(figures.lockedOutAtEnd) clients are locked out at the end.")
    }

    /// The result of the run.
    var outcome: FleetOutcome {
        FleetOutcome(
            setup: setup, record: record, figures: figures, complaints: complaints,
            peaks: FleetRecord.Stream.allCases.map { stream in
                let seconds = record.seconds[stream.rawValue]
                return FleetPeak(
                    stream: stream, highest: rule(stream).highest(seconds),
                    worst: rule(stream).worst(seconds, until: setup.horizon))
            })
    }
}

/// Runs fleets.
package enum FleetSimulation {
    /// Runs a scenario to its end.
    ///
    /// - Throws: an error of the trust module if a bundle or a halt cannot be signed, which is a mistake of the setup.
    package static func run(_ setup: FleetSetup) throws -> FleetOutcome {
        var world = try FleetWorld(setup)
        try world.run()
        return world.outcome
    }
}
