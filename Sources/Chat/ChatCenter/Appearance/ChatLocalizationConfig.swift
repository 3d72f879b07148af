// `Bundle` is not in FoundationEssentials.
public import Foundation

/// Where the texts of the chat come from, and which language the server is told.
///
/// Set it as ``ChatCenterUISDK/localizationConfig`` before `authorize`. A key that the table does not have has a built-in
/// text, in Russian where that is the language of ``locale`` and in English elsewhere.
public struct ChatLocalizationConfig: Sendable {
    /// The bundle with the app's texts.
    let bundle: Bundle
    /// The name of the `.strings` file in it, without its extension.
    let tableName: String
    /// The language of the texts. The server is told which, once for each `authorize`.
    let locale: Locale

    /// Names a table of texts.
    ///
    /// - Parameters:
    ///   - bundle: The bundle with the table.
    ///   - tableName: The name of the table, without `.strings`.
    ///   - locale: The language; the system's by default.
    public init(bundle: Bundle, tableName: String, locale: Locale = .current) {
        self.bundle = bundle
        self.tableName = tableName
        self.locale = locale
    }

    /// The languages to look for, the best first: `pt-BR`, `pt`.
    private var languages: [String] {
        let identifier = locale.identifier.replacing("_", with: "-").split(separator: "@").first.map(String.init) ?? ""
        let code = identifier.split(separator: "-").first.map(String.init) ?? ""
        return identifier == code ? [code] : [identifier, code]
    }

    /// The tables of the bundle, that of the language first, then what the bundle itself holds.
    private var tables: [URL] {
        let localized = languages.compactMap {
            bundle.url(forResource: tableName, withExtension: "strings", subdirectory: "\($0).lproj")
        }
        return localized + [bundle.url(forResource: tableName, withExtension: "strings")].compactMap(\.self)
    }

    /// The language as the server is told it.
    var localeIdentifier: String { locale.identifier }

    /// Where the bundle is.
    var bundlePath: String { bundle.bundlePath }

    /// Whether the bundle has the table.
    var hasTable: Bool { !tables.isEmpty }

    /// The app's text for a key; `nil` if it has none.
    func text(for key: String) -> String? {
        for table in tables {
            guard let data = try? Data(contentsOf: table),
                let texts = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: String],
                let text = texts[key]
            else { continue }
            return text
        }
        return nil
    }
}
