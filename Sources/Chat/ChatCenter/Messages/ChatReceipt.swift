public import ChatCenterCore

/// A message that was taken: it is on the disk, and will be sent or visibly fail.
public struct ChatReceipt: Sendable {
    /// The message's identity, the same on both ends and after a restart.
    public let id: MessageID
    /// What becomes of it. May be left unread.
    public let fate: ChatMessageFate
}
