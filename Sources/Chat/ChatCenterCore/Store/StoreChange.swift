package import ChatWire

/// One change to what is kept of a user.
package enum StoreChange: Hashable, Sendable {
    /// Inserts or replaces by id.
    case saveMessage(StoredMessage)
    case removeMessage(MessageID)
    /// Changes a message if the store has it.
    case amend(Amendment)
    /// Inserts or replaces by id.
    case saveAttachment(AttachmentJob)
    case removeAttachment(TransferID)
    case deviceAddress(String)
    case configuration(ConfigurationAnswer)
    /// See `PersistedChat.cursor`.
    case cursor(String?)
    case dialog(DialogState)
    case farewell(Farewell?)
    /// Everything of this user goes, the farewell too.
    case erase
}
