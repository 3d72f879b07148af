/// The styles of the elements that all screens share. A style that is not set takes its values from the colors and
/// fonts; ``ChatFlows`` can replace it for one screen.
///
/// ```swift
/// var components = ChatComponents(colors: ChatColors(link: ChatColor(0x7A2EA0)))
/// components.navigationBarStyle.titleTextStyle.color = .white
/// components.navigationBarStyle.backgroundColor = ChatColor(0x7A2EA0)
/// sdk.theme = ChatTheme(components: components)
/// ```
public struct ChatComponents: Hashable, Sendable {
    /// The pictures.
    public var images: ChatImages
    /// The colors.
    public var colors: ChatColors
    /// The fonts.
    public var typography: ChatTypography
    /// The title bar.
    public var navigationBarStyle = NavigationBarStyle()
    /// The search field.
    public var searchBarStyle = SearchBarStyle()
    /// The input field.
    public var inputViewStyle = ChatInputStyle()
    /// Buttons.
    public var buttonStyle = ChatButtonStyle()
    /// Quick replies.
    public var quickReplyStyle = QuickReplyStyle()
    /// The player of voice messages.
    public var audioPlayerStyle = AudioPlayerStyle()
    /// Signs that show progress.
    public var loadingIndicatorStyle = LoadingIndicatorStyle()
    /// The corner radius of messages, in points. Values below 0 count as 0, above 40 as 40.
    public var messageCornerRadius: Double = 14

    /// Creates components whose styles follow the given colors, fonts and pictures.
    public init(
        images: ChatImages = ChatImages(), colors: ChatColors = ChatColors(),
        typography: ChatTypography = ChatTypography()
    ) {
        self.images = images
        self.colors = colors
        self.typography = typography
    }

    /// Returns components that a closure has changed.
    public static func build(_ configure: (inout ChatComponents) -> Void) -> ChatComponents {
        var components = ChatComponents()
        configure(&components)
        return components
    }
}
