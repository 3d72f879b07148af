public import ChatCenterCore

/// Everything that a page in a browser shows: the screen, the security of the connections, the limits for files, and
/// the appearance.
public struct PageState: Hashable, Sendable {
    /// The state of the chat screen.
    public var screen: ChatScreenState
    /// The verification that protects the chat's connections.
    public var security: ChatScreenSecurity
    /// The limits for files, which the page checks before an upload.
    public var limits: PageFileLimits
    /// The texts and the theme.
    public var appearance: PageAppearance

    /// Creates a state from its parts.
    public init(
        screen: ChatScreenState, security: ChatScreenSecurity, limits: PageFileLimits, appearance: PageAppearance
    ) {
        self.screen = screen
        self.security = security
        self.limits = limits
        self.appearance = appearance
    }
}

/// The limits for files that the server accepts.
public struct PageFileLimits: Hashable, Sendable {
    /// The largest size of a file in bytes.
    public var maximumBytes: Int64
    /// The permitted file extensions, without a dot. Empty if all are permitted.
    public var fileExtensions: [String]

    /// Creates limits.
    public init(maximumBytes: Int64, fileExtensions: [String]) {
        self.maximumBytes = maximumBytes
        self.fileExtensions = fileExtensions
    }
}

/// The texts and the theme of the page.
public struct PageAppearance: Hashable, Sendable {
    /// The language of the texts, as a BCP 47 tag such as `en`.
    public var language: String
    /// Whether the language is written from right to left.
    public var isRightToLeft: Bool
    /// The texts by key. A text with plural forms has one key for each form, such as `chat.unread#one`. It contains
    /// `{count}` in place of the number.
    public var texts: [String: String]
    /// The values of the light theme by token: the token `accent` is the CSS property `--chat-accent`.
    public var light: [String: String]
    /// The values of the dark theme by token.
    public var dark: [String: String]
    /// The paths of the light theme's pictures by name, such as `send`. A path is relative to the style sheet
    /// `theme.css`. The page draws its own signs in place of other pictures.
    public var lightPictures: [String: String]
    /// The paths of the dark theme's pictures by name.
    public var darkPictures: [String: String]

    /// Creates an appearance from its parts.
    public init(
        language: String, isRightToLeft: Bool, texts: [String: String], light: [String: String],
        dark: [String: String], lightPictures: [String: String] = [:], darkPictures: [String: String] = [:]
    ) {
        self.language = language
        self.isRightToLeft = isRightToLeft
        self.texts = texts
        self.light = light
        self.dark = dark
        self.lightPictures = lightPictures
        self.darkPictures = darkPictures
    }

    /// Returns the members of a table, sorted by key, so that the same table always gives the same text.
    static func sorted(_ table: [String: String]) -> [(key: String, value: String)] {
        table.sorted { $0.key < $1.key }
    }
}
