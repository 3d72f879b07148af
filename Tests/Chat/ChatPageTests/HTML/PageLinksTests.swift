@testable import ChatPage
import Testing

/// Tests which parts of a text become links.
@Suite struct PageLinksTests {
    private func links(_ text: String) -> [String] {
        PageLinks.parts(of: text[...]).compactMap { part in
            if case .link(let link) = part { String(link) } else { nil }
        }
    }

    @Test(arguments: [
        ("See https://example.org.", ["https://example.org"]), ("HTTP://Example.org/A", ["HTTP://Example.org/A"]),
        ("(https://example.org/a_(b))", ["https://example.org/a_(b)"]),
        ("https://a.example, https://b.example!", ["https://a.example", "https://b.example"]),
        ("https://example.org/?a=b&c=<d>", ["https://example.org/?a=b&c="]),
        ("https://пример.рф/путь", ["https://пример.рф/путь"]),
        ("https://[::1]:8080/", ["https://[::1]:8080/"]),
    ])
    func texts(text: String, expected: [String]) {
        #expect(links(text) == expected)
    }

    @Test(arguments: [
        "no link", "javascript:alert(1)", "data:text/html,x", "https://", "https:///path", "https://:80",
        "ftp://example.org",
        "https://bank.example@evil.example/", "https://bank.example\\@evil.example", "xhttps://example.org",
        "http:/example.org",
    ])
    func noLinks(text: String) {
        #expect(links(text) == [])
        #expect(!PageLinks.isSafe(text))
    }

    @Test func theLengthOfALinkIsLimited() {
        let longest = "https://example.org/" + String(repeating: "a", count: PageLinks.longest - 20)
        #expect(links(longest) == [longest])
        #expect(links(longest + "a") == [])
    }

    @Test func thePartsAreTheText() {
        let text = "a https://b.example/c, d\nhttp://e h"
        let joined = PageLinks.parts(of: text[...]).map { part in
            switch part {
            case .text(let text), .link(let text): String(text)
            }
        }
        #expect(joined.joined() == text)
        #expect(joined.count == 5)
    }

    @Test func aURLWithOtherCharactersIsNotSafe() {
        #expect(PageLinks.isSafe("https://example.org/shop?x=1."))
        #expect(!PageLinks.isSafe("https://example.org/ x"))
        #expect(!PageLinks.isSafe("https://example.org/\u{202E}x"))
        #expect(!PageLinks.isSafe(" https://example.org"))
    }
}
