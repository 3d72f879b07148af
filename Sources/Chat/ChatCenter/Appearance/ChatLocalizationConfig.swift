// `Bundle` is not in FoundationEssentials.
public import Foundation

/// The source of the chat's texts, and the language for the server.
///
/// Set it as ``ChatCenterUISDK/localizationConfig`` before `authorize`. For a key that the table does not contain, the
/// built-in text is used: in Russian if that is the language of ``locale``, otherwise in English.
public struct ChatLocalizationConfig: Sendable {
    /// The bundle that contains the app's texts.
    let bundle: Bundle
    /// The name of the `.strings` file in the bundle, without its extension.
    let tableName: String
    /// The language of the texts. It is sent to the server once for each `authorize`.
    let locale: Locale

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
    }

    /// The languages to look for, the best match first, such as `pt-BR`, `pt`.
    private var languages: [String] {
        let identifier = locale.identifier.replacing("_", with: "-").split(separator: "@").first.map(String.init) ?? ""
        let code = identifier.split(separator: "-").first.map(String.init) ?? ""
        return identifier == code ? [code] : [identifier, code]
    }

    /// The tables of the bundle: those of the language, then the one outside any language folder.
    private var tables: [URL] {
        let localized = languages.compactMap {
            bundle.url(forResource: tableName, withExtension: "strings", subdirectory: "\($0).lproj")
        }
        return localized + [bundle.url(forResource: tableName, withExtension: "strings")].compactMap(\.self)
    }

    /// The language in the form that is sent to the server.
    var localeIdentifier: String { locale.identifier }

    /// The path of the bundle.
    var bundlePath: String { bundle.bundlePath }

    /// Whether the bundle contains the table.
    var hasTable: Bool { !tables.isEmpty }

    /// Returns the app's text for a key; `nil` if it has none.
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
