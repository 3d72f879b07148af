package import ChatWire

/// The configuration that clients receive. Live changes last until the server ends.
struct LiveConfiguration: Hashable, Sendable {
    /// The configuration, with the schedule as set.
    private(set) var current: ConfigurationAnswer

    init(_ configuration: ConfigurationAnswer) {
        current = configuration
    }

    /// Changes the configuration. Returns the content that informs clients of the change.
    mutating func apply(_ change: SettingsChange, at now: ServerMoment) -> Content {
        switch change {
        case .schedule(let schedule):
            current.schedule = schedule
            return Content(.schedule(self.schedule(at: now) ?? schedule))
        case .attachments(let settings):
            current.attachmentSettings = settings
            return Content(.attachmentSettings(settings))
        case .update(let update):
            current = current.merging(update)
            return Content(.settingsUpdated(update))
        }
    }

    /// Returns the schedule with the server's time.
    func schedule(at now: ServerMoment) -> Schedule? {
        guard var schedule = current.schedule else { return nil }
        schedule.serverTime = now.wall
        return schedule
    }

    /// Returns the answer to the configuration call.
    func answer(at now: ServerMoment) -> ConfigurationAnswer {
        var answer = current
        answer.schedule = schedule(at: now)
        return answer
    }

    /// Whether clients may send messages. Without a schedule, they may.
    var isSendingAllowed: Bool {
        guard let schedule = current.schedule else { return true }
        return schedule.active ?? true || schedule.sendDuringInactive ?? false
    }
}

/// A change of settings for all clients. It lasts until the server ends.
package enum SettingsChange: Hashable, Sendable {
    /// Pushed as SCHEDULE.
    case schedule(Schedule)
    /// Pushed as ATTACHMENT_SETTINGS.
    case attachments(AttachmentSettings)
    /// Pushed as SETTINGS_UPDATED; values that it does not contain are unchanged.
    case update(ConfigurationUpdate)
}
