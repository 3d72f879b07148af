import Foundation
import Testing

@testable import ChatCenter

/// The built-in texts, the plural rules and the languages. Nothing here uses the process-wide configuration.
@Suite struct TextTests {
    @Test("every key has a text in both languages, with {count} exactly where a number belongs")
    func builtIn() {
        for key in ChatTextKey.allCases {
            let (english, russian) = (key.builtIn(russian: false), key.builtIn(russian: true))
            #expect(english != russian, "\(key)")
            for text in Array(english.values) + Array(russian.values) {
                #expect(!text.isEmpty && text != key.rawValue && text.contains("{count}") == key.isPlural, "\(key)")
            }
            #expect(Set(english.keys) == (key.isPlural ? [.one, .other] : [.other]), "\(key)")
            #expect(Set(russian.keys) == (key.isPlural ? [.one, .few, .many, .other] : [.other]), "\(key)")
        }
    }

    @Test("the pages with the keys list each key with both texts, and mark Holdfast's own")
    func page() throws {
        let pages = [
            "Sources/Chat/ChatCenter/Documentation.docc/Text-Keys.md",
            "Sources/Servers/ChatPageServer/Documentation.docc/Server-Texts.md",
        ]
        func shown(_ forms: [ChatPluralCategory: String]) -> String {
            ChatPluralCategory.allCases.compactMap { forms[$0] }.joined(separator: " / ")
        }
        for (page, isOfTheServer) in zip(pages, [false, true]) {
            let rows = try Documents.rows(of: page).filter { $0.count == 4 && $0[0].hasPrefix("`") }
            let keys = ChatTextKey.allCases.filter { $0.rawValue.hasPrefix("server.") == isOfTheServer }
            let expected = keys.map { key in
                [
                    "`\(key.rawValue)`", shown(key.builtIn(russian: false)), shown(key.builtIn(russian: true)),
                    key.isDocumented ? "" : "own",
                ]
            }
            #expect(!expected.isEmpty)
            #expect(rows.count == expected.count, "\(page)")
            for (row, wanted) in zip(rows, expected) { #expect(row == wanted, "\(page)") }
        }
    }

    @Test("the page on texts lists the keys that no screen shows, and only these")
    func keysWithoutEffect() throws {
        let web = try Documents.text(in: "Sources/Chat/ChatPage", with: ["swift", "js"], without: "PageContents")
        let folders = ["Sources/Chat/ChatCenter", "Sources/Chat/ChatCenterUI", "Sources/Servers/ChatPageServer"]
        let code = try folders.map { try Documents.text(in: $0, with: ["swift"], without: "ChatTextKey") }.joined()
        // Swift code uses the name of the case. The page uses the key, or joins it from its group and its last word.
        let words = Set(
            code.split { !($0.isLetter || $0.isNumber || $0 == "." || $0 == "_") }.flatMap { word in
                word.split(separator: ".", omittingEmptySubsequences: false).dropFirst().map(String.init)
            })
        func isShown(_ key: ChatTextKey) -> Bool {
            let name = key.rawValue
            let end = name.lastIndex(of: ".") ?? name.startIndex
            let isJoined = web.contains("\"\(name[...end])\"") && web.contains("\"\(name[name.index(after: end)...])\"")
            return words.contains("\(key)") || web.contains("\"\(name)\"") || isJoined
        }
        let page = "Sources/Chat/ChatCenter/Documentation.docc/Texts.md"
        let rows = try Documents.rows(of: page).filter { $0.count == 2 && $0[0].hasPrefix("`") }
        let listed = rows.map { $0[0].filter { $0 != "`" } }
        #expect(rows.allSatisfy { !$0[1].isEmpty })
        #expect(listed == ChatTextKey.allCases.filter { !isShown($0) }.map(\.rawValue))
    }

    @Test(
        "the texts that the page of the chat uses exist",
        arguments: [
            "action.retry", "banner.next_attempt", "chat.unread", "date.today", "empty_chat.text", "input.placeholder",
            "message.status.queued", "message.unread_divider", "search.results", "security.pinned", "survey.thumb_up",
            "message.voice_transcript_pending", "banner.server_silent", "menu.copy_title",
        ])
    func pageTexts(name: String) {
        #expect(ChatTextKey(rawValue: name) != nil)
    }

    @Test(
        "plural categories are those of CLDR",
        arguments: [
            ("en", "one:1 other:0,2,5,11,21,100"),
            ("ru", "one:1,21,101 few:2,3,4,22,104 many:0,5,11,12,14,19,111,1000"),
            ("uk", "one:1,31 few:2,24 many:0,5,11,14,25"),
            ("pl", "one:1 few:2,3,4,22,104 many:0,5,11,12,21,25,112"),
            ("cs", "one:1 few:2,3,4 other:0,5,11,22"),
            ("ar", "zero:0 one:1 two:2 few:3,10,103,110 many:11,26,99,111 other:100,101,102,200"),
            ("he", "one:1 two:2 other:0,3,10,20,22"), ("iw", "one:1 two:2 other:3"),
            ("fr", "one:0,1 many:1000000,2000000 other:2,17,100"),
            ("pt-BR", "one:0,1 other:2"), ("pt_PT", "one:1 other:0,2"),
            ("es", "one:1 many:1000000 other:0,2"), ("ja", "other:0,1,2"), ("zh-Hans-CN", "other:1"),
            ("de", "one:1 other:0,2"), ("lt", "one:1,21 few:2,9,22 other:0,10,11,19"),
            ("lv", "zero:0,10,11,19 one:1,21 other:2,22"), ("ro", "one:1 few:0,2,19,101 other:20,100"),
            ("sl", "one:1,101 two:2,102 few:3,4 other:0,5"), ("cy", "zero:0 one:1 two:2 few:3 many:6 other:4,5,7"),
            ("hr", "one:1,21 few:2,24 other:0,5,11"), ("hi", "one:0,1 other:2"), ("is", "one:1,21 other:11,2"),
            ("tlh", "one:1 other:0,2"), ("", "one:1 other:2"),
        ])
    func plurals(language: String, expected: String) {
        for part in expected.split(separator: " ") {
            let halves = part.split(separator: ":")
            for number in halves[1].split(separator: ",").compactMap({ Int($0) }) {
                #expect(ChatPluralCategory(number, language: language).rawValue == halves[0], "\(language) \(number)")
                #expect(ChatPluralCategory(-number, language: language).rawValue == halves[0])
            }
        }
        #expect(ChatPluralCategory(.min, language: language) == ChatPluralCategory(.min, language: language))
    }

    @Test(
        "languages from tags and identifiers",
        arguments: [
            ("ar", "ar", true), ("ar_EG@calendar=islamic", "ar-EG", true), ("he-IL", "he", true), ("iw_IL", "he", true),
            ("fa", "fa", true), ("ur-PK", "ur", true), ("az-Arab", "az-Arab", true), ("pa_arab_pk", "pa-Arab", true),
            ("en_GB", "en-GB", false), ("zh-Hans-CN", "zh-Hans", false), ("ar-Latn", "ar-Latn", false),
            ("es-419", "es-419", false), ("", "en", false), ("C.UTF-8", "en", false), ("x\"><script>", "en", false),
            ("ru-\"><script>", "ru", false),
        ])
    func languages(identifier: String, tag: String, isRightToLeft: Bool) {
        let language = ChatLanguage(identifier)
        #expect(language.tag.hasPrefix(tag))
        #expect(language.isRightToLeft == isRightToLeft)
        #expect(language.tag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
    }
}
