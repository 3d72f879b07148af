@testable import ChatPage
import Testing

/// Tests that no text becomes markup, and that no text controls the text around it.
@Suite struct HTMLWriterTests {
    private func html(_ body: (inout HTMLWriter) -> Void) -> String {
        var writer = HTMLWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func textsAreEscaped() {
        #expect(
            html { $0.text(#"<script>alert("1" & '2')</script>"#) }
                == "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;")
    }

    @Test func attributesAreEscaped() {
        #expect(
            html { $0.element("p", ["class": nil, "title": "\"><img src=x>", "hidden": ""]) }
                == #"<p title="&quot;&gt;&lt;img src=x&gt;" hidden=""></p>"#)
    }

    @Test func elementsNest() {
        let result = html { html in
            html.element("ul") { html in
                for name in ["a", "b"] { html.element("li", text: name) }
            }
        }
        #expect(result == "<ul><li>a</li><li>b</li></ul>")
    }

    @Test(arguments: [
        ("plain", "plain"), ("a\r\nb\rc\u{2028}d\u{85}e", "a\nb\nc\nd\ne"),
        ("\u{0}\u{7}\u{1B}", "\u{2400}\u{2407}\u{241B}"),
        ("\u{7F}\u{9F}", "\u{2421}\u{FFFD}"), ("\u{202E}gnp.exe\u{202C}", "\u{FFFD}gnp.exe\u{FFFD}"),
        ("\u{2066}x\u{2069}", "\u{FFFD}x\u{FFFD}"), ("\u{FFF9}", "\u{FFFD}"),
        // These characters are needed in Arabic, in Persian and in emoji.
        ("\u{200E}\u{200F}\u{200C}\u{200D}", "\u{200E}\u{200F}\u{200C}\u{200D}"), ("tab\there", "tab\there"),
    ])
    func charactersThatControlTextAreVisible(text: String, shown: String) {
        #expect(SafeText.cleaned(text) == shown)
    }

    @Test func aLongTextIsFolded() {
        let text = String(repeating: "a", count: SafeText.longest)
        #expect(SafeText.folded(text).rest == nil)
        let longer = SafeText.folded(text + "bc")
        #expect(longer.shown.utf16.count == SafeText.longest)
        #expect(longer.rest == "bc")
    }

    @Test func foldingDoesNotSplitACharacterInTwo() {
        let text = String(repeating: "a", count: SafeText.longest - 1) + "😀b"
        let (shown, rest) = SafeText.folded(text)
        #expect(String(shown) + String(rest ?? "") == text)
        #expect(rest == "😀b")
    }

    @Test func aPathSegmentCannotLeaveItsPlace() {
        #expect("../a b?c#d%é".pathSegment == "..%2Fa%20b%3Fc%23d%25%C3%A9")
        #expect("0b6e-_.~Z".pathSegment == "0b6e-_.~Z")
    }
}
