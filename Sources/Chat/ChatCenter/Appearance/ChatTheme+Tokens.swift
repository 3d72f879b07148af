extension ChatTheme {
    /// The named values that the page and the SwiftUI view draw with. Every property of the theme has an effect here.
    ///
    /// A style of ``flows`` takes precedence over one of ``components``, and that over ``colors`` and ``typography``.
    public var tokens: ChatThemeTokens {
        let tokens = ChatThemeTokens(
            colors: tokenColors, numbers: tokenNumbers, fonts: tokenFonts, images: tokenImages,
            quickReplyMode: flows.chatFlow.quickReplyStyle.mode ?? components.quickReplyStyle.mode ?? .embed)
        guard contrast > 1 else { return tokens }
        var legible = tokens
        legible.ensureContrast(texts: contrast, graphics: min(contrast, 3))
        return legible
    }

    /// ``minimumContrast`` within its range.
    private var contrast: Double { minimumContrast.isNaN ? 4.5 : min(max(minimumContrast, 1), 21) }

    private var tokenColors: [String: ChatColor] {
        let chat = flows.chatFlow
        let background = chat.backgroundColor ?? colors.background
        // Buttons keep white labels where possible, so the accent becomes legible before its label is chosen.
        let accent = colors.link.legible(atContrast: contrast, on: [background, colors.backgroundWhite])
        let isWhiteLegible = ChatColor.white.contrast(on: accent) >= contrast
        let onAccent: ChatColor = contrast == 1 || isWhiteLegible ? .white : .black
        var values: [String: ChatColor] = [
            "background": background,
            "surface": colors.backgroundWhite,
            "text": colors.main,
            "text-secondary": colors.secondary,
            "accent": accent,
            "accent-pressed": colors.linkLight,
            "on-accent": onAccent,
            "incoming": chat.incomeMessages.backgroundColor ?? colors.backgroundWhite,
            "on-incoming": chat.incomeMessages.textStyle.color ?? colors.main,
            "outgoing": chat.outcomeMessages.backgroundColor
                ?? colors.backgroundWhite.mixed(with: colors.linkLight, by: 0.2),
            "on-outgoing": chat.outcomeMessages.textStyle.color ?? colors.main,
            "link": colors.link,
            "positive": colors.positive,
            "warning": colors.warning,
            "rating": colors.warning,
            "error": colors.error,
            "error-surface": colors.backgroundWhite.mixed(with: colors.errorLight, by: 0.12),
            "border": colors.disabled,
            "disabled": colors.disabled,
            "system": chat.systemMessages.textStyle.color ?? colors.secondary,
            "date": chat.systemMessages.dateTextStyle.color ?? colors.secondary,
            "audio-progress": components.audioPlayerStyle.progressColor ?? colors.link,
            "audio-track": components.audioPlayerStyle.backgroundColor ?? colors.disabled,
            "loading": components.loadingIndicatorStyle.color ?? colors.link,
            "button": components.buttonStyle.backgroundColor ?? accent,
            "on-button": components.buttonStyle.textStyle.color ?? onAccent,
        ]
        for (name, color) in inputColors.merging(barColors, uniquingKeysWith: { $1 }) { values[name] = color }
        return values
    }

    private var inputColors: [String: ChatColor] {
        let (own, shared) = (flows.chatFlow.inputViewStyle, components.inputViewStyle)
        let (reply, sharedReply) = (flows.chatFlow.quickReplyStyle, components.quickReplyStyle)
        return [
            "input": own.backgroundColor ?? shared.backgroundColor ?? colors.backgroundWhite,
            "input-text": own.textStyle.color ?? shared.textStyle.color ?? colors.main,
            "placeholder": own.placeholderTextStyle.color ?? shared.placeholderTextStyle.color ?? colors.secondary,
            "input-border": own.borderColor ?? shared.borderColor ?? colors.disabled,
            "quick-reply": reply.backgroundColor ?? sharedReply.backgroundColor ?? colors.backgroundWhite,
            "on-quick-reply": reply.textStyle.color ?? sharedReply.textStyle.color ?? colors.link,
            "quick-reply-border": reply.borderColor ?? sharedReply.borderColor ?? colors.link,
        ]
    }

    private var barColors: [String: ChatColor] {
        let shared = components.navigationBarStyle
        let chat = flows.chatFlow.navigationBarStyle
        let search = flows.searchFlow.navigationBarStyle
        let field = components.searchBarStyle
        return [
            "title": chat.titleTextStyle.color ?? shared.titleTextStyle.color ?? colors.main,
            "subtitle": chat.subtitleTextStyle.color ?? shared.subtitleTextStyle.color ?? colors.secondary,
            "title-background": chat.backgroundColor ?? shared.backgroundColor ?? colors.backgroundWhite,
            "search-background": flows.searchFlow.backgroundColor ?? colors.background,
            "search-title": search.titleTextStyle.color ?? shared.titleTextStyle.color ?? colors.main,
            "search-subtitle": search.subtitleTextStyle.color ?? shared.subtitleTextStyle.color ?? colors.secondary,
            "search-title-background": search.backgroundColor ?? shared.backgroundColor ?? colors.backgroundWhite,
            "search-input": field.backgroundColor ?? colors.backgroundWhite,
            "search-input-text": field.textStyle.color ?? colors.main,
            "search-match": flows.searchFlow.searchMessageStyle.messageMatchStyle.color ?? colors.link,
        ]
    }

    private var tokenNumbers: [String: Double] {
        let radius = components.messageCornerRadius
        let hidden = components.navigationBarStyle.hidden
        func flag(_ value: Bool) -> Double { value ? 1 : 0 }
        return [
            "bubble-radius": radius.isNaN ? 14 : min(max(radius, 0), 40),
            "font-size": typography.message.drawnSize,
            "incoming-avatar": flag(flows.chatFlow.incomeMessages.showAvatar ?? true),
            "outgoing-avatar": flag(flows.chatFlow.outcomeMessages.showAvatar ?? false),
            "title-hidden": flag(flows.chatFlow.navigationBarStyle.hidden ?? hidden ?? false),
            "search-title-hidden": flag(flows.searchFlow.navigationBarStyle.hidden ?? hidden ?? false),
        ]
    }

    private var tokenFonts: [String: ChatFont] {
        let fonts = typography
        let chat = flows.chatFlow
        let bar = components.navigationBarStyle
        let search = flows.searchFlow
        return [
            "message": fonts.message, "heading1": fonts.heading1, "heading2": fonts.heading2, "title": fonts.title,
            "subtitle": fonts.subtitle, "body": fonts.body, "bold": fonts.bold, "caption": fonts.caption,
            "caption2": fonts.caption2, "footnote": fonts.footnote, "large-title": fonts.largeTitle,
            "incoming": chat.incomeMessages.textStyle.font ?? fonts.message,
            "outgoing": chat.outcomeMessages.textStyle.font ?? fonts.message,
            "system": chat.systemMessages.textStyle.font ?? fonts.caption,
            "date": chat.systemMessages.dateTextStyle.font ?? fonts.caption,
            "bar-title": chat.navigationBarStyle.titleTextStyle.font ?? bar.titleTextStyle.font ?? fonts.heading1,
            "bar-subtitle": chat.navigationBarStyle.subtitleTextStyle.font ?? bar.subtitleTextStyle.font
                ?? fonts.subtitle,
            "search-title": search.navigationBarStyle.titleTextStyle.font ?? bar.titleTextStyle.font ?? fonts.heading1,
            "search-subtitle": search.navigationBarStyle.subtitleTextStyle.font ?? bar.subtitleTextStyle.font
                ?? fonts.subtitle,
            "search-input": components.searchBarStyle.textStyle.font ?? fonts.body,
            "search-match": search.searchMessageStyle.messageMatchStyle.font ?? fonts.message,
            "input": chat.inputViewStyle.textStyle.font ?? components.inputViewStyle.textStyle.font ?? fonts.body,
            "placeholder": chat.inputViewStyle.placeholderTextStyle.font
                ?? components.inputViewStyle.placeholderTextStyle.font ?? fonts.body,
            "button": components.buttonStyle.textStyle.font ?? fonts.caption,
            "quick-reply": chat.quickReplyStyle.textStyle.font ?? components.quickReplyStyle.textStyle.font
                ?? fonts.body,
        ]
    }

    private var tokenImages: [String: ChatThemeImage] {
        [
            "send": images.send, "attach": images.attach, "record": images.record, "stop": images.stop,
            "play": images.play, "pause": images.pause, "search": images.search, "close": images.close,
            "scroll-to-newest": images.scrollToNewest, "retry": images.retry, "file": images.file,
            "avatar": images.avatar, "empty-chat": images.emptyChat,
        ]
    }
}
