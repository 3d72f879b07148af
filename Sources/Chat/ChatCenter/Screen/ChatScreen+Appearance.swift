import Foundation

extension ChatScreen {
    /// The look that was set when this screen was made.
    public var theme: ChatTheme { themes.light }

    /// The look for a dark system that was set when this screen was made.
    public var darkTheme: ChatTheme { themes.dark }

    /// A text for the user: the app's, where its table has the key, else the built-in one.
    public func text(_ key: ChatTextKey) -> String {
        let config = ChatAppearance.localizationConfig
        if let text = config?.text(for: key.rawValue) { return text }
        return key.builtIn(russian: (config?.locale ?? .current).identifier.hasPrefix("ru"))
    }
}
