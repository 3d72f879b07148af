import ChatWire
// `PropertyListSerialization` is not in FoundationEssentials.
import Foundation

/// Reads the texts of one language from a file: a table of strings, or JSON.
///
/// In both formats, a key with a number has one entry for each plural category: `search.results#one`. In JSON, the
/// value can also be an object: `"search.results": { "one": "…", "other": "…" }`.
enum ChatTextFile {
    /// Returns the texts of a file, by key.
    static func texts(of file: URL) throws(ChatLocalizationError) -> [String: String] {
        let name = file.lastPathComponent
        let data: Data
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            data = try handle.read(upToCount: ChatLocalizationConfig.maximumFileSize + 1) ?? Data()
        } catch {
            throw ChatLocalizationError(.unreadable, in: name, "The file of texts “\(name)” cannot be read: \(error)")
        }
        guard data.count <= ChatLocalizationConfig.maximumFileSize else {
            throw ChatLocalizationError(
                .tooLarge, in: name,
                "The file of texts “\(name)” has more than \(ChatLocalizationConfig.maximumFileSize) bytes.")
        }
        let texts = file.pathExtension.lowercased() == "json" ? try json(data, name) : try table(data, name)
        return try checked(texts, name)
    }

    /// Reads a table of strings, or a property list with one level.
    private static func table(_ data: Data, _ name: String) throws(ChatLocalizationError) -> [String: String] {
        guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let texts = list as? [String: String]
        else {
            throw ChatLocalizationError(
                .malformed, in: name,
                "The file “\(name)” is not a table of strings. Each line must have the form \"key\" = \"text\";")
        }
        return texts
    }

    private static func json(_ data: Data, _ name: String) throws(ChatLocalizationError) -> [String: String] {
        let limits = JSONLimits(maximumBytes: ChatLocalizationConfig.maximumFileSize, maximumDepth: 4)
        let value: JSONValue
        do {
            value = try JSONValue(parsing: Array(data), limits: limits)
        } catch {
            throw ChatLocalizationError(.malformed, in: name, "The file “\(name)” contains \(error).")
        }
        guard let object = value.objectValue else {
            throw ChatLocalizationError(.malformed, in: name, "The file “\(name)” is not a JSON object.")
        }
        var texts: [String: String] = [:]
        for key in object.keys {
            switch object[key] {
            case .string(let text)?: texts[key] = text
            case .object(let forms)?:
                for form in forms.keys { texts[key + "#" + form] = try self.form(forms[form], of: key, name) }
            default:
                throw ChatLocalizationError(
                    .malformed, in: name, key: key, "The text of “\(key)” in “\(name)” is not a string.")
            }
        }
        return texts
    }

    private static func form(
        _ value: JSONValue?, of key: String, _ name: String
    ) throws(ChatLocalizationError) -> String {
        guard let text = value?.stringValue else {
            throw ChatLocalizationError(
                .malformed, in: name, key: key, "A plural form of “\(key)” in “\(name)” is not a string.")
        }
        return text
    }

    /// Returns the texts if they are within the limits.
    private static func checked(
        _ texts: [String: String], _ name: String
    ) throws(ChatLocalizationError) -> [String: String] {
        guard texts.count <= ChatLocalizationConfig.maximumTextCount else {
            throw ChatLocalizationError(
                .tooManyTexts, in: name,
                "The file “\(name)” has \(texts.count) texts. The limit is \(ChatLocalizationConfig.maximumTextCount).")
        }
        for (key, text) in texts.sorted(by: { $0.key < $1.key }) {
            guard text.utf8.count <= ChatLocalizationConfig.maximumTextLength else {
                throw ChatLocalizationError(
                    .textTooLong, in: name, key: key,
                    "The text of “\(key)” in “\(name)” has more than \(ChatLocalizationConfig.maximumTextLength) bytes."
                )
            }
            let parts = key.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            guard ChatPluralCategory(rawValue: String(parts[1])) != nil, texts["\(parts[0])#other"] != nil else {
                throw ChatLocalizationError(
                    .invalidPlural, in: name, key: key,
                    "The plural form “\(key)” in “\(name)” is not valid. Use zero, one, two, few, many and other; "
                        + "other is required.")
            }
        }
        return texts
    }
}
