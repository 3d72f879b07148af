package import ChatWire

/// The stored data of a user at the start of a chat.
package struct PersistedChat: Hashable, Sendable {
    package var deviceAddress: String?
    /// The last valid answer to the configuration call.
    package var configuration: ConfigurationAnswer?
    /// The UUID of the message up to which the history has no gap. Empty if the conversation was empty when it was
    /// loaded; `nil` if it was never loaded.
    package var cursor: String?
    package var dialog = DialogState()
    /// The newest messages in order, and all messages that are still queued. The range includes the oldest message
    /// whose reading the server has not confirmed.
    package var messages: [StoredMessage] = []
    /// Whether the store has older messages.
    package var hasOlder = false
    package var attachments: [AttachmentJob] = []
    package var farewell: Farewell?

    /// The number of newest messages that are loaded into memory at the start of a chat.
    package static let restoredMessages = 100

    /// The data of an unknown user.
    package static let empty = PersistedChat()
}
