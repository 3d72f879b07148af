import ChatWire

/// A message as another one quotes it.
public struct ChatScreenQuote: Hashable, Sendable {
    /// The message that is quoted, if it has a name.
    public var id: MessageID?
    /// Who wrote it; `nil` for the client.
    public var author: ChatOperator?
    /// Its text.
    public var text: String?
    /// How many files it has.
    public var fileCount: Int
    /// It is the message of a mass mailing.
    public var isCampaign: Bool

    init(_ content: Content) {
        id = content.uuid.map { MessageID($0) }
        author = content.operator.map(ChatOperator.init)
        text = content.text
        fileCount = content.attachments.count
        isCampaign = content.massPushMessage == true
    }
}
