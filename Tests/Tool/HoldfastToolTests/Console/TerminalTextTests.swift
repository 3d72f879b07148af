import HoldfastBase
import Testing

@testable import HoldfastTool

@Suite("Tool: foreign text on a terminal")
struct TerminalTextTests {
    /// Emoji with joiners and a flag of tag characters, Persian with non-joiners, Hebrew and Arabic with direction
    /// marks.
    @Test(arguments: [
        "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽", "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
        "می‌خواهم نامه‌ای بنویسم", "שלום\u{200F}!", "\u{061C}السلام", "नमस्ते क्‍ष", "a\tb", "1 000,00 €",
    ])
    func ordinaryTextIsUnchanged(_ text: String) {
        #expect(TerminalText.lines(text, limit: .max).lines == [text])
        #expect(TerminalSafety.json(text) == text)
    }

    @Test(arguments: [
        ("\u{1B}[2J", "\\u{1b}[2J"), ("\u{9B}2J", "\\u{9b}2J"), ("\u{7F}", "\\u{7f}"), ("\u{8}", "\\u{8}"),
        ("\u{0}", "\\u{0}"), ("\u{202A}a", "\\u{202a}a"), ("\u{202E}a", "\\u{202e}a"), ("\u{2066}a", "\\u{2066}a"),
        ("\u{2069}", "\\u{2069}"), ("\u{2028}", "\\u{2028}"), ("\u{2029}", "\\u{2029}"), ("\u{85}", "\\u{85}"),
    ])
    func controlCharactersAreEscaped(_ text: String, _ shown: String) {
        #expect(TerminalText.lines(text, limit: .max).lines == [shown])
        #expect(TerminalSafety.json(text) != text)
    }
}
