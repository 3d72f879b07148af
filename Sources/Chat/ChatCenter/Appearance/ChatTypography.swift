/// A font: its size, its weight and, if it is not the system's, its family.
public struct ChatFont: Hashable, Sendable {
    /// The weight of a font.
    public enum Weight: Int, Hashable, Sendable, CaseIterable {
        /// Weight 400.
        case regular = 400
        /// Weight 500.
        case medium = 500
        /// Weight 600.
        case semibold = 600
        /// Weight 700.
        case bold = 700
    }

    /// The smallest and the largest size that a view draws. Sizes outside this range are clamped.
    public static let sizes: ClosedRange<Double> = 8...96

    /// The name of the family; `nil` for the font of the system.
    public var family: String?
    /// The size in points. On the page, a point is a CSS pixel.
    public var size: Double
    /// The weight.
    public var weight: Weight

    /// Creates a font.
    public init(family: String? = nil, size: Double, weight: Weight = .regular) {
        self.family = family
        self.size = size
        self.weight = weight
    }

    /// Returns a font of the system.
    public static func system(size: Double, weight: Weight = .regular) -> ChatFont {
        ChatFont(size: size, weight: weight)
    }

    /// The size within ``sizes``.
    var drawnSize: Double { size.isNaN ? 14 : min(max(size, Self.sizes.lowerBound), Self.sizes.upperBound) }
}

/// The fonts of a theme, by their purpose. The defaults are the documented ones.
public struct ChatTypography: Hashable, Sendable {
    /// The text of messages.
    public var message: ChatFont
    /// The title of the screen.
    public var heading1: ChatFont
    /// The names of authors.
    public var heading2: ChatFont
    /// The titles of placeholders and surveys, and the names of files.
    public var title: ChatFont
    /// Subtitles and quotes.
    public var subtitle: ChatFont
    /// The input field, menus and quick replies.
    public var body: ChatFont
    /// The titles of link previews, and progress.
    public var bold: ChatFont
    /// Buttons, dates, counters and failures.
    public var caption: ChatFont
    /// The times of messages.
    public var caption2: ChatFont
    /// The addresses of link previews.
    public var footnote: ChatFont
    /// Large titles. The chat draws it only where a component asks for it.
    public var largeTitle: ChatFont

    /// Creates the fonts.
    public init(
        message: ChatFont = .system(size: 14), heading1: ChatFont = .system(size: 17, weight: .semibold),
        heading2: ChatFont = .system(size: 16, weight: .semibold), title: ChatFont = .system(size: 17),
        subtitle: ChatFont = .system(size: 16), body: ChatFont = .system(size: 15),
        bold: ChatFont = .system(size: 15, weight: .semibold), caption: ChatFont = .system(size: 12, weight: .medium),
        caption2: ChatFont = .system(size: 10), footnote: ChatFont = .system(size: 13, weight: .semibold),
        largeTitle: ChatFont = .system(size: 28, weight: .semibold)
    ) {
        self.message = message
        self.heading1 = heading1
        self.heading2 = heading2
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.bold = bold
        self.caption = caption
        self.caption2 = caption2
        self.footnote = footnote
        self.largeTitle = largeTitle
    }
}
