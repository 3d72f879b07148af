import HoldfastTestSupport
import HoldfastTrust
import Testing

@Suite("Refused hosts")
struct RefusedHostTests {
    @Test(
        "reports the reason",
        arguments: [
            ("", .empty),
            (".", .emptyLabel),
            ("..", .emptyLabel),
            (".example.com", .emptyLabel),
            ("example..com", .emptyLabel),
            ("example.com..", .emptyLabel),
            ("\u{3002}example.com", .emptyLabel),
            ("%2Eexample.com", .emptyLabel),
            // Percent-encoding.
            ("ex%6", .invalidPercentEncoding),
            ("ex%", .invalidPercentEncoding),
            ("ex%zz.com", .invalidPercentEncoding),
            ("ex%+1.com", .invalidPercentEncoding),
            ("%C3.com", .invalidPercentEncoding),
            ("%ED%A0%80.com", .invalidPercentEncoding),
            ("%C0%AE.com", .invalidPercentEncoding),
            ("%2561.com", .forbiddenCharacter),
            // Characters with a special meaning in URLs, shells and logs.
            ("user@example.com", .forbiddenCharacter),
            ("example.com/", .forbiddenCharacter),
            ("example.com%2F.evil.test", .forbiddenCharacter),
            ("example.com?x", .forbiddenCharacter),
            ("example.com#x", .forbiddenCharacter),
            ("example.com\\x", .forbiddenCharacter),
            ("example.com\0.evil.test", .forbiddenCharacter),
            ("example.com%00", .forbiddenCharacter),
            (" example.com", .forbiddenCharacter),
            ("exam\nple.com", .forbiddenCharacter),
            ("exam\tple.com", .forbiddenCharacter),
            ("*.example.com", .forbiddenCharacter),
            ("a,b", .forbiddenCharacter),
            ("ex\u{7f}.com", .forbiddenCharacter),
            ("é%20.com", .forbiddenCharacter),
            ("é*.com", .forbiddenCharacter),
            ("%5B::1]", .zoneIdentifier),
            ("%5B%3A%3A1%5D", .forbiddenCharacter),
            // IPv4.
            ("256.1.1.1", .invalidIPv4),
            ("1.2.3.4.5", .invalidIPv4),
            ("4294967296", .invalidIPv4),
            ("99999999999999999999999999", .invalidIPv4),
            ("0xffffffffffffffffffff", .invalidIPv4),
            ("1.2.3.08", .invalidIPv4),
            ("1.2.3.0x100", .invalidIPv4),
            ("example.1", .invalidIPv4),
            ("example.0x7f", .invalidIPv4),
            ("1.2.3.4.0x", .invalidIPv4),
            ("0x7g.1", .invalidIPv4),
            ("-1.1", .invalidIPv4),
            ("1.256.1", .invalidIPv4),
            ("1.16777216", .invalidIPv4),
            // IPv6.
            ("example.com:443", .invalidIPv6),
            ("127.0.0.1:80", .invalidIPv6),
            ("[::1]:443", .invalidIPv6),
            ("[::1", .invalidIPv6),
            ("::1]", .invalidIPv6),
            ("[]", .invalidIPv6),
            ("[", .invalidIPv6),
            ("[1.2.3.4]", .invalidIPv6),
            ("[example.com]", .invalidIPv6),
            ("[[::1]]", .invalidIPv6),
            ("[v1.fe80::a+en1]", .invalidIPv6),
            (":", .invalidIPv6),
            (":::", .invalidIPv6),
            ("::1::", .invalidIPv6),
            ("1:2:3:4:5:6:7", .invalidIPv6),
            ("1:2:3:4:5:6:7:8:9", .invalidIPv6),
            ("1:2:3:4::5:6:7:8", .invalidIPv6),
            ("::12345", .invalidIPv6),
            ("::g", .invalidIPv6),
            ("::+1", .invalidIPv6),
            ("1:", .invalidIPv6),
            (":1:2:3:4:5:6:7", .invalidIPv6),
            ("::1.2.3", .invalidIPv6),
            ("::1.2.3.04", .invalidIPv6),
            ("::1.2.3.256", .invalidIPv6),
            ("::1.2.3.4:5", .invalidIPv6),
            ("1.2.3.4::", .invalidIPv6),
            ("::1.", .invalidIPv6),
            ("fe80::1%eth0", .zoneIdentifier),
            ("[fe80::1%25eth0]", .zoneIdentifier),
            ("[fe80::1%]", .zoneIdentifier),
            // A-labels.
            ("xn--", .invalidPunycode),
            ("xn--a", .disallowedCodePoint),
            ("xn---", .invalidPunycode),
            ("xn--example-.com", .invalidPunycode),
            ("xn--99999999.com", .invalidPunycode),
            ("xn--a-ecp.ru.", .disallowedCodePoint),
            ("xn--é.com", .invalidPunycode),
            // The encodings of "bÜcher" and of "bu" + combining diaeresis without normalization.
            // The DNS treats them as other hosts, but they look the same.
            ("xn--bcher-2pa.example", .invalidPunycode),
            ("xn--bucher-xyd.example", .invalidPunycode),
            // Characters outside of ASCII.
            ("\u{301}a.com", .disallowedCodePoint),
            ("\u{ff45}xample.com", .disallowedCodePoint),
            ("\u{ff11}\u{ff12}\u{ff17}.0.0.1", .disallowedCodePoint),
            ("ﬁ.com", .disallowedCodePoint),
            ("①.com", .disallowedCodePoint),
            ("exam\u{ad}ple.com", .disallowedCodePoint),
            ("exam\u{200b}ple.com", .disallowedCodePoint),
            ("exam\u{200c}ple.com", .disallowedCodePoint),
            ("exam\u{200d}ple.com", .disallowedCodePoint),
            ("\u{200d}a.com", .disallowedCodePoint),
            ("exam\u{2060}ple.com", .disallowedCodePoint),
            ("\u{202e}moc.com", .disallowedCodePoint),
            ("exam\u{feff}ple.com", .disallowedCodePoint),
            ("example.com\u{2044}evil.test", .disallowedCodePoint),
            ("example.com\u{2215}evil.test", .disallowedCodePoint),
            ("example.com\u{ff0f}evil.test", .disallowedCodePoint),
            ("a\u{a0}b.com", .disallowedCodePoint),
            ("a\u{3000}b.com", .disallowedCodePoint),
            ("a\u{2024}com", .disallowedCodePoint),
            ("a\u{2026}com", .disallowedCodePoint),
            ("a\u{2028}b.com", .disallowedCodePoint),
            ("a\u{e000}.com", .disallowedCodePoint),
            ("a\u{fffd}.com", .disallowedCodePoint),
            ("a\u{ffff}.com", .disallowedCodePoint),
            ("a\u{fe0f}.com", .disallowedCodePoint),
            ("a\u{e0041}.com", .disallowedCodePoint),
            ("\u{1100}.kr", .disallowedCodePoint),
            ("a\u{20dd}.com", .disallowedCodePoint),
            ("\u{f900}.jp", .disallowedCodePoint),
        ] as [(String, HostError.Code)])
    func refused(spelling: String, code: HostError.Code) {
        let error = error(of: spelling)
        #expect(error?.code == code)
        #expect(error?.spelling == spelling)
    }

