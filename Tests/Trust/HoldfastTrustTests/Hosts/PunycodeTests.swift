import HoldfastTestSupport
import Testing

@testable import HoldfastTrust

@Suite("Punycode")
struct PunycodeTests {
    @Test(
        "the samples of RFC 3492, 7.1",
        arguments: [
            ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"),
            ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
            ("他們爲什麽不說中文", "ihqwctvzc91f659drss3x8bo0yb"),
            ("Pročprostěnemluvíčesky", "Proprostnemluvesky-uyb24dma41a"),
            ("למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
            ("3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"),
            ("安室奈美恵-with-SUPER-MONKEYS", "-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n"),
            ("Hello-Another-Way-それぞれの場所", "Hello-Another-Way--fc4qua05auwb3674vfr0b"),
            ("ひとつ屋根の下2", "2-u9tlzr9756bt3uc0v"),
            ("MajiでKoiする5秒前", "MajiKoi5-783gue6qz075azm5e"),
            ("パフィーdeルンバ", "de-jg4avhby1noc0d"),
            ("そのスピードで", "d9juau41awczczp"),
        ])
    func samples(text: String, encoded: String) {
        #expect(Punycode.encode(Array(text.unicodeScalars)) == encoded)
        #expect(Punycode.decode(Array(encoded.utf8)) == Array(text.unicodeScalars))
    }

    @Test("refuses invalid Punycode", arguments: ["é", "a!", "zzzzzzzzzzzz", "99999999", "b", "-é", "\u{7f}"])
    func malformed(encoded: String) {
        #expect(Punycode.decode(Array(encoded.utf8)) == nil)
    }

    @Test("refuses code points above U+10FFFF and surrogates")
    func outOfRange() throws {
        // "9999999" fits in 32 bits but exceeds U+10FFFF.
        #expect(Punycode.decode(Array("9999999".utf8)) == nil)
        #expect(Punycode.encode(["\u{10ffff}"]).flatMap { Punycode.decode(Array($0.utf8)) } == ["\u{10ffff}"])
        // The encoding of U+D7FF, and the next number.
        #expect(Punycode.encode(["\u{d7ff}"]) == "hb9b")
        #expect(Punycode.decode(Array("hb9b".utf8)) == ["\u{d7ff}"])
        #expect(Punycode.decode(Array("ib9b".utf8)) == nil)
    }

    @Test("random text is read back after encoding", arguments: [1] as [UInt64])
    func roundTrip(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let scalars = (0..<Int.random(in: 1...40, using: &random)).map { _ -> Unicode.Scalar in
                let limit: UInt32 = [0x7f, 0x24f, 0xd7ff, 0x10ffff].randomElement(using: &random) ?? 0x7f
                return Unicode.Scalar(UInt32.random(in: 0...limit, using: &random)) ?? "x"
            }
            let encoded = Punycode.encode(scalars)
            #expect(encoded.flatMap { Punycode.decode(Array($0.utf8)) } == scalars)
        }
    }
}
