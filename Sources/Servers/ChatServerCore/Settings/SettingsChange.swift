package import ChatWire

/// A change of what the server tells all clients. It lasts until the server ends.
package enum SettingsChange: Hashable, Sendable {
    /// Pushed as SCHEDULE.
    case schedule(Schedule)
    /// Pushed as ATTACHMENT_SETTINGS.
    case attachments(AttachmentSettings)
    /// Pushed as SETTINGS_UPDATED; values that it does not name stay.
    case update(ConfigurationUpdate)
}
