/// How a chat screen is to look. A view reads it from ``ChatScreen/theme`` or ``ChatScreen/darkTheme``.
public struct ChatTheme: Hashable, Sendable {
    /// Behind everything.
    public var background: ChatColor
    /// Buttons, links, marks.
    public var accent: ChatColor
    /// Messages of the other side.
    public var incomingBubble: ChatColor
    /// The text of messages of the other side.
    public var incomingText: ChatColor
    /// The client's own messages.
    public var outgoingBubble: ChatColor
    /// The text of the client's own messages.
    public var outgoingText: ChatColor
    /// What is less important: times, notices.
    public var secondaryText: ChatColor
    /// Failures.
    public var failure: ChatColor
    /// In points.
    public var bubbleCornerRadius: Int

    /// Sets a look; the defaults are light.
    public init(
        background: ChatColor = ChatColor(0xFFFFFF), accent: ChatColor = ChatColor(0x2F6FDE),
        incomingBubble: ChatColor = ChatColor(0xF0F1F3), incomingText: ChatColor = ChatColor(0x16181D),
        outgoingBubble: ChatColor = ChatColor(0x2F6FDE), outgoingText: ChatColor = ChatColor(0xFFFFFF),
        secondaryText: ChatColor = ChatColor(0x737885), failure: ChatColor = ChatColor(0xC92A2A),
        bubbleCornerRadius: Int = 14
    ) {
        self.background = background
        self.accent = accent
        self.incomingBubble = incomingBubble
        self.incomingText = incomingText
        self.outgoingBubble = outgoingBubble
        self.outgoingText = outgoingText
        self.secondaryText = secondaryText
        self.failure = failure
        self.bubbleCornerRadius = bubbleCornerRadius
    }
}
