import ChatWire

extension ConfigurationAnswer {
    /// Returns the answer without unusable values: values of the wrong type, a zero for an interval, or an absurdly
    /// large number. The last valid value of the same name stays in force. If there is none, the host application's
    /// value is used. Values that are merely out of range are clamped where they are used.
    /// - Parameters:
    ///   - last: The answer in force so far, already validated.
    ///   - rejected: Receives a line for each rejected value.
    func validated(after last: ConfigurationAnswer?, rejected: inout [String]) -> ConfigurationAnswer {
        var answer = self
        for (name, isThere) in [
            ("settings", settings != nil), ("channelConfig", channelConfig != nil),
            ("attachmentSettings", attachmentSettings != nil), ("schedule", schedule != nil),
        ] where !isThere && extra[name] != nil {
            rejected.append(name + " has the wrong type")
            answer.extra = answer.extra.without(name)
            switch name {
            case "settings": answer.settings = last?.settings
            case "channelConfig": answer.channelConfig = last?.channelConfig
            case "attachmentSettings": answer.attachmentSettings = last?.attachmentSettings
            default: answer.schedule = last?.schedule
            }
        }
        answer.settings = answer.settings.map { $0.validated(after: last?.settings, rejected: &rejected) }
        answer.channelConfig = answer.channelConfig.map {
            $0.validated(after: last?.channelConfig, rejected: &rejected)
        }
        if var files = answer.attachmentSettings {
            var values = RemoteValues(files.extra)
            values.number(.largestFile, &files.maxSize, last?.attachmentSettings?.maxSize)
            if files.extra["fileExtensions"] != nil {
                files.fileExtensions = last?.attachmentSettings?.fileExtensions ?? []
                values.reject("fileExtensions", "is not a list")
            }
            files.extra = values.extra
            rejected += values.rejected
            answer.attachmentSettings = files
        }
        return answer
    }
}

extension CommunicationSettings {
    fileprivate func validated(after last: CommunicationSettings?, rejected: inout [String]) -> CommunicationSettings {
        var settings = self
        var values = RemoteValues(extra)
        values.number(.typingInterval, &settings.typingMessagesIntervalSeconds, last?.typingMessagesIntervalSeconds)
        values.flag("pingEnabled", &settings.pingEnabled, last?.pingEnabled)
        values.number(.pingInterval, &settings.pingIntervalMillis, last?.pingIntervalMillis)
        values.number(.pingRetries, &settings.pingRetries, last?.pingRetries)
        values.number(.messageRetryCount, &settings.messageRetryCount, last?.messageRetryCount)
        values.number(.retryInterval, &settings.retryIntervalMillis, last?.retryIntervalMillis)
        values.number(.retryMultiplier, &settings.retryMultiplier, last?.retryMultiplier)
        values.flag("registerAtFirstStart", &settings.registerAtFirstStart, last?.registerAtFirstStart)
        values.number(.clientInfoInterval, &settings.sendClientInfoAfterMillis, last?.sendClientInfoAfterMillis)
        values.text(
            "clientNotificationDisplayType", &settings.clientNotificationDisplayType,
            last?.clientNotificationDisplayType)
        settings.extra = values.extra
        rejected += values.rejected
        return settings
    }
}

extension ChannelOverrides {
    fileprivate func validated(after last: ChannelOverrides?, rejected: inout [String]) -> ChannelOverrides {
        var channel = self
        var values = RemoteValues(extra)
        values.flag("searchEnabled", &channel.searchEnabled, last?.searchEnabled)
        values.flag("voiceRecordingEnabled", &channel.voiceRecordingEnabled, last?.voiceRecordingEnabled)
        values.flag("scrollToLatest", &channel.scrollToLatest, last?.scrollToLatest)
        values.flag("linkPreviewEnabled", &channel.linkPreviewEnabled, last?.linkPreviewEnabled)
        values.flag("showAttachButton", &channel.showAttachButton, last?.showAttachButton)
        values.number(.surveyCompletionDelay, &channel.surveyCompletionDelay, last?.surveyCompletionDelay)
        values.number(.historyLoadingCount, &channel.historyLoadingCount, last?.historyLoadingCount)
        values.flag("keepSocketActive", &channel.keepSocketActive, last?.keepSocketActive)
        values.flag(
            "keepSocketActiveDuringOperatorSession", &channel.keepSocketActiveDuringOperatorSession,
            last?.keepSocketActiveDuringOperatorSession)
        channel.extra = values.extra
        rejected += values.rejected
        return channel
    }
}

