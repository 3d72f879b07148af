/// The style of a text. A property that is `nil` takes its value from the theme's colors and fonts.
public struct ChatTextStyle: Hashable, Sendable {
    /// The color of the text.
    public var color: ChatColor?
    /// The font of the text.
    public var font: ChatFont?

    /// Creates a style.
    public init(color: ChatColor? = nil, font: ChatFont? = nil) {
        self.color = color
        self.font = font
    }
}

/// The style of the title bar.
public struct NavigationBarStyle: Hashable, Sendable {
    /// The title.
    public var titleTextStyle = ChatTextStyle()
    /// The line below the title.
    public var subtitleTextStyle = ChatTextStyle()
    /// The background.
    public var backgroundColor: ChatColor?
    /// Whether the bar is hidden; `nil` for the value of ``ChatComponents/navigationBarStyle``.
    public var hidden: Bool?

    /// Creates a style that takes everything from the theme.
    public init() {}
}

/// The style of the search field.
public struct SearchBarStyle: Hashable, Sendable {
    /// The text in the field.
    public var textStyle = ChatTextStyle()
    /// The background of the field.
    public var backgroundColor: ChatColor?

    /// Creates a style that takes everything from the theme.
    public init() {}
}

/// The style of the input field.
public struct ChatInputStyle: Hashable, Sendable {
    /// The text in the field.
    public var textStyle = ChatTextStyle()
    /// The placeholder.
    public var placeholderTextStyle = ChatTextStyle()
    /// The background of the field.
    public var backgroundColor: ChatColor?
    /// The border of the field.
    public var borderColor: ChatColor?

    /// Creates a style that takes everything from the theme.
    public init() {}
}

/// The style of a button.
public struct ChatButtonStyle: Hashable, Sendable {
    /// The label.
    public var textStyle = ChatTextStyle()
    /// The background.
    public var backgroundColor: ChatColor?

    /// Creates a style that takes everything from the theme.
    public init() {}
}

/// The style of quick replies.
public struct QuickReplyStyle: Hashable, Sendable {
    /// The place of quick replies.
    public enum Mode: String, Hashable, Sendable, CaseIterable {
        /// A row above the input field.
        case toolbar
        /// Below the message that they answer.
        case embed
    }

    /// The place of the buttons; `nil` for the value of ``ChatComponents/quickReplyStyle``, and ``Mode/embed`` there.
    public var mode: Mode?
    /// The label.
    public var textStyle = ChatTextStyle()
    /// The background.
    public var backgroundColor: ChatColor?
    /// The border.
    public var borderColor: ChatColor?

    /// Creates a style that takes everything from the theme.
    public init(mode: Mode? = nil) {
        self.mode = mode
    }
}

/// The style of the player of voice messages.
public struct AudioPlayerStyle: Hashable, Sendable {
    /// The part that was played.
    public var progressColor: ChatColor?
    /// The part that was not played yet.
    public var backgroundColor: ChatColor?

    /// Creates a style that takes everything from the theme.
    public init() {}
}

/// The style of signs that show progress.
public struct LoadingIndicatorStyle: Hashable, Sendable {
    /// The color of the sign.
    public var color: ChatColor?

    /// Creates a style that takes everything from the theme.
    public init() {}
}

/// The style of the messages of one side.
public struct ChatMessageStyle: Hashable, Sendable {
    /// The text.
    public var textStyle = ChatTextStyle()
    /// The background.
    public var backgroundColor: ChatColor?
    /// Whether the author's picture is shown; `nil` for the standard: operators have one, the user has none.
    public var showAvatar: Bool?

    /// Creates a style that takes everything from the theme.
    public init() {}
}

/// The style of a line of the system, such as "joined the chat", and of the separators between days.
public struct SystemMessageStyle: Hashable, Sendable {
    /// The text.
    public var textStyle = ChatTextStyle()
    /// The dates between messages.
    public var dateTextStyle = ChatTextStyle()

    /// Creates a style that takes everything from the theme.
    public init() {}
}

/// The style of a found message.
public struct SearchMessageStyle: Hashable, Sendable {
    /// The text that was searched for, in a result.
    public var messageMatchStyle = ChatTextStyle()

    /// Creates a style that takes everything from the theme.
    public init() {}
}