    @Test("refuses labels and names that are one byte too long")
    func tooLong() throws {
        let label = String(repeating: "a", count: 63)
        #expect(code(of: label + "a.test") == .labelTooLong)
        #expect(code(of: [label, label, label, label].joined(separator: ".")) == .tooLong)
        // There are 57 characters before the encoded rest. The A-label exceeds 63 bytes, but the spelling does not.
        #expect(code(of: String(repeating: "a", count: 57) + "ü.test") == .labelTooLong)
        #expect(code(of: String(repeating: "ü", count: 300) + ".test") == .labelTooLong)
        #expect(code(of: "xn--" + String(repeating: "a", count: 3_000) + ".test") == .labelTooLong)
        #expect(code(of: String(repeating: "a.", count: 2_049)) == .tooLong)
        #expect(code(of: "a" + String(repeating: "\u{301}", count: 2_000)) == .labelTooLong)
    }

    @Test("a reason cannot forge a log line, and is short")
    func reasons() throws {
        let forged = try #require(error(of: "a\r\nlevel=error \u{202e}\"b\u{1b}[2K"))
        #expect(forged.reason.unicodeScalars.allSatisfy { ("\u{20}"..."\u{7e}").contains($0) })
        #expect(forged.reason.contains(#"\u{d}\u{a}level=error \u{202e}\"b\u{1b}[2K"#))
        let long = try #require(error(of: String(repeating: "x", count: 100_000)))
        #expect(long.reason.count < 250)
        #expect(error(of: "grün\u{2215}.de")?.reason.contains("has U+2215, which is not allowed") == true)
    }

    private func error(of spelling: String) -> HostError? {
        do throws(HostError) {
            _ = try CanonicalHost(spelling)
            return nil
        } catch {
            return error
        }
    }

    private func code(of spelling: String) -> HostError.Code? { error(of: spelling)?.code }
}
