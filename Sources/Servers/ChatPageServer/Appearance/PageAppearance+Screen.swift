import ChatCenter
import ChatPage

extension PageAppearance {
    /// Reads the texts and the theme of a screen.
    init(of screen: ChatScreen, _ pictures: ThemePictures) {
        self.init(
            language: screen.language, isRightToLeft: screen.isRightToLeft, texts: screen.texts,
            light: screen.theme.tokens.styleValues, dark: screen.darkTheme.tokens.styleValues,
            lightPictures: ThemePictures.paths(pictures.light), darkPictures: ThemePictures.paths(pictures.dark))
    }
}
