import ChatWire
import OrderedCollections

extension ChatServerCore {
    /// Changes the configuration, and tells every client whose handshake is complete.
    mutating func apply(_ change: SettingsChange, _ turn: inout Turn) {
        let content: Content
        switch change {
        case .schedule(let schedule):
            configuration.schedule = schedule
            content = Content(.schedule(currentSchedule(at: turn.now) ?? schedule))
        case .attachments(let settings):
            configuration.attachmentSettings = settings
            content = Content(.attachmentSettings(settings))
        case .update(let update):
            configuration = configuration.merging(update)
            content = Content(.settingsUpdated(update))
        }
        let message = DeliveredMessage(messageID: nil, sentAt: nil, content: content)
        for (id, connection) in connections.elements where connection.phase == .ready {
            push([message], to: id, &turn)
        }
    }

    func currentSchedule(at now: ServerMoment) -> Schedule? {
        guard var schedule = configuration.schedule else { return nil }
        schedule.serverTime = now.wall
        return schedule
    }

    /// Without a schedule sending is allowed.
    var isSendingAllowed: Bool {
        guard let schedule = configuration.schedule else { return true }
        return schedule.active ?? true || schedule.sendDuringInactive ?? false
    }
}
