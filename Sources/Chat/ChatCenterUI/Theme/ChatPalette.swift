import ChatCenter

/// The tokens of a theme for a view: the theme for the light or dark mode, with more contrast if the user asks for it.
struct ChatPalette: Hashable, Sendable {
    /// The names of colors that the views draw with.
    enum ColorName: String, Hashable, Sendable, CaseIterable {
        case background, surface, text, accent, incoming, outgoing, link, positive, warning, error, border, disabled
        case title, system, date, input, placeholder, button, loading
        case textSecondary = "text-secondary"
        case accentPressed = "accent-pressed"
        case onAccent = "on-accent"
        case onIncoming = "on-incoming"
        case onOutgoing = "on-outgoing"
        case errorSurface = "error-surface"
        case subtitle
        case titleBackground = "title-background"
        case inputText = "input-text"
        case inputBorder = "input-border"
        case onButton = "on-button"
        case quickReply = "quick-reply"
        case onQuickReply = "on-quick-reply"
        case quickReplyBorder = "quick-reply-border"
        case audioProgress = "audio-progress"
        case searchBackground = "search-background"
        case searchTitle = "search-title"
        case searchTitleBackground = "search-title-background"
        case searchInput = "search-input"
        case searchInputText = "search-input-text"
        case searchMatch = "search-match"
        case searchSubtitle = "search-subtitle"
        case audioTrack = "audio-track"
    }

    /// The names of fonts that the views draw with.
    enum FontName: String, Hashable, Sendable, CaseIterable {
        case incoming, outgoing, system, date, input, placeholder, button, caption, caption2, body, bold, footnote
        case title, subtitle, heading2
        case barTitle = "bar-title"
        case barSubtitle = "bar-subtitle"
        case quickReply = "quick-reply"
        case searchTitle = "search-title"
        case searchInput = "search-input"
        case searchMatch = "search-match"
        case searchSubtitle = "search-subtitle"
        case largeTitle = "large-title"
    }

    /// The names of pictures that the views draw.
    enum ImageName: String, Hashable, Sendable, CaseIterable {
        case send, attach, record, stop, play, pause, search, close, retry, file, avatar
        case scrollToNewest = "scroll-to-newest"
        case emptyChat = "empty-chat"
    }

    private let tokens: ChatThemeTokens

    init(light: ChatTheme, dark: ChatTheme, isDark: Bool, needsContrast: Bool) {
        let tokens = (isDark ? dark : light).tokens
        self.tokens = needsContrast ? tokens.highContrast : tokens
    }

    /// Returns a color. Every name has one; a test compares the names with the tokens.
    func color(_ name: ColorName) -> ChatColor { tokens.colors[name.rawValue] ?? ChatColor(0x808080) }

    /// Returns a font.
    func font(_ name: FontName) -> ChatFont { tokens.fonts[name.rawValue] ?? .system(size: 15) }

    /// Returns a picture.
    func image(_ name: ImageName) -> ChatThemeImage {
        tokens.images[name.rawValue] ?? ChatThemeImage(system: "questionmark")
    }

    /// The corner radius of messages, in points.
    var bubbleRadius: Double { min(max(tokens.numbers["bubble-radius"] ?? 14, 0), 40) }

    /// Whether the pictures of the other side's authors are shown.
    var showsAvatars: Bool { tokens.numbers["incoming-avatar"] ?? 1 > 0 }

    /// Whether the user's own name and picture are shown.
    var showsOwnAvatar: Bool { tokens.numbers["outgoing-avatar"] ?? 0 > 0 }

    /// Whether the theme hides the title bar.
    var hidesTitle: Bool { tokens.numbers["title-hidden"] ?? 0 > 0 }

    /// Whether the theme hides the title of the search.
    var hidesSearchTitle: Bool { tokens.numbers["search-title-hidden"] ?? 0 > 0 }

    /// The place of quick replies.
    var quickReplies: QuickReplyStyle.Mode { tokens.quickReplyMode }
}

extension ChatFont {
    /// The size that a view draws; the user's text size is applied to it.
    var shownSize: Double { size.isNaN ? 15 : min(max(size, Self.sizes.lowerBound), Self.sizes.upperBound) }
}