/// Validates the values of one object. If a known key is still among the unknown ones, its value had the wrong type.
private struct RemoteValues {
    private(set) var extra: JSONObject
    private(set) var rejected: [String] = []

    /// The size limit of a name, in bytes. A longer one is rejected, and the last value stays.
    private static let longestText = 64

    init(_ extra: JSONObject) {
        self.extra = extra
    }

    mutating func reject(_ name: String, _ why: String) {
        rejected.append(name + " " + why)
        extra = extra.without(name)
    }

    mutating func number(_ number: RemoteNumber, _ value: inout Int64?, _ last: Int64?) {
        if let received = value {
            guard !number.isUsable(received) else { return }
            reject(number.name, "= \(received) is not usable")
        } else {
            guard extra[number.name] != nil else { return }
            reject(number.name, "is not a number")
        }
        value = last
    }

    mutating func flag(_ name: String, _ value: inout Bool?, _ last: Bool?) {
        guard value == nil, extra[name] != nil else { return }
        reject(name, "is not a Boolean")
        value = last
    }

    mutating func text(_ name: String, _ value: inout String?, _ last: String?) {
        if let received = value {
            guard received.isEmpty || received.utf8.count > Self.longestText else { return }
            reject(name, "is empty or too long")
        } else {
            guard extra[name] != nil else { return }
            reject(name, "is not a string")
        }
        value = last
    }
}

extension JSONObject {
    /// Returns the object without this key.
    fileprivate func without(_ key: String) -> JSONObject {
        var rest = self
        rest[key] = nil
        return rest
    }
}

/// A number that the server may set, with its valid range.
struct RemoteNumber: Hashable, Sendable {
    /// The server's name for the setting.
    let name: String
    /// The smallest usable value. An interval of 0 or less is invalid; a count of 0 means none.
    let least: Int64
    /// The valid range. Usable values outside it are clamped.
    let range: ClosedRange<Int>

    /// A value more than this many times the upper bound is rejected as a mistake or an attack.
    static let nonsense: Int64 = 1000

    func isUsable(_ value: Int64) -> Bool {
        value >= least && value <= Int64(range.upperBound).saturatingMultiply(Self.nonsense)
    }

    func clamped(_ value: Int64) -> Int {
        Int(min(max(value, Int64(range.lowerBound)), Int64(range.upperBound)))
    }

    // The values use the server's units, except `typingInterval`, which is converted to milliseconds later.
    static let surveyCompletionDelay = RemoteNumber(name: "surveyCompletionDelay", least: 0, range: 0...600_000)
    static let historyLoadingCount = RemoteNumber(name: "historyLoadingCount", least: 1, range: 1...200)
    static let typingInterval = RemoteNumber(name: "typingMessagesIntervalSeconds", least: 1, range: 1...60)
    static let pingInterval = RemoteNumber(name: "pingIntervalMillis", least: 1, range: 5000...300_000)
    static let pingRetries = RemoteNumber(name: "pingRetries", least: 1, range: 1...5)
    static let retryInterval = RemoteNumber(name: "retryIntervalMillis", least: 1, range: 250...10_000)
    static let retryMultiplier = RemoteNumber(name: "retryMultiplier", least: 1, range: 1...10)
    static let messageRetryCount = RemoteNumber(name: "messageRetryCount", least: 0, range: 0...100)
    static let clientInfoInterval = RemoteNumber(name: "sendClientInfoAfterMillis", least: 0, range: 0...600_000)
    static let largestFile = RemoteNumber(name: "maxSize", least: 1, range: 1...1_048_576)
}
