/// The styles of the single screens. They take precedence over ``ChatComponents``.
public struct ChatFlows: Hashable, Sendable {
    /// The screen with the messages.
    public var chatFlow: ChatFlow
    /// The search.
    public var searchFlow: SearchFlow

    /// Creates the styles of both screens.
    public init(chatFlow: ChatFlow = ChatFlow(), searchFlow: SearchFlow = SearchFlow()) {
        self.chatFlow = chatFlow
        self.searchFlow = searchFlow
    }
}

/// The styles of the screen with the messages.
public struct ChatFlow: Hashable, Sendable {
    /// The background of the screen.
    public var backgroundColor: ChatColor?
    /// The title bar.
    public var navigationBarStyle = NavigationBarStyle()
    /// The messages of the company.
    public var incomeMessages = ChatMessageStyle()
    /// The user's own messages.
    public var outcomeMessages = ChatMessageStyle()
    /// Lines of the system.
    public var systemMessages = SystemMessageStyle()
    /// The input field.
    public var inputViewStyle = ChatInputStyle()
    /// Quick replies.
    public var quickReplyStyle = QuickReplyStyle()

    /// Creates styles that take everything from the theme.
    public init() {}
}

/// The styles of the search.
public struct SearchFlow: Hashable, Sendable {
    /// The background of the screen.
    public var backgroundColor: ChatColor?
    /// The title bar.
    public var navigationBarStyle = NavigationBarStyle()
    /// The results.
    public var searchMessageStyle = SearchMessageStyle()

    /// Creates styles that take everything from the theme.
    public init() {}
}
