package import ChatWire

/// A change to a user's stored data.
package enum StoreChange: Hashable, Sendable {
    /// Inserts a message or replaces the one with the same id.
    case saveMessage(StoredMessage)
    case removeMessage(MessageID)
    /// Changes a message if the store contains it.
    case amend(Amendment)
    /// Inserts a job or replaces the one with the same id.
    case saveAttachment(AttachmentJob)
    case removeAttachment(TransferID)
    case deviceAddress(String)
    case configuration(ConfigurationAnswer)
    /// See `PersistedChat.cursor`.
    case cursor(String?)
    case dialog(DialogState)
    case farewell(Farewell?)
    /// Deletes all data of this user, including the pending logout.
    case erase
}
