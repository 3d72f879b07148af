import ChatWire
import DequeModule
import OrderedCollections

extension ChatServerCore {
    /// Starts a script; the one before it, and what it has still to do, is forgotten.
    mutating func load(_ script: ServerScript, _ turn: inout Turn) {
        self.script = ScriptRun(script)
        pendingActions = []
        observe(Happening(kind: .start), &turn)
    }

    /// Tells the script of something, and does at once what is to be done at once.
    mutating func observe(_ happening: Happening, _ turn: inout Turn) {
        guard !script.steps.isEmpty else { return }
        for step in script.started(by: happening) {
            guard step.delay > 0 else {
                carryOut(step.actions, for: happening, &turn)
                continue
            }
            guard pendingActions.count < settings.limits.pendingSteps else {
                turn.note(.overloaded)
                continue
            }
            let due = turn.now.monotonic.addingClamped(step.delay)
            let pending = ScriptRun.Pending(due: due, actions: step.actions, origin: happening)
            pendingActions.insert(pending, at: pendingActions.firstIndex { $0.due > due } ?? pendingActions.endIndex)
        }
    }

    /// What happened in this turn is shown to the script when it is over.
    mutating func observeTurn(_ turn: inout Turn) {
        let happenings = turn.happenings
        turn.happenings = []
        for happening in happenings { observe(happening, &turn) }
    }

    /// Does what is due.
    mutating func runScript(_ turn: inout Turn) {
        while let next = pendingActions.first, next.due <= turn.now.monotonic {
            pendingActions.removeFirst()
            carryOut(next.actions, for: next.origin, &turn)
        }
    }

    /// Does what a step says. What happens by it is shown to no step, at no event: a script could go round for ever.
    private mutating func carryOut(_ actions: [ScriptAction], for origin: Happening, _ turn: inout Turn) {
        let count = turn.happenings.count
        defer { turn.happenings.removeSubrange(count...) }
        for action in actions {
            if let refusal = perform(action, for: origin, &turn).refusal {
                turn.note(refusal.code == .unknownClient ? .unknownClient : .refusedAction)
            }
        }
    }

    /// Does one thing; `origin` says who is meant by ``ScriptTarget/trigger``.
    mutating func perform(_ action: ScriptAction, for origin: Happening, _ turn: inout Turn) -> OperatorAnswer {
        switch action {
        case .act(let action, let target):
            return act(action, clientID: client(target, origin), &turn)
        case .plan(let fault, let times):
            guard (1...settings.limits.faults).contains(times),
                plan(Array(repeating: fault, count: times))
            else { return .refused(.init(.tooMany, "There may be \(settings.limits.faults) planned faults.")) }
            return .done(messageID: nil)
        case .network(let conditions):
            network = conditions
            return .done(messageID: nil)
        case .access(let rule):
            access = rule
            return .done(messageID: nil)
        case .settings(let change):
            apply(change, &turn)
            return .done(messageID: nil)
        case .identity(let name):
            guard settings.identities.contains(name) else {
                return .refused(.init(.unknownIdentity, "The server has no identity of this name to show."))
            }
            turn.effects.append(.present(identity: name))
            return .done(messageID: nil)
        case .close(let code, let reason, let target):
            for id in sockets(target, origin) { hangUp(id, code: code, reason: reason, &turn) }
            return .done(messageID: nil)
        case .cut(let target):
            for id in sockets(target, origin) { close(id, .fault, &turn) }
            return .done(messageID: nil)
        }
    }

    private func client(_ target: ScriptTarget, _ origin: Happening) -> String? {
        switch target {
        case .trigger: origin.clientID
        case .client(let clientID): clientID
        case .everyone: nil
        }
    }

    private func sockets(_ target: ScriptTarget, _ origin: Happening) -> [ConnectionID] {
        if case .trigger = target, let connection = origin.connection {
            return connections[connection] == nil ? [] : [connection]
        }
        guard let clientID = client(target, origin) else { return Array(connections.keys) }
        return connections.elements.compactMap { $1.clientID == clientID ? $0 : nil }
    }
}
