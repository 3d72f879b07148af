/// The colors of a theme, by their purpose. ``ChatComponents`` and ``ChatFlows`` can replace a color for one element.
///
/// The defaults are the documented ones. A text color that is illegible on its background becomes darker or lighter:
/// see ``ChatTheme/minimumContrast``.
public struct ChatColors: Hashable, Sendable {
    /// The text of messages and the names of operators.
    public var main: ChatColor
    /// Less important texts: times, dates, subtitles, quotes above the input field.
    public var secondary: ChatColor
    /// Disabled buttons, borders, and the text of deleted messages.
    public var disabled: ChatColor
    /// The background of the chat and of the search.
    public var background: ChatColor
    /// The background of messages, panels and the input field.
    public var backgroundWhite: ChatColor
    /// Links, buttons and the title bar's actions.
    public var link: ChatColor
    /// Pressed buttons, and the tint of the user's own messages.
    public var linkLight: ChatColor
    /// Good news: the marks of sent, delivered and read messages.
    public var positive: ChatColor
    /// Warnings, and the marks of ratings.
    public var warning: ChatColor
    /// Failures.
    public var error: ChatColor
    /// The background of failures.
    public var errorLight: ChatColor

    /// Creates the colors. The defaults are those of a light theme.
    public init(
        main: ChatColor = ChatColor(0x191E23), secondary: ChatColor = ChatColor(0x777B7E),
        disabled: ChatColor = ChatColor(0x9FA5A9), background: ChatColor = ChatColor(0xF1F1F7),
        backgroundWhite: ChatColor = .white, link: ChatColor = ChatColor(0x007AFF),
        linkLight: ChatColor = ChatColor(0x4EAAFF), positive: ChatColor = ChatColor(0x09A460),
        warning: ChatColor = ChatColor(0xFFC043), error: ChatColor = ChatColor(0xAF1400),
        errorLight: ChatColor = ChatColor(0xE11900)
    ) {
        self.main = main
        self.secondary = secondary
        self.disabled = disabled
        self.background = background
        self.backgroundWhite = backgroundWhite
        self.link = link
        self.linkLight = linkLight
        self.positive = positive
        self.warning = warning
        self.error = error
        self.errorLight = errorLight
    }

    /// The default colors of a dark theme.
    public static let dark = ChatColors(
        main: ChatColor(0xE1E1EA), secondary: ChatColor(0xB0B0BA), disabled: ChatColor(0x8A8A8E),
        background: ChatColor(0x1C1C1E), backgroundWhite: ChatColor(0x2C2C2F), error: ChatColor(0xE11900),
        errorLight: ChatColor(0xFF594C))
}
