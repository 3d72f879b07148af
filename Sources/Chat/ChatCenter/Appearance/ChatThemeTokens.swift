/// The named values of a theme. The page and the SwiftUI view read only these, so that both look the same.
///
/// The page uses each color as a CSS custom property: `text` is `--chat-text`.
public struct ChatThemeTokens: Hashable, Sendable {
    /// The colors by name, such as `background`, `text` and `accent`.
    public var colors: [String: ChatColor]
    /// The numbers by name, such as `bubble-radius`, in points. A switch is 1 or 0.
    public var numbers: [String: Double]
    /// The fonts by name, such as `message`.
    public var fonts: [String: ChatFont]
    /// The pictures by name, such as `send`.
    public var images: [String: ChatThemeImage]
    /// The place of quick replies.
    public var quickReplyMode: QuickReplyStyle.Mode

    /// Creates tokens.
    public init(
        colors: [String: ChatColor], numbers: [String: Double], fonts: [String: ChatFont],
        images: [String: ChatThemeImage], quickReplyMode: QuickReplyStyle.Mode
    ) {
        self.colors = colors
        self.numbers = numbers
        self.fonts = fonts
        self.images = images
        self.quickReplyMode = quickReplyMode
    }

    /// Whether the background is dark, so that a view chooses the system's dark controls.
    public var isDark: Bool { (colors["background"] ?? .white).luminance < 0.18 }

    /// A color that is drawn on other colors.
    public struct Pair: Hashable, Sendable {
        /// The name of the color.
        public let color: String
        /// The names of the colors behind it.
        public let backgrounds: [String]
        /// Whether the color is a border or a sign. Such a color needs a contrast of 3 only.
        public let isGraphic: Bool

        init(_ color: String, on backgrounds: [String], isGraphic: Bool = false) {
            self.color = color
            self.backgrounds = backgrounds
            self.isGraphic = isGraphic
        }
    }

    /// The colors that are drawn on others. Each pair has at least ``ChatTheme/minimumContrast``.
    public static let pairs: [Pair] = {
        let messages = ["background", "surface", "incoming", "outgoing"]
        return [
            Pair("text", on: ["background", "surface", "error-surface"]),
            Pair("text-secondary", on: messages),
            Pair("accent", on: ["background", "surface"]),
            Pair("on-accent", on: ["accent"]),
            Pair("on-incoming", on: ["incoming"]),
            Pair("on-outgoing", on: ["outgoing"]),
            Pair("link", on: messages),
            Pair("positive", on: messages),
            Pair("warning", on: messages),
            Pair("rating", on: ["background", "surface"], isGraphic: true),
            Pair("error", on: messages + ["error-surface"]),
            Pair("disabled", on: messages),
            Pair("border", on: ["background", "surface"], isGraphic: true),
            Pair("title", on: ["title-background"]),
            Pair("subtitle", on: ["title-background"]),
            Pair("input-text", on: ["input"]),
            Pair("placeholder", on: ["input"]),
            Pair("input-border", on: ["background", "surface"], isGraphic: true),
            Pair("on-button", on: ["button"]),
            Pair("on-quick-reply", on: ["quick-reply"]),
            Pair("quick-reply-border", on: ["background"], isGraphic: true),
            Pair("system", on: ["background"]),
            Pair("date", on: ["background"]),
            Pair("audio-progress", on: messages, isGraphic: true),
            Pair("loading", on: ["background", "surface"], isGraphic: true),
            Pair("search-title", on: ["search-title-background"]),
            Pair("search-subtitle", on: ["search-title-background", "search-background"]),
            Pair("search-input-text", on: ["search-input"]),
            Pair("search-match", on: ["search-background", "surface"]),
        ]
    }()

    /// Makes each color legible on its backgrounds.
    ///
    /// - Parameters:
    ///   - texts: The contrast ratio of texts.
    ///   - graphics: The contrast ratio of borders and signs.
    mutating func ensureContrast(texts: Double, graphics: Double) {
        for pair in Self.pairs {
            guard let color = colors[pair.color] else { continue }
            colors[pair.color] = color.legible(
                atContrast: pair.isGraphic ? graphics : texts, on: pair.backgrounds.compactMap { colors[$0] })
        }
    }
}

extension ChatThemeTokens {
    /// The tokens for users who ask their system for more contrast (`prefers-contrast: more`).
    ///
    /// Backgrounds become white, or black in a dark theme. All texts have a contrast of at least 7 (WCAG 2.2, level
    /// AAA), and borders are as strong as texts. Fonts, pictures and numbers stay the same.
    public var highContrast: ChatThemeTokens {
        var tokens = self
        let paper: ChatColor = isDark ? .black : .white
        let ink: ChatColor = isDark ? .white : .black
        for name in Self.backgroundNames { tokens.colors[name] = paper }
        for name in ["text", "on-incoming", "on-outgoing", "title", "input-text", "border", "input-border"] {
            tokens.colors[name] = ink
        }
        for name in ["accent", "button"] {
            let fill = colors[name] ?? ink
            tokens.colors[name] = fill.composited(over: paper).legible(atContrast: 7, on: [paper])
        }
        tokens.colors["on-accent"] = paper
        tokens.colors["on-button"] = paper
        tokens.ensureContrast(texts: 7, graphics: 7)
        return tokens
    }

    /// The colors that only lie behind texts.
    private static let backgroundNames = [
        "background", "surface", "incoming", "outgoing", "error-surface", "title-background", "input", "quick-reply",
        "search-background", "search-title-background", "search-input",
    ]
}

extension ChatThemeTokens {
    /// The values of the colors, numbers and fonts in CSS notation, by their names without `--chat-`.
    ///
    /// A font `message` has the names `font-message` (in the notation of the property `font`). Pictures have no value.
    public var styleValues: [String: String] {
        var values = colors.mapValues(\.description)
        for (name, number) in numbers {
            values[name] = number.styleValue + (Self.switches.contains(name) ? "" : "px")
        }
        for (name, font) in fonts { values["font-" + name] = font.styleValue }
        values["quick-replies"] = quickReplyMode.rawValue
        return values
    }

    /// The numbers that are 1 or 0.
    static let switches: Set<String> = [
        "incoming-avatar", "outgoing-avatar", "title-hidden", "search-title-hidden",
    ]
}

extension Double {
    /// The number without a fraction of zero, such as `14` or `14.5`.
    fileprivate var styleValue: String {
        guard isFinite, abs(self) < 1e6 else { return "0" }
        return self == rounded() ? String(Int(self)) : String(self)
    }
}

extension ChatFont {
    /// The font in the notation of the CSS property `font`. A family keeps only letters, digits, spaces and hyphens.
    fileprivate var styleValue: String {
        let name = (family ?? "").filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == " " || $0 == "-") }
        let families = (name.isEmpty ? "" : "\"\(name)\", ") + "system-ui, sans-serif"
        return "\(weight.rawValue) \(drawnSize.styleValue)px/1.4 \(families)"
    }
}
