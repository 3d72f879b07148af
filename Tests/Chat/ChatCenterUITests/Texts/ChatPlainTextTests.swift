import Foundation
import Testing

@testable import ChatCenterUI

/// Tests that texts of other people are shown as plain text.
@Suite struct ChatPlainTextTests {
    @Test func controlCharactersAndOverridesAreRemoved() {
        #expect(ChatPlainText.body("a\u{0}b\u{1B}[31mc\u{7F}") == "ab[31mc")
        #expect(ChatPlainText.body("evil\u{202E}gpj.exe") == "evilgpj.exe")
        #expect(ChatPlainText.body("\u{2066}x\u{2069}") == "x")
        #expect(ChatPlainText.body("one\ntwo\tthree") == "one\ntwo\tthree")
        #expect(ChatPlainText.body("👨‍👩‍👧 \u{200F}שלום") == "👨‍👩‍👧 \u{200F}שלום", "joiners and direction marks stay")
        #expect(ChatPlainText.body("<b>bold</b>") == "<b>bold</b>")
    }

    @Test func longTextsAreCut() {
        let long = String(repeating: "a", count: ChatPlainText.longestBody + 1)
        #expect(ChatPlainText.body(long).count == ChatPlainText.longestBody + 1)
        #expect(ChatPlainText.body(long).hasSuffix("…"))
        let exact = String(repeating: "a", count: ChatPlainText.longestBody)
        #expect(ChatPlainText.body(exact) == exact)
        #expect(ChatPlainText.line(String(repeating: "b ", count: 1000)).count <= ChatPlainText.longestLine + 1)
    }

    @Test func namesAreOneLine() {
        #expect(ChatPlainText.line(" Ann\n\nSmith\u{2028}x ") == "Ann Smithx")
        #expect(ChatPlainText.isolated("Ann") == "\u{2068}Ann\u{2069}")
    }
}

/// Tests the links in messages.
@Suite struct ChatLinksTests {
    func links(_ text: String) -> [String] { ChatLinks.parts(of: text).compactMap { $0.url?.absoluteString } }

    @Test func onlyWebAddressesAreLinks() {
        #expect(
            links("see https://a.example/x?y=1, or HTTP://b.example.") == [
                "https://a.example/x?y=1", "HTTP://b.example",
            ])
        #expect(links("(https://a.example) «https://b.example» \"https://c.example\"").count == 3)
        #expect(links("javascript:alert(1) file:///etc/passwd tel:112 data:text/html,x https:// http:///x").isEmpty)
        #expect(links("https://a.example/עברית").count == 1)
    }

    @Test(arguments: ["", " ", "a", "https://a.example", "x https://a.example.", "\n(https://a.example)\n\nb", "\u{0}"])
    func thePartsAreTheText(text: String) {
        #expect(ChatLinks.parts(of: text).map(\.text).joined() == text)
    }

    @Test func theNumberOfLinksIsLimited() {
        let text = Array(repeating: "https://a.example", count: ChatLinks.most + 50).joined(separator: " ")
        #expect(links(text).count == ChatLinks.most)
        #expect(ChatLinks.parts(of: text).map(\.text).joined() == text)
    }

    @Test func attributesFollowTheParts() throws {
        let text = ChatLinks.attributed("a https://a.example b")
        let linked = try #require(text.runs.first { $0.link != nil })
        #expect(String(text[linked.range].characters) == "https://a.example")
        #expect(String(text.characters) == "a https://a.example b")
    }
}
