extension ChatCenterUISDK {
    /// The texts of the chat and its language: one for all instances of the process, as documented. Set it before
    /// `authorize`, which tells the server the language; a user who is authorised already keeps his.
    ///
    /// A table that is missing from its bundle is logged as an error, and the built-in texts are used.
    public var localizationConfig: ChatLocalizationConfig? {
        get { ChatAppearance.localizationConfig }
        set {
            ChatAppearance.localizationConfig = newValue
            guard let newValue, !newValue.hasTable else { return }
            log.write(
                .error,
                "ChatLocalizationConfig: the bundle \(newValue.bundlePath) has no table “\(newValue.tableName)”; "
                    + "the built-in texts are used.")
        }
    }

    /// The look of the chat. Setting it sets ``darkTheme`` as well: set this one first. A screen takes it over when it is
    /// made; later changes show on the next one.
    public var theme: ChatTheme {
        get { appearance.themes.light }
        set { appearance.themes = ChatAppearance.Themes(light: newValue, dark: newValue) }
    }

    /// The look of the chat on a dark system.
    public var darkTheme: ChatTheme {
        get { appearance.themes.dark }
        set { appearance.themes.dark = newValue }
    }
}
