extension EffectiveConfiguration {
    /// A value that the server decides now.
    struct Override: Hashable, Sendable {
        /// The server's name for it.
        var name: String
        var value: String
        /// What counted before.
        var past: String
    }

    /// The values that the server decides now and did not before, or decides otherwise.
    func overrides(since past: EffectiveConfiguration) -> [Override] {
        var overrides: [Override] = []
        func check<Value>(_ name: String, _ path: KeyPath<EffectiveConfiguration, EffectiveSetting<Value>>) {
            let now = self[keyPath: path]
            let before = past[keyPath: path]
            guard now.origin == .server, now != before else { return }
            overrides.append(Override(name: name, value: "\(now.value)", past: "\(before.value)"))
        }
        check("searchEnabled", \.searchEnabled)
        check("voiceRecordingEnabled", \.voiceRecordingEnabled)
        check("scrollToLatest", \.scrollToLatest)
        check("linkPreviewEnabled", \.linkPreviewEnabled)
        check("showAttachButton", \.showAttachButton)
        check("surveyCompletionDelay", \.surveyCompletionDelay)
        check("historyLoadingCount", \.historyLoadingCount)
        check("keepSocketActive", \.keepSocketActive)
        check("keepSocketActiveDuringOperatorSession", \.keepSocketActiveDuringOperatorSession)
        check("typingInterval", \.typingInterval)
        check("pingInterval", \.pingInterval)
        check("pingRetries", \.pingRetries)
        check("retryInterval", \.retryInterval)
        check("retryMultiplier", \.retryMultiplier)
        check("messageRetryCount", \.messageRetryCount)
        check("clientInfoInterval", \.clientInfoInterval)
        check("clientNotificationDisplayType", \.clientNotificationDisplayType)
        check("pingActionEnabled", \.pingActionEnabled)
        check("registerAtFirstStart", \.registerAtFirstStart)
        return overrides
    }
}
