extension EffectiveConfiguration {
    /// A value that the server overrides.
    struct Override: Hashable, Sendable {
        /// The server's name for the setting.
        var name: String
        var value: String
        /// The previous value.
        var past: String
    }

    /// Returns the values that the server overrides and did not override before, or overrides with another value.
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
