// `Locale` is needed for the language of the system.
import Foundation

extension ChatScreen {
    /// The theme that was set when this screen was created.
    public var theme: ChatTheme { themes.light }

    /// The theme for dark mode that was set when this screen was created.
    public var darkTheme: ChatTheme { themes.dark }

    /// Returns a text for the user: the app's text if its table contains the key, otherwise the built-in one.
    public func text(_ key: ChatTextKey) -> String { ChatWording.current.text(key) }

    /// Returns a text with a number, in the plural form that the language requires, such as "3 results".
    ///
    /// The number replaces `{count}`. For a key whose ``ChatTextKey/isPlural`` is `false`, this is the text of the key.
    public func text(_ key: ChatTextKey, count: Int) -> String { ChatWording.current.text(key, count: count) }

    /// All texts by key, for a view outside this process. A text with a number has one entry for each plural form, such
    /// as `search.results#one`; each form contains `{count}`.
    public var texts: [String: String] { ChatWording.current.all }

    /// The language of the texts as a BCP 47 tag, such as `pt-BR`.
    ///
    /// This is the language of the app's table if there is one. Without a table, it is Russian or English, whichever
    /// the built-in texts use.
    public var language: String { ChatWording.current.language.tag }

    /// Whether the texts are written from right to left, so that the screen must be mirrored.
    public var isRightToLeft: Bool { ChatWording.current.language.isRightToLeft }
}

extension ChatTextKey {
    /// The text of the key in the current language: the app's text if its table contains the key, otherwise the
    /// built-in one.
    package var currentText: String { ChatWording.current.text(self) }

    /// The current language as a BCP 47 tag.
    package static var currentLanguage: String { ChatWording.current.language.tag }
}

/// The texts of the app and the built-in ones, in one language.
struct ChatWording {
    /// The app's texts, if it has any.
    private let config: ChatLocalizationConfig?
    /// The language of the app's texts, or of the built-in ones.
    let language: ChatLanguage
    /// Whether built-in texts are in Russian.
    private let isRussian: Bool

    /// The texts that are set now.
    static var current: ChatWording { ChatWording(ChatAppearance.localizationConfig, system: .current) }

    init(_ config: ChatLocalizationConfig?, system: Locale) {
        let wanted = ChatLanguage((config?.locale ?? system).identifier)
        let hasTable = config?.hasTable == true
        self.config = hasTable ? config : nil
        isRussian = wanted.code == "ru"
        let isBuiltIn = wanted.code == "ru" || wanted.code == "en"
        language = hasTable || isBuiltIn ? wanted : ChatLanguage("en")
    }

    /// The forms of a text, and the language whose plural rules choose among them.
    private func forms(_ key: ChatTextKey) -> (texts: [ChatPluralCategory: String], language: String) {
        if let own = config?.forms(of: key), !own.isEmpty { return (own, language.code) }
        return (key.builtIn(russian: isRussian), isRussian ? "ru" : "en")
    }

    func text(_ key: ChatTextKey) -> String { forms(key).texts[.other] ?? key.rawValue }

    func text(_ key: ChatTextKey, count: Int) -> String {
        let (texts, code) = forms(key)
        let rules = code == language.code ? language.tag : code
        let form = texts[ChatPluralCategory(count, language: rules)] ?? texts[.other] ?? key.rawValue
        return form.replacing("{count}", with: String(count))
    }

    var all: [String: String] {
        var result: [String: String] = [:]
        for key in ChatTextKey.allCases {
            let (texts, code) = forms(key)
            guard key.isPlural else {
                result[key.rawValue] = texts[.other]
                continue
            }
            // A reader chooses by the rules of `language`. Built-in forms may follow other rules, so each category of
            // the language gets the form that its first number has here.
            for category in ChatPluralCategory.allCases {
                let form =
                    code == language.code
                    ? texts[category]
                    : Self.example(of: category, in: language.tag).flatMap { number in
                        texts[ChatPluralCategory(number, language: code)] ?? texts[.other]
                    }
                if let form { result[key.rawValue + "#" + category.rawValue] = form }
            }
            result[key.rawValue + "#other"] = result[key.rawValue + "#other"] ?? texts[.other]
        }
        return result
    }

    /// Returns the smallest number of a category, up to 200; `nil` if the language does not use the category.
    private static func example(of category: ChatPluralCategory, in language: String) -> Int? {
        (0...200).first { ChatPluralCategory($0, language: language) == category }
    }
}
