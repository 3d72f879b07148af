import ChatWire

/// A message as a quote in another message.
public struct ChatScreenQuote: Hashable, Sendable {
    /// The id of the quoted message, if it has one.
    public var id: MessageID?
    /// The author; `nil` for the client.
    public var author: ChatOperator?
    /// The text.
    public var text: String?
    /// The number of files.
    public var fileCount: Int
    /// Whether the quoted message is a mass mailing.
    public var isCampaign: Bool

    init(_ content: Content) {
        id = content.uuid.map { MessageID($0) }
        author = content.operator.map(ChatOperator.init)
        text = content.text
        fileCount = content.attachments.count
        isCampaign = content.massPushMessage == true
    }
}
