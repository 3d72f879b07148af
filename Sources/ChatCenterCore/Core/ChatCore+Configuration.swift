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
        if let time = answer.schedule?.serverTime { noteServerTime(time, turn.now) }
        for problem in answer.problems.prefix(5) { turn.log(.error, "configuration: \(problem)") }
        if remote != answer {
            remote = answer
            turn.save(.configuration(answer), of: user)
        }
        applyConfiguration(&turn)
        authorizeProgressed(configuration: .some(nil), &turn)
    }

    /// With an answer of an earlier time the chat goes on; without any the screen says that it cannot.
    mutating func configurationFailed(_ failure: TransportFailure, _ turn: inout Turn) {
        stage.configurationProblem = failure
        authorizeProgressed(configuration: .some(failure), &turn)
    }

    /// The server changed a part of the configuration while the chat is on.
    mutating func updateRemote(_ turn: inout Turn, _ change: (inout ConfigurationAnswer) -> Void) {
        guard let user = session?.user.clientID else { return }
        var next = remote ?? ConfigurationAnswer()
        change(&next)
        guard next != remote else { return }
        remote = next
        turn.save(.configuration(next), of: user)
        applyConfiguration(&turn)
    }

    /// Works out the values in force and tells them where they changed.
    mutating func applyConfiguration(_ turn: inout Turn) {
        var clamped: [EffectiveConfiguration.Clamped] = []
        let next = EffectiveConfiguration(
            local: settings.local, settings: remote?.settings,
            channel: settings.shouldUseRemoteConfig ? remote?.channelConfig : nil, clamped: &clamped)
        guard next != configuration else { return }
        for value in clamped {
            turn.log(.info, "\(value.name) = \(value.received) is out of range, \(value.used) is used")
        }
        for name in next.overridden(since: configuration) { turn.log(.info, "the server decides \(name)") }
        configuration = next
        turn.emit(.notify(.configuration(next)))
    }
}

extension EffectiveConfiguration {
    /// The values that come from the server now and did not before.
    func overridden(since past: EffectiveConfiguration) -> [String] {
        var names: [String] = []
        func check(_ name: String, _ now: SettingOrigin, _ before: SettingOrigin) {
            if now == .server, before != .server { names.append(name) }
        }
        check("searchEnabled", searchEnabled.origin, past.searchEnabled.origin)
        check("voiceRecordingEnabled", voiceRecordingEnabled.origin, past.voiceRecordingEnabled.origin)
        check("scrollToLatest", scrollToLatest.origin, past.scrollToLatest.origin)
        check("linkPreviewEnabled", linkPreviewEnabled.origin, past.linkPreviewEnabled.origin)
        check("showAttachButton", showAttachButton.origin, past.showAttachButton.origin)
        check("surveyCompletionDelay", surveyCompletionDelay.origin, past.surveyCompletionDelay.origin)
        check("historyLoadingCount", historyLoadingCount.origin, past.historyLoadingCount.origin)
        check("keepSocketActive", keepSocketActive.origin, past.keepSocketActive.origin)
        check(
            "keepSocketActiveDuringOperatorSession", keepSocketActiveDuringOperatorSession.origin,
            past.keepSocketActiveDuringOperatorSession.origin)
        return names
    }
}
