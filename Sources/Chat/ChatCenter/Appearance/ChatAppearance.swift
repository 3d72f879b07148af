import Synchronization

/// The themes of one SDK, and the texts of all SDKs: the documented localization applies to the whole process.
final class ChatAppearance: Sendable {
    struct Themes: Hashable, Sendable {
        var light = ChatTheme()
        var dark = ChatTheme.dark
    }

    private static let localization = Mutex<ChatLocalizationConfig?>(nil)
    private let state = Mutex(Themes())

    var themes: Themes {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    static var localizationConfig: ChatLocalizationConfig? {
        get { localization.withLock { $0 } }
        set { localization.withLock { $0 = newValue } }
    }
}
