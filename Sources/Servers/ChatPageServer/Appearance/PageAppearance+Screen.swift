import ChatCenter
import ChatPage

extension PageAppearance {
    /// Reads the texts and the theme of a screen.
    init(of screen: ChatScreen) {
        self.init(
            language: screen.language, isRightToLeft: screen.isRightToLeft, texts: screen.texts,
            light: screen.theme.tokens.styleValues, dark: screen.darkTheme.tokens.styleValues)
    }
}
