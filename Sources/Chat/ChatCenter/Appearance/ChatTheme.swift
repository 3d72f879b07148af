import Synchronization

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

/// A colour in sRGB with 8 bits for each part.
public struct ChatColor: Hashable, Sendable, CustomStringConvertible {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    /// 255 is opaque.
    public var alpha: UInt8

    /// Mixes a colour.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Takes a colour as CSS writes it without alpha: `0x336699`. Bits beyond are left out.
    public init(_ rgb: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
            blue: UInt8(truncatingIfNeeded: rgb))
    }

    /// As CSS writes it: `#336699ff`.
    public var description: String {
        "#" + [red, green, blue, alpha].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// The themes of one SDK, and the texts of all of them: the documented localisation belongs to the process.
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
