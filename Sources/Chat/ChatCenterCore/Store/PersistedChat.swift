package import ChatWire

/// What a store knows of a user when a chat begins.
package struct PersistedChat: Hashable, Sendable {
    package var deviceAddress: String?
    /// The last good answer to the configuration call.
    package var configuration: ConfigurationAnswer?
    /// The uuid of the message up to which the history is without a hole; empty when the conversation was empty when
    /// it was fetched, `nil` when it was never fetched.
    package var cursor: String?
    package var dialog = DialogState()
    /// The newest messages in order, as far back as the oldest one that was read without the server's knowledge, and every
    /// message that is still in the queue.
    package var messages: [StoredMessage] = []
    /// There are older messages than these in the store.
    package var hasOlder = false
    package var attachments: [AttachmentJob] = []
    package var farewell: Farewell?

    /// How many of the newest messages are taken into memory when a chat begins.
    package static let restoredMessages = 100

    /// A user of whom nothing is known.
    package static let empty = PersistedChat()
}
