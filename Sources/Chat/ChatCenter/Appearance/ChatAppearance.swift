import Synchronization

/// The themes of one SDK, and the texts of all SDKs: the documented localization applies to the whole process.
final class ChatAppearance: Sendable {
    struct Themes: Hashable, Sendable {
        var light = ChatTheme()
        var dark = ChatTheme()
    }

    private static let localization = Mutex<ChatLocalizationConfig?>(nil)
    private let state = Mutex(Themes())

    var themes: Themes {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    static var localizationConfig: ChatLocalizationConfig? {
        get { localization.withLock { $0 } }
        set { localization.withLock { $0 = newValue } }
    }
}

/// The appearance of a chat screen. A view reads it from ``ChatScreen/theme`` or ``ChatScreen/darkTheme``.
public struct ChatTheme: Hashable, Sendable {
    /// The color of the background.
    public var background: ChatColor
    /// The color of buttons, links and marks.
    public var accent: ChatColor
    /// The background color of messages of the other side.
    public var incomingBubble: ChatColor
    /// The text color of messages of the other side.
    public var incomingText: ChatColor
    /// The background color of the user's own messages.
    public var outgoingBubble: ChatColor
    /// The text color of the user's own messages.
    public var outgoingText: ChatColor
    /// The color of less important texts: times, notices.
    public var secondaryText: ChatColor
    /// The color of failures.
    public var failure: ChatColor
    /// The corner radius of messages, in points.
    public var bubbleCornerRadius: Int

    /// Creates a theme. The defaults are a light theme.
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

/// A color in sRGB with 8 bits for each component.
public struct ChatColor: Hashable, Sendable, CustomStringConvertible {
    /// The red component.
    public var red: UInt8
    /// The green component.
    public var green: UInt8
    /// The blue component.
    public var blue: UInt8
    /// The opacity: 255 is opaque.
    public var alpha: UInt8

    /// Creates a color from its components.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Creates an opaque color from its CSS notation, such as `0x336699`. Higher bits are ignored.
    public init(_ rgb: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
            blue: UInt8(truncatingIfNeeded: rgb))
    }

    /// The color in CSS notation: `#336699ff`.
    public var description: String {
        "#" + [red, green, blue, alpha].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
