/// The appearance of a chat screen. A view reads ``tokens`` of ``ChatScreen/theme`` or ``ChatScreen/darkTheme``.
///
/// ```swift
/// sdk.theme = ChatTheme(colors: ChatColors(link: ChatColor(0x7A2EA0)))
/// sdk.darkTheme = ChatTheme(colors: .dark)
/// ```
public struct ChatTheme: Hashable, Sendable {
    /// The styles of the elements, with the colors, fonts and pictures.
    public var components: ChatComponents
    /// The styles of the single screens.
    public var flows: ChatFlows
    /// The contrast that texts have at least, from 1 to 21. The standard is 4.5 (WCAG 2.2, level AA).
    ///
    /// The text colors of ``tokens`` become darker or lighter until they have this contrast on their backgrounds.
    /// Borders reach 3 at most. With 1, all colors stay as they are.
    public var minimumContrast: Double

    /// Creates a theme from colors, pictures and fonts. The defaults are a light theme.
    public init(
        colors: ChatColors = ChatColors(), images: ChatImages = ChatImages(),
        typography: ChatTypography = ChatTypography(), minimumContrast: Double = 4.5
    ) {
        self.init(
            components: ChatComponents(images: images, colors: colors, typography: typography),
            minimumContrast: minimumContrast)
    }

    /// Creates a theme from the styles of the elements.
    public init(components: ChatComponents, flows: ChatFlows = ChatFlows(), minimumContrast: Double = 4.5) {
        self.components = components
        self.flows = flows
        self.minimumContrast = minimumContrast
    }

    /// The default dark theme.
    public static let dark = ChatTheme(colors: .dark)

    /// The colors.
    public var colors: ChatColors {
        get { components.colors }
        set { components.colors = newValue }
    }

    /// The pictures.
    public var images: ChatImages {
        get { components.images }
        set { components.images = newValue }
    }

    /// The fonts.
    public var typography: ChatTypography {
        get { components.typography }
        set { components.typography = newValue }
    }
}
