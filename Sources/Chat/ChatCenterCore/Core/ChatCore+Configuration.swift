import ChatWire

// The configuration: from the server, from the store, from the host application.
extension ChatCore {
    mutating func requestConfiguration(_ turn: inout Turn) {
        guard mayCall, !calls.contains(where: { $0.purpose == .configuration }) else { return }
        _ = call(
            .configuration(appMarker: settings.appMarker, apiVersion: settings.apiVersion), for: .configuration, &turn)
    }

    mutating func configurationArrived(_ answer: ConfigurationAnswer, _ turn: inout Turn) {
        guard let user = session?.user.clientID else { return }
        session?.isConfigured = true
        stage.configurationProblem = nil
        if let time = answer.schedule?.serverTime { serverClock.note(time, at: turn.now) }
        for problem in answer.problems.prefix(5) { turn.log(.error, "configuration: \(problem)") }
        stage.configurationRetry = RetryState()
        let next = usable(answer, &turn)
        if remote != next {
            remote = next
            turn.save(.configuration(next), of: user)
        }
        applyConfiguration(&turn)
        authorizeProgressed(configuration: .some(nil), &turn)
    }

    /// With an answer of an earlier time the chat goes on; without any the screen says that it cannot. While somebody
    /// looks at it, a failure that may pass is tried again.
    mutating func configurationFailed(_ failure: TransportFailure, _ turn: inout Turn) {
        stage.configurationProblem = failure
        if failure.disposition == .transient, isForeground, stage.visible != nil || socket.isReady {
            stage.configurationRetry.putOff(
                from: turn.now, base: 1000, hint: failure.retryAfterMilliseconds, entropy: turn.entropy.next())
        }
        authorizeProgressed(configuration: .some(failure), &turn)
    }

    /// The server changed a part of the configuration while the chat is on.
    mutating func updateRemote(_ turn: inout Turn, _ change: (inout ConfigurationAnswer) -> Void) {
        guard let user = session?.user.clientID else { return }
        var next = remote ?? ConfigurationAnswer()
        change(&next)
        next = usable(next, &turn)
        guard next != remote else { return }
        remote = next
        turn.save(.configuration(next), of: user)
        applyConfiguration(&turn)
    }

    /// What of an answer can be used; the last good values fill the rest.
    private func usable(_ answer: ConfigurationAnswer, _ turn: inout Turn) -> ConfigurationAnswer {
        var rejected: [String] = []
        let usable = answer.validated(after: remote, rejected: &rejected)
        for line in rejected { turn.log(.error, "the server's \(line), what counted before still does") }
        return usable
    }

    /// Works out the values in force and tells them where they changed.
    mutating func applyConfiguration(_ turn: inout Turn) {
        var clamped: [EffectiveConfiguration.Clamped] = []
        let next = EffectiveConfiguration(settings, remote, clamped: &clamped)
        guard next != configuration else { return }
        for value in clamped {
            turn.log(.info, "\(value.name) = \(value.received) is out of range, \(value.used) is used")
        }
        for override in next.overrides(since: configuration) {
            turn.log(.info, "the server decides \(override.name) = \(override.value), it was \(override.past)")
        }
        configuration = next
        turn.emit(.notify(.configuration(next)))
    }
}
