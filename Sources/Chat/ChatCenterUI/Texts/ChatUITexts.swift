import ChatCenter
import Foundation

/// The texts of the chat's views in the language of the chat, and the formats for numbers and times.
struct ChatUITexts: Sendable {
    private let words: [ChatTextKey: String]
    private let counted: @Sendable (ChatTextKey, Int) -> String
    /// The formats for numbers and times.
    let format: ChatUIFormat
    /// Whether the language is written from right to left.
    let isRightToLeft: Bool

    init(
        format: ChatUIFormat, isRightToLeft: Bool = false, text: (ChatTextKey) -> String,
        counted: @escaping @Sendable (ChatTextKey, Int) -> String
    ) {
        self.format = format
        self.isRightToLeft = isRightToLeft
        // The app's table is a file, and a view needs its texts in each frame.
        words = Dictionary(uniqueKeysWithValues: ChatTextKey.allCases.map { ($0, text($0)) })
        self.counted = counted
    }

    /// Takes the texts and the language from a screen.
    init(_ screen: ChatScreen, _ options: ChatViewOptions) {
        self.init(
            format: ChatUIFormat(
                locale: options.locale ?? Locale(identifier: screen.language), timeZone: options.timeZone),
            isRightToLeft: screen.isRightToLeft, text: { screen.text($0) },
            counted: { screen.text($0, count: $1) })
    }

    /// Returns the text of a key.
    func callAsFunction(_ key: ChatTextKey) -> String { words[key] ?? key.rawValue }

    /// Returns the text of a key with a number in its plural form.
    func callAsFunction(_ key: ChatTextKey, count: Int) -> String { counted(key, count) }

    /// Joins the parts of a spoken description.
    func spoken(_ parts: [String?]) -> String {
        parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
