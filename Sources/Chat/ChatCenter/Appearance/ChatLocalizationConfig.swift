// `Bundle` is not in FoundationEssentials.
public import Foundation
import Synchronization

/// The source of the chat's texts, and the language for the server.
///
/// Set it as ``ChatCenterUISDK/localizationConfig`` before `authorize`. For a key that the table does not contain, the
/// built-in text is used: in Russian if that is the language of `locale`, otherwise in English.
public struct ChatLocalizationConfig: Sendable {
    /// The largest size of a file with texts: 1 MiB.
    ///
    /// - Error: `ChatLocalizationError.Code.tooLarge`
    public static let maximumFileSize = 1 << 20
    /// The largest number of texts in a file.
    ///
    /// - Error: `ChatLocalizationError.Code.tooManyTexts`
    public static let maximumTextCount = 2000
    /// The largest length of a text, in bytes of UTF-8.
    ///
    /// - Error: `ChatLocalizationError.Code.textTooLong`
    public static let maximumTextLength = 10_000

    /// The bundle that contains the app's texts; `nil` for a file.
    let bundle: Bundle?
    /// The name of the `.strings` file in the bundle, without its extension.
    let tableName: String
    /// The language of the texts. It is sent to the server once for each `authorize`.
    let locale: Locale
    /// The texts, which are read at the first use.
    private let texts: ChatTexts

    /// Creates a configuration for a table of texts.
    ///
    /// - Parameters:
    ///   - bundle: The bundle that contains the table.
    ///   - tableName: The name of the table, without `.strings`.
    ///   - locale: The language; the system's by default.
    public init(bundle: Bundle, tableName: String, locale: Locale = .current) {
        self.bundle = bundle
        self.tableName = tableName
        self.locale = locale
        texts = ChatTexts(Self.tables(named: tableName, in: bundle, for: ChatLanguage(locale.identifier)))
    }

    /// Creates a configuration from a file with the texts of one language. Reads the file at once.
    ///
    /// - Parameters:
    ///   - file: A `.strings` file, or a `.json` file with an object of keys and texts. For a key with a number, each
    ///     plural form is one entry such as `search.results#few`, whose text contains `{count}`.
    ///   - locale: The language of the file.
    /// - Throws: ``ChatLocalizationError`` if the file cannot be read or exceeds a limit.
    public init(file: URL, locale: Locale) throws(ChatLocalizationError) {
        bundle = nil
        tableName = file.lastPathComponent
        self.locale = locale
        texts = ChatTexts(try ChatTextFile.texts(of: file))
    }

    /// The documented keys and Holdfast's own for which the app has no text. Their built-in texts are used.
    public var missingKeys: [ChatTextKey] {
        ChatTextKey.allCases.filter { forms(of: $0).isEmpty }
    }

    /// The tables of the bundle: those of the language, then the one outside any language folder.
    private static func tables(named name: String, in bundle: Bundle, for language: ChatLanguage) -> [URL] {
        let (code, script, region) = (language.code, language.script, language.region)
        let combinations = [[code, script, region], [code, script, nil], [code, nil, region], [code, nil, nil]]
        let tags = combinations.map { $0.compactMap(\.self).joined(separator: "-") }
        let unique = tags.indices.filter { !tags[..<$0].contains(tags[$0]) }.map { tags[$0] }
        let localized = unique.compactMap {
            bundle.url(forResource: name, withExtension: "strings", subdirectory: "\($0).lproj")
        }
        return localized + [bundle.url(forResource: name, withExtension: "strings")].compactMap(\.self)
    }

    /// The language in the form that is sent to the server.
    var localeIdentifier: String { locale.identifier }

    /// The path of the bundle, or the name of the file.
    var bundlePath: String { bundle?.bundlePath ?? tableName }

    /// Whether the bundle contains the table.
    var hasTable: Bool { texts.exists }

    /// The first table that cannot be used, if any.
    var problem: ChatLocalizationError? { texts.loaded.problem }

    /// Returns the app's text for a key; `nil` if it has none.
    func text(for key: String) -> String? { texts.loaded.texts[key] }

    /// Returns the app's plural forms of a key. A text without forms counts as the form `other`.
    func forms(of key: ChatTextKey) -> [ChatPluralCategory: String] {
        let texts = texts.loaded.texts
        var forms: [ChatPluralCategory: String] = [:]
        if key.isPlural {
            for category in ChatPluralCategory.allCases {
                forms[category] = texts[key.rawValue + "#" + category.rawValue]
            }
        }
        if forms[.other] == nil { forms[.other] = texts[key.rawValue] }
        return forms
    }
}

/// The texts of an app's tables, read once.
private final class ChatTexts: Sendable {
    struct Loaded: Sendable {
        var texts: [String: String] = [:]
        var problem: ChatLocalizationError?
    }

    /// The tables, the most specific first.
    private let tables: [URL]
    private let state: Mutex<Loaded?>

    init(_ tables: [URL]) {
        self.tables = tables
        state = Mutex(nil)
    }

    init(_ texts: [String: String]) {
        tables = []
        state = Mutex(Loaded(texts: texts))
    }

    var exists: Bool { !tables.isEmpty || state.withLock { $0 != nil } }

    /// The texts of all tables. Two threads may read the tables at the same time; both get the same texts.
    var loaded: Loaded {
        if let loaded = state.withLock({ $0 }) { return loaded }
        var result = Loaded()
        for table in tables.reversed() {
            do throws(ChatLocalizationError) {
                result.texts.merge(try ChatTextFile.texts(of: table)) { $1 }
            } catch {
                result.problem = error
            }
        }
        let read = result
        state.withLock { $0 = read }
        return read
    }
}
