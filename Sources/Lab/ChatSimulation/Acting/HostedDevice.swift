import ChatCenterCore
import ChatWire

/// A device whose process runs a driver of its own. Hands events to the process and checks its reports.
struct HostedDevice {
    private let world: World
    private let client: Int

    init(_ client: Int, in world: World) {
        self.client = client
        self.world = world
    }

    private var node: ClientNode { world.clients[client] }

    /// Hands an event to a process. Frames that arrive at the same time are handled together.
    func hand(_ event: ChatEvent, to host: any DriverHost) {
        if event.isFrame {
            host.post(event, conditions)
            if !node.isSettling { world.at(world.now, .clientSettles(client: client, life: node.life)) }
            node.isSettling = true
            return
        }
        settleIfNeeded()
        guard node.isAlive, world.record.isGood else { return }
        host.post(event, conditions)
        settle()
    }

    /// Lets the process handle the frames that have arrived.
    func settleIfNeeded() {
        if node.isSettling { settle() }
    }

    /// Lets the process do all pending work and checks its reports.
    private func settle() {
        let node = self.node
        guard let host = node.host, node.isAlive else { return }
        node.isSettling = false
        node.failedNow = false
        node.committedNow = false
        let wasBehind = node.isBehind
        for report in host.settle(conditions) {
            guard world.record.isGood, node.isAlive else { return }
            take(report)
        }
        guard node.isAlive, world.record.isGood else { return }
        world.networkRules(client).judgeBackground(node.armed, &world.record)
        world.judgeTurnEnds(of: node, wasBehind: wasBehind)
    }

    private var conditions: HostConditions {
        HostConditions(
            moment: node.moment(world.now), failingCommits: node.failingCommits,
            stepsToDeath: node.plannedCrash?.effects,
            losesEffects: (node.plannedCrash?.unperformed ?? 0) > 0)
    }

    private func take(_ report: HostReport) {
        let node = self.node
        switch report {
        case .handled(let event, let effects, let core):
            node.turns += 1
            world.record.tally { $0.events += 1 }
            world.record.add(client, event, effects)
            world.note("\(node.name) \(TraceText.of(event))")
            for effect in effects { world.note("    asks: \(TraceText.of(effect))") }
            node.core = core
        case .committed(let transaction):
            world.note("    committed")
            node.committedNow = true
            world.userRules(client).kept(transaction, &world.record)
        case .commitFailed(_, let failure):
            world.note("    failed: \(failure.kind.rawValue)")
            if failure.kind == .diskFull { node.failingCommits = max(0, node.failingCommits - 1) }
            node.failedNow = true
            node.isBehind = true
        case .carriedOut(let effect):
            world.note("    \(TraceText.of(effect))")
            world.record.add(client, effect)
            world.perform(effect, client)
        case .sent(let ticket, let result): SendRules(node).acknowledged(ticket, result, &world.record)
        case .answered(let ticket): SendRules(node).answered(ticket, &world.record)
        case .loggedOut(let ticket, let outcome):
            SendRules(node).answered(ticket, &world.record)
            world.userRules(client).loggedOut(ticket, outcome, &world.record)
        case .armed(let wake): world.arm(client, at: wake)
        case .steps(let count): node.pass(count)
        case .died: world.die(client)
        case .complaint(let rule, let text): world.complain(rule, "\(node.name): \(text)")
        }
    }
}

extension ChatEvent {
    /// Whether the event is the arrival of a frame.
    fileprivate var isFrame: Bool {
        if case .network(.received) = self { true } else { false }
    }
}
