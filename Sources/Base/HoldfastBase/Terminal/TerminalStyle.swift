/// Emphasizes words of text for people with colors, if the output shows them. JSON, metrics and files never have
/// colors.
package struct TerminalStyle: Hashable, Sendable {
    /// The meaning of a word, which decides its color.
    package enum Meaning: Hashable, Sendable {
        /// An error, or a result that is not as expected.
        case error
        /// A warning, or a result that is missing.
        case warning
        /// A note.
        case note
        /// A result that is as expected.
        case success

        /// The parameters of the escape sequence (ECMA-48, SGR). Only the basic colors: the user's terminal defines
        /// them so that they can be read on its background.
        fileprivate var parameters: String {
            switch self {
            case .error: "1;31"
            case .warning: "33"
            case .note: "36"
            case .success: "32"
            }
        }
    }

    /// Returns every text unchanged.
    package static let plain = TerminalStyle(isColored: false)

    /// Whether the style has colors.
    package let isColored: Bool

    /// Creates a style with or without colors.
    package init(isColored: Bool) {
        self.isColored = isColored
    }

    /// Returns the text in the color of its meaning, or unchanged.
    package func text(_ text: String, _ meaning: Meaning) -> String {
        guard isColored, !text.isEmpty else { return text }
        return "\u{1B}[\(meaning.parameters)m\(text)\u{1B}[0m"
    }
}
