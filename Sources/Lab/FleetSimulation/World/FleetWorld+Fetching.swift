import HoldfastTransport
import HoldfastTrust

/// Requests for bundles.
extension FleetWorld {
    /// Requests a bundle from the CDN.
    mutating func fetch(_ index: Int) {
        var client = clients[index]
        record.count(.fetches, at: now)
        var machine = fetchMachine(of: client)
        let time = clock(client)
        let tag = machine.request(inForce(client), at: time)
        let answer = answer(tag, &client, index)
        let result = inForce(client)
        var actions = machine.ended(answer, result, at: time)
        _ = machine.finish(&actions, result)
        let wait = machine.wait(after: actions.outcome, entropy: draw(&client, index))
        remember(machine, &client)
        if setup.fault == .stopsFetching, case .taken = actions.result {
            client.fetchDue = FleetClient.never
        } else {
            schedule(.fetch, &client, index, after: Int(wait))
        }
        clients[index] = client
    }

    /// Returns the answer of the CDN, and the client's decision about a bundle.
    private mutating func answer(
        _ tag: String?, _ client: inout FleetClient, _ index: Int
    ) -> BundleFetchMachine.Answer {
        if let outage = setup.cdnOutage, outage.contains(now) {
            return .failed(BundleFetchError(.network, "The CDN does not respond."))
        }
        let latest = policies.bundles.count - 1
        let isKnown = tag != nil && tag == policies.bundles[latest].tag
        if isKnown, policies.bundles[latest].rollout == nil { return .notModified }
        let group = Int(client.group)
        let transition = policies.transition(
            group, latest, at: now + Int(client.clock), position: Int(client.position))
        if transition.group != group {
            switched(&client, index, to: transition, latest)
        } else if isKnown {
            // The server confirms a bundle that is still pending.
            return .notModified
        }
        let bundle = policies.bundles[latest]
        return .bundle(digest: bundle.digest, tag: bundle.tag, transition.decision)
    }

    /// Puts another policy in force. The transports evaluate open connections again, and a waiting app connects again.
    private mutating func switched(
        _ client: inout FleetClient, _ index: Int, to transition: PolicyGroups.Transition, _ bundle: Int
    ) {
        policies.move(from: Int(client.group), to: transition.group)
        client.group = UInt8(transition.group)
        if bundle == desk.badBundle { figures.switchedToBad += 1 }
        guard transition.isNewPolicy else { return }
        let accepts = policies.groups[transition.group].accepts[key.rawValue]
        guard client.useFailures > 0 || !accepts else { return }
        schedule(.use, &client, index, after: 1 + below(Int(setup.useBackoff.base), &client, index))
    }

    private func inForce(_ client: FleetClient) -> BundleFetchMachine.InForce {
        let group = Int(client.group)
        let second = now + Int(client.clock)
        return BundleFetchMachine.InForce(
            version: policies.groups[group].state.version, digest: policies.groups[group].digest,
            pending: pending(client),
            isStale: policies.groups[group].notAfter.map { second > $0 } ?? false)
    }

    /// Returns the bundle that waits for its cohort: the one with a roll-out that the client has received last.
    private func pending(_ client: FleetClient) -> BundleFetchMachine.Pending? {
        guard client.tag != FleetClient.noBundle else { return nil }
        let bundle = policies.bundles[Int(client.tag)]
        guard bundle.rollout != nil, bundle.version > policies.groups[Int(client.group)].state.version else {
            return nil
        }
        return BundleFetchMachine.Pending(version: bundle.version, digest: bundle.digest)
    }

    // MARK: The compact state

    /// Makes the machine of a client.
    func fetchMachine(of client: FleetClient) -> BundleFetchMachine {
        BundleFetchMachine(
            schedule: setup.schedule(failures: Int(client.fetchFailures)), launchSpread: setup.launchSpread,
            tag: tag(client.tag, client.tagTime), outdatedTag: tag(client.outdatedTag, client.outdatedTime),
            staleVersion: client.stale == FleetClient.noBundle ? nil : policies.bundles[Int(client.stale)].version)
    }

    private func tag(_ bundle: UInt8, _ time: Int32) -> BundleTag? {
        guard bundle != FleetClient.noBundle else { return nil }
        let known = policies.bundles[Int(bundle)]
        return BundleTag(valid: known.tag, digest: known.digest, at: PolicyGroups.time(Int(time)))
    }

    private func remember(_ machine: BundleFetchMachine, _ client: inout FleetClient) {
        client.fetchFailures = UInt16(clamping: machine.schedule.failures)
        (client.tag, client.tagTime) = compact(machine.tag)
        (client.outdatedTag, client.outdatedTime) = compact(machine.outdatedTag)
        let stale = machine.staleVersion.flatMap { version in
            policies.bundles.firstIndex { $0.version == version }
        }
        client.stale = stale.map { UInt8($0) } ?? FleetClient.noBundle
    }

    private func compact(_ tag: BundleTag?) -> (UInt8, Int32) {
        guard let tag, let bundle = policies.bundles.firstIndex(where: { $0.digest == tag.digest }) else {
            return (FleetClient.noBundle, 0)
        }
        return (UInt8(bundle), Int32(clamping: tag.time.secondsSince1970 - FleetSetup.epoch))
    }
}
