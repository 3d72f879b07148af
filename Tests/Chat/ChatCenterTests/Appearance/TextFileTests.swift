import Foundation
import Testing

@testable import ChatCenter

/// Texts of other languages from a file.
@Suite struct TextFileTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    }

    private func file(_ name: String, _ text: String) throws -> URL {
        let url = folder.url.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        return url
    }

    private func config(_ name: String, _ text: String, _ locale: String) throws -> ChatLocalizationConfig {
        try ChatLocalizationConfig(file: try file(name, text), locale: Locale(identifier: locale))
    }

    private func wording(_ config: ChatLocalizationConfig?, system: String = "en_US") -> ChatWording {
        ChatWording(config, system: Locale(identifier: system))
    }

    /// The same texts in both formats.
    static let polish = [
        (
            "pl.json",
            #"{"input.send":"Wyślij","search.results":{"one":"{count} wynik","few":"{count} wyniki","many":"{count} wyników","other":"{count} wyniku"},"own.key":"x"}"#
        ),
        (
            "pl.strings",
            #"""
            /* Texts */
            "input.send" = "Wyślij";
            "search.results#one" = "{count} wynik";
            "search.results#few" = "{count} wyniki";
            "search.results#many" = "{count} wyników";
            "search.results#other" = "{count} wyniku";
            """#
        ),
    ]

    @Test("file gives the texts and plural forms of another language, and missing texts are English", arguments: polish)
    func languages(name: String, text: String) throws {
        let config = try config(name, text, "pl_PL")
        let wording = wording(config)
        #expect(wording.language.tag == "pl-PL" && !wording.language.isRightToLeft)
        #expect(wording.text(.inputSend) == "Wyślij")
        #expect(
            [1, 2, 5, 22].map { wording.text(.searchResults, count: $0) } == [
                "1 wynik", "2 wyniki", "5 wyników", "22 wyniki",
            ])
        #expect(wording.text(.chatUnread, count: 2) == "2 unread messages", "the built-in text has English rules")
        #expect(wording.text(.inputPlaceholder) == "Message")
        #expect(!config.missingKeys.contains(.inputSend) && config.missingKeys.contains(.inputPlaceholder))
        #expect(config.hasTable && config.problem == nil)
    }

    @Test("all texts for a page outside the process have one entry for each plural form")
    func all() throws {
        let polish = wording(try config("pl.json", Self.polish[0].1, "pl")).all
        #expect(polish["search.results#few"] == "{count} wyniki" && polish["search.results"] == nil)
        // A reader with Polish rules asks for "many" and gets the English form for such numbers.
        #expect(polish["chat.unread#many"] == "{count} unread messages")
        #expect(polish["chat.unread#one"] == "{count} unread message")
        let russian = wording(nil, system: "ru_RU")
        #expect(russian.all["chat.unread#few"] == "{count} непрочитанных сообщения")
        #expect(russian.text(.chatUnread, count: 21) == "21 непрочитанное сообщение")
        #expect(russian.language.tag == "ru-RU")
        let plain = Set(ChatTextKey.allCases.filter { !$0.isPlural }.map(\.rawValue))
        #expect(plain.isSubset(of: russian.all.keys))
        let plurals = ChatTextKey.allCases.filter(\.isPlural).map { $0.rawValue + "#other" }
        #expect(plurals.allSatisfy { russian.all[$0] != nil && polish[$0] != nil })
    }

    @Test("texts without a table are English, and so is the language that a screen reader is told")
    func fallback() throws {
        #expect(wording(nil, system: "ar_EG").language.tag == "en")
        #expect(wording(nil, system: "en_001").language.tag == "en")
        #expect(wording(nil, system: "ar_EG").text(.copy) == "Copy")
        let arabic = wording(try config("ar.json", #"{"menu.copy_title":"نسخ"}"#, "ar_EG"))
        #expect(arabic.language.isRightToLeft && arabic.text(.copy) == "نسخ")
    }

    @Test("a text without plural forms is used for every number")
    func withoutForms() throws {
        let wording = wording(try config("x.json", #"{"search.results":"Found: {count}"}"#, "de"))
        #expect(wording.text(.searchResults, count: 1) == "Found: 1")
        #expect(wording.text(.searchResults) == "Found: {count}")
        #expect(wording.text(.copy, count: 4) == "Copy")
    }

    @Test(
        "unusable files have an error with their reason",
        arguments: [
            ("x.json", "[]", "malformed"), ("x.json", "{", "malformed"), ("x.json", #"{"a":1}"#, "malformed"),
            ("x.json", #"{"a":{"one":2,"other":"x"}}"#, "malformed"), ("x.strings", "{{{{", "malformed"),
            ("x.json", #"{"a":{"one":"x"}}"#, "invalidPlural"),
            ("x.json", ##"{"a#most":"x","a#other":"x"}"##, "invalidPlural"),
            ("x.json", #"{"a":"\#(String(repeating: "x", count: 10_001))"}"#, "textTooLong"),
            ("x.json", String(repeating: " ", count: ChatLocalizationConfig.maximumFileSize) + "{}", "tooLarge"),
            ("x.json", "{" + (0...2000).map { #""k\#($0)":"x""# }.joined(separator: ",") + "}", "tooManyTexts"),
        ])
    func refused(name: String, text: String, code: String) throws {
        let url = try file(name, text)
        let error = #expect(throws: ChatLocalizationError.self) {
            _ = try ChatLocalizationConfig(file: url, locale: Locale(identifier: "en"))
        }
        #expect(error?.code.rawValue == code)
        #expect(error?.reason.contains(name) == true && error?.file == name)
    }

    @Test("a file that does not exist cannot be read")
    func absent() {
        let error = #expect(throws: ChatLocalizationError.self) {
            let url = folder.url.appendingPathComponent("absent.strings")
            _ = try ChatLocalizationConfig(file: url, locale: Locale(identifier: "en"))
        }
        #expect(error?.code == .unreadable)
    }

    @Test("a table of a bundle that exceeds a limit is reported and not used")
    func bundle() throws {
        let url = folder.url.appendingPathComponent("Texts.bundle")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let long = String(repeating: "x", count: 10_001)
        try Data("\"menu.copy_title\" = \"\(long)\";".utf8).write(to: url.appendingPathComponent("Chat.strings"))
        let config = ChatLocalizationConfig(
            bundle: try #require(Bundle(path: url.path)), tableName: "Chat", locale: Locale(identifier: "en"))
        #expect(config.problem?.code == .textTooLong)
        #expect(wording(config).text(.copy) == "Copy")
    }
}
