package import ChatWire

/// A change of settings for all clients. It lasts until the server ends.
package enum SettingsChange: Hashable, Sendable {
    /// Pushed as SCHEDULE.
    case schedule(Schedule)
    /// Pushed as ATTACHMENT_SETTINGS.
    case attachments(AttachmentSettings)
    /// Pushed as SETTINGS_UPDATED; values that it does not contain are unchanged.
    case update(ConfigurationUpdate)
}
