import ChatCenter
import ChatPage

extension PageAppearance {
    /// Reads the texts and the theme of a screen.
    init(of screen: ChatScreen, _ pictures: ThemePictures) {
        self.init(
            language: screen.language, isRightToLeft: screen.isRightToLeft,
            // The server renders its own messages, so that the page does not need them.
            texts: screen.texts.filter { !$0.key.hasPrefix("server.") }, light: screen.theme.tokens.styleValues,
            dark: screen.darkTheme.tokens.styleValues,
            lightPictures: ThemePictures.paths(pictures.light), darkPictures: ThemePictures.paths(pictures.dark))
    }
}
