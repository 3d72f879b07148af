@testable import ChatCenter

/// All properties of a theme, each with a value that no default has.
enum ThemeChanges {
    private static let color = ChatColor(0x123456)
    private static let font = ChatFont(family: "Tested", size: 41, weight: .bold)
    private static let image = ChatThemeImage(.file([1, 2, 3], type: "image/png"), tintColor: color)

    /// The path of a property, and its change.
    static let all: [(path: String, change: @Sendable (inout ChatTheme) -> Void)] = [
        ("components.colors.main", { $0.components.colors.main = color }),
        ("components.colors.secondary", { $0.components.colors.secondary = color }),
        ("components.colors.disabled", { $0.components.colors.disabled = color }),
        ("components.colors.background", { $0.components.colors.background = color }),
        ("components.colors.backgroundWhite", { $0.components.colors.backgroundWhite = color }),
        ("components.colors.link", { $0.components.colors.link = color }),
        ("components.colors.linkLight", { $0.components.colors.linkLight = color }),
        ("components.colors.positive", { $0.components.colors.positive = color }),
        ("components.colors.warning", { $0.components.colors.warning = color }),
        ("components.colors.error", { $0.components.colors.error = color }),
        ("components.colors.errorLight", { $0.components.colors.errorLight = color }),
        ("components.typography.message", { $0.components.typography.message = font }),
        ("components.typography.heading1", { $0.components.typography.heading1 = font }),
        ("components.typography.heading2", { $0.components.typography.heading2 = font }),
        ("components.typography.title", { $0.components.typography.title = font }),
        ("components.typography.subtitle", { $0.components.typography.subtitle = font }),
        ("components.typography.body", { $0.components.typography.body = font }),
        ("components.typography.bold", { $0.components.typography.bold = font }),
        ("components.typography.caption", { $0.components.typography.caption = font }),
        ("components.typography.caption2", { $0.components.typography.caption2 = font }),
        ("components.typography.footnote", { $0.components.typography.footnote = font }),
        ("components.typography.largeTitle", { $0.components.typography.largeTitle = font }),
        ("components.images.send", { $0.components.images.send = image }),
        ("components.images.attach", { $0.components.images.attach = image }),
        ("components.images.record", { $0.components.images.record = image }),
        ("components.images.stop", { $0.components.images.stop = image }),
        ("components.images.play", { $0.components.images.play = image }),
        ("components.images.pause", { $0.components.images.pause = image }),
        ("components.images.search", { $0.components.images.search = image }),
        ("components.images.close", { $0.components.images.close = image }),
        ("components.images.scrollToNewest", { $0.components.images.scrollToNewest = image }),
        ("components.images.retry", { $0.components.images.retry = image }),
        ("components.images.file", { $0.components.images.file = image }),
        ("components.images.avatar", { $0.components.images.avatar = image }),
        ("components.images.emptyChat", { $0.components.images.emptyChat = image }),
        (
            "components.navigationBarStyle.titleTextStyle.color",
            { $0.components.navigationBarStyle.titleTextStyle.color = color }
        ),
        (
            "components.navigationBarStyle.titleTextStyle.font",
            { $0.components.navigationBarStyle.titleTextStyle.font = font }
        ),
        (
            "components.navigationBarStyle.subtitleTextStyle.color",
            { $0.components.navigationBarStyle.subtitleTextStyle.color = color }
        ),
        (
            "components.navigationBarStyle.subtitleTextStyle.font",
            { $0.components.navigationBarStyle.subtitleTextStyle.font = font }
        ),
        ("components.navigationBarStyle.backgroundColor", { $0.components.navigationBarStyle.backgroundColor = color }),
        ("components.navigationBarStyle.hidden", { $0.components.navigationBarStyle.hidden = true }),
        ("components.searchBarStyle.textStyle.color", { $0.components.searchBarStyle.textStyle.color = color }),
        ("components.searchBarStyle.textStyle.font", { $0.components.searchBarStyle.textStyle.font = font }),
        ("components.searchBarStyle.backgroundColor", { $0.components.searchBarStyle.backgroundColor = color }),
        ("components.inputViewStyle.textStyle.color", { $0.components.inputViewStyle.textStyle.color = color }),
        ("components.inputViewStyle.textStyle.font", { $0.components.inputViewStyle.textStyle.font = font }),
        (
            "components.inputViewStyle.placeholderTextStyle.color",
            { $0.components.inputViewStyle.placeholderTextStyle.color = color }
        ),
        (
            "components.inputViewStyle.placeholderTextStyle.font",
            { $0.components.inputViewStyle.placeholderTextStyle.font = font }
        ),
        ("components.inputViewStyle.backgroundColor", { $0.components.inputViewStyle.backgroundColor = color }),
        ("components.inputViewStyle.borderColor", { $0.components.inputViewStyle.borderColor = color }),
        ("components.buttonStyle.textStyle.color", { $0.components.buttonStyle.textStyle.color = color }),
        ("components.buttonStyle.textStyle.font", { $0.components.buttonStyle.textStyle.font = font }),
        ("components.buttonStyle.backgroundColor", { $0.components.buttonStyle.backgroundColor = color }),
        ("components.quickReplyStyle.mode", { $0.components.quickReplyStyle.mode = .toolbar }),
        ("components.quickReplyStyle.textStyle.color", { $0.components.quickReplyStyle.textStyle.color = color }),
        ("components.quickReplyStyle.textStyle.font", { $0.components.quickReplyStyle.textStyle.font = font }),
        ("components.quickReplyStyle.backgroundColor", { $0.components.quickReplyStyle.backgroundColor = color }),
        ("components.quickReplyStyle.borderColor", { $0.components.quickReplyStyle.borderColor = color }),
        ("components.audioPlayerStyle.progressColor", { $0.components.audioPlayerStyle.progressColor = color }),
        ("components.audioPlayerStyle.backgroundColor", { $0.components.audioPlayerStyle.backgroundColor = color }),
        ("components.loadingIndicatorStyle.color", { $0.components.loadingIndicatorStyle.color = color }),
        ("components.messageCornerRadius", { $0.components.messageCornerRadius = 3 }),
        ("flows.chatFlow.backgroundColor", { $0.flows.chatFlow.backgroundColor = color }),
        (
            "flows.chatFlow.navigationBarStyle.titleTextStyle.color",
            { $0.flows.chatFlow.navigationBarStyle.titleTextStyle.color = color }
        ),
        (
            "flows.chatFlow.navigationBarStyle.titleTextStyle.font",
            { $0.flows.chatFlow.navigationBarStyle.titleTextStyle.font = font }
        ),
        (
            "flows.chatFlow.navigationBarStyle.subtitleTextStyle.color",
            { $0.flows.chatFlow.navigationBarStyle.subtitleTextStyle.color = color }
        ),
        (
            "flows.chatFlow.navigationBarStyle.subtitleTextStyle.font",
            { $0.flows.chatFlow.navigationBarStyle.subtitleTextStyle.font = font }
        ),
        (
            "flows.chatFlow.navigationBarStyle.backgroundColor",
            { $0.flows.chatFlow.navigationBarStyle.backgroundColor = color }
        ),
        ("flows.chatFlow.navigationBarStyle.hidden", { $0.flows.chatFlow.navigationBarStyle.hidden = true }),
        ("flows.chatFlow.incomeMessages.textStyle.color", { $0.flows.chatFlow.incomeMessages.textStyle.color = color }),
        ("flows.chatFlow.incomeMessages.textStyle.font", { $0.flows.chatFlow.incomeMessages.textStyle.font = font }),
        ("flows.chatFlow.incomeMessages.backgroundColor", { $0.flows.chatFlow.incomeMessages.backgroundColor = color }),
        ("flows.chatFlow.incomeMessages.showAvatar", { $0.flows.chatFlow.incomeMessages.showAvatar = false }),
        (
            "flows.chatFlow.outcomeMessages.textStyle.color",
            { $0.flows.chatFlow.outcomeMessages.textStyle.color = color }
        ),
        ("flows.chatFlow.outcomeMessages.textStyle.font", { $0.flows.chatFlow.outcomeMessages.textStyle.font = font }),
        (
            "flows.chatFlow.outcomeMessages.backgroundColor",
            { $0.flows.chatFlow.outcomeMessages.backgroundColor = color }
        ),
        ("flows.chatFlow.outcomeMessages.showAvatar", { $0.flows.chatFlow.outcomeMessages.showAvatar = true }),
        ("flows.chatFlow.systemMessages.textStyle.color", { $0.flows.chatFlow.systemMessages.textStyle.color = color }),
        ("flows.chatFlow.systemMessages.textStyle.font", { $0.flows.chatFlow.systemMessages.textStyle.font = font }),
        (
            "flows.chatFlow.systemMessages.dateTextStyle.color",
            { $0.flows.chatFlow.systemMessages.dateTextStyle.color = color }
        ),
        (
            "flows.chatFlow.systemMessages.dateTextStyle.font",
            { $0.flows.chatFlow.systemMessages.dateTextStyle.font = font }
        ),
        ("flows.chatFlow.inputViewStyle.textStyle.color", { $0.flows.chatFlow.inputViewStyle.textStyle.color = color }),
        ("flows.chatFlow.inputViewStyle.textStyle.font", { $0.flows.chatFlow.inputViewStyle.textStyle.font = font }),
        (
            "flows.chatFlow.inputViewStyle.placeholderTextStyle.color",
            { $0.flows.chatFlow.inputViewStyle.placeholderTextStyle.color = color }
        ),
        (
            "flows.chatFlow.inputViewStyle.placeholderTextStyle.font",
            { $0.flows.chatFlow.inputViewStyle.placeholderTextStyle.font = font }
        ),
        ("flows.chatFlow.inputViewStyle.backgroundColor", { $0.flows.chatFlow.inputViewStyle.backgroundColor = color }),
        ("flows.chatFlow.inputViewStyle.borderColor", { $0.flows.chatFlow.inputViewStyle.borderColor = color }),
        ("flows.chatFlow.quickReplyStyle.mode", { $0.flows.chatFlow.quickReplyStyle.mode = .toolbar }),
        (
            "flows.chatFlow.quickReplyStyle.textStyle.color",
            { $0.flows.chatFlow.quickReplyStyle.textStyle.color = color }
        ),
        ("flows.chatFlow.quickReplyStyle.textStyle.font", { $0.flows.chatFlow.quickReplyStyle.textStyle.font = font }),
        (
            "flows.chatFlow.quickReplyStyle.backgroundColor",
            { $0.flows.chatFlow.quickReplyStyle.backgroundColor = color }
        ),
        ("flows.chatFlow.quickReplyStyle.borderColor", { $0.flows.chatFlow.quickReplyStyle.borderColor = color }),
        ("flows.searchFlow.backgroundColor", { $0.flows.searchFlow.backgroundColor = color }),
        (
            "flows.searchFlow.navigationBarStyle.titleTextStyle.color",
            { $0.flows.searchFlow.navigationBarStyle.titleTextStyle.color = color }
        ),
        (
            "flows.searchFlow.navigationBarStyle.titleTextStyle.font",
            { $0.flows.searchFlow.navigationBarStyle.titleTextStyle.font = font }
        ),
        (
            "flows.searchFlow.navigationBarStyle.subtitleTextStyle.color",
            { $0.flows.searchFlow.navigationBarStyle.subtitleTextStyle.color = color }
        ),
        (
            "flows.searchFlow.navigationBarStyle.subtitleTextStyle.font",
            { $0.flows.searchFlow.navigationBarStyle.subtitleTextStyle.font = font }
        ),
        (
            "flows.searchFlow.navigationBarStyle.backgroundColor",
            { $0.flows.searchFlow.navigationBarStyle.backgroundColor = color }
        ),
        ("flows.searchFlow.navigationBarStyle.hidden", { $0.flows.searchFlow.navigationBarStyle.hidden = true }),
        (
            "flows.searchFlow.searchMessageStyle.messageMatchStyle.color",
            { $0.flows.searchFlow.searchMessageStyle.messageMatchStyle.color = color }
        ),
        (
            "flows.searchFlow.searchMessageStyle.messageMatchStyle.font",
            { $0.flows.searchFlow.searchMessageStyle.messageMatchStyle.font = font }
        ),
    ]

    /// Returns the paths of all stored properties of a value. Colors, fonts and pictures are single values.
    static func paths(of value: Any, _ path: String = "") -> [String] {
        if value is ChatColor || value is ChatFont || value is ChatThemeImage { return [path] }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .struct, !mirror.children.isEmpty else { return [path] }
        return mirror.children.flatMap { child in
            paths(of: child.value, path.isEmpty ? child.label ?? "" : path + "." + (child.label ?? ""))
        }
    }

    /// Returns the names of the tokens that a change affects. The colors are used as they are set.
    static func tokens(of change: (inout ChatTheme) -> Void) -> Set<String> {
        var theme = ChatTheme(minimumContrast: 1)
        let before = theme.tokens
        change(&theme)
        let after = theme.tokens
        func names<Value: Equatable>(_ values: (ChatThemeTokens) -> [String: Value]) -> [String] {
            let (old, new) = (values(before), values(after))
            return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
        }
        return Set(
            names(\.colors) + names(\.numbers) + names(\.fonts).map { "font-" + $0 }
                + names(\.images).map { "image-" + $0 }
                + (before.quickReplyMode == after.quickReplyMode ? [] : ["quick-replies"]))
    }
}
