import HoldfastTrust
import Testing

@Suite("Canonical hosts")
struct CanonicalHostTests {
    @Test(
        "names",
        arguments: [
            ("example.com", "example.com"),
            ("EXAMPLE.com", "example.com"),
            ("example.com.", "example.com"),
            ("localhost", "localhost"),
            ("a", "a"),
            ("1a.b2", "1a.b2"),
            ("_service._tcp.example.com", "_service._tcp.example.com"),
            ("r3---sn-4g5e6nz7.googlevideo.com", "r3---sn-4g5e6nz7.googlevideo.com"),
            ("-a-.example.com", "-a-.example.com"),
            // Percent-encoding, which `URL.host()` does not decode.
            ("ex%61mple.com", "example.com"),
            ("EX%41MPLE%2Ecom%2e", "example.com"),
            ("b%C3%BCcher.example", "xn--bcher-kva.example"),
            ("b%c3%bccher.example", "xn--bcher-kva.example"),
            // Full stops of East Asian scripts.
            ("example\u{3002}com", "example.com"),
            ("example\u{ff0e}com\u{ff61}", "example.com"),
            ("example%E3%80%82com", "example.com"),
            // Labels with characters outside of ASCII.
            ("bücher.example", "xn--bcher-kva.example"),
            ("BÜCHER.example", "xn--bcher-kva.example"),
            ("bu\u{308}cher.example", "xn--bcher-kva.example"),
            ("BU\u{308}CHER.example", "xn--bcher-kva.example"),
            ("xn--bcher-kva.example", "xn--bcher-kva.example"),
            ("XN--BCHER-KVA.EXAMPLE", "xn--bcher-kva.example"),
            ("faß.de", "xn--fa-hia.de"),
            ("fa\u{1e9e}.de", "xn--fa-hia.de"),
            ("βόλος.com", "xn--nxasmm1c.com"),
            ("почта.рф", "xn--80a1acny.xn--p1ai"),
            ("ПОЧТА.РФ", "xn--80a1acny.xn--p1ai"),
            ("日本語。テスト", "xn--wgv71a119e.xn--zckzah"),
            ("l·l.cat", "xn--ll-0ea.cat"),
            ("☃.net", "xn--n3h.net"),
            ("i❤.ws", "xn--i-7iq.ws"),
            ("한국.kr", "xn--3e0b707e.kr"),
            ("\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}.kr", "xn--3e0b707e.kr"),
            // Three spellings of a with circumflex and dot below, with a different order of the marks.
            ("ậ.vn", "xn--zkg.vn"),
            ("a\u{302}\u{323}.vn", "xn--zkg.vn"),
            ("\u{e2}\u{323}.vn", "xn--zkg.vn"),
            ("a\u{323}\u{302}.vn", "xn--zkg.vn"),
            // The Kelvin sign is equivalent to k, and the Ångström sign to å.
            ("\u{212a}elvin.test", "kelvin.test"),
            ("\u{212b}.test", "xn--5ca.test"),
            // Joiners in scripts that need them.
            ("نامه\u{200c}ای.com", "xn--mgba3gch31f060k.com"),
            ("xn--mgba3gch31f060k.com", "xn--mgba3gch31f060k.com"),
            ("ශ්\u{200d}රී.com", "xn--10cl1a0b660p.com"),
        ])
    func names(spelling: String, expected: String) throws {
        let host = try CanonicalHost(spelling)
        #expect(host.text == expected)
        #expect(host.kind == .name)
        #expect(host.description == expected)
        #expect(!host.isIPLiteral)
    }

    @Test(
        "IPv4 addresses by the rules of getaddrinfo and the WHATWG",
        arguments: [
            ("127.0.0.1", "127.0.0.1"),
            ("127.0.0.1.", "127.0.0.1"),
            ("127.1", "127.0.0.1"),
            ("127.0.1", "127.0.0.1"),
            ("0x7f.1", "127.0.0.1"),
            ("0X7F.1", "127.0.0.1"),
            ("0x7f000001", "127.0.0.1"),
            ("2130706433", "127.0.0.1"),
            ("0177.0.0.01", "127.0.0.1"),
            ("017700000001", "127.0.0.1"),
            ("%31%32%37.0.0.1", "127.0.0.1"),
            ("127\u{3002}0\u{3002}0\u{3002}1", "127.0.0.1"),
            ("0", "0.0.0.0"),
            ("0x", "0.0.0.0"),
            ("0x.0x.0", "0.0.0.0"),
            ("255.255.255.255", "255.255.255.255"),
            ("4294967295", "255.255.255.255"),
            ("1.2.772", "1.2.3.4"),
            ("1.2.3.", "1.2.0.3"),
            ("1.131844", "1.2.3.4"),
            ("192.0.2.7", "192.0.2.7"),
        ])
    func ipv4(spelling: String, expected: String) throws {
        let host = try CanonicalHost(spelling)
        #expect(host.text == expected)
        #expect(host.kind == .ipv4(expected.split(separator: ".").compactMap { UInt8($0) }))
        #expect(host.isIPLiteral)
    }

    @Test(
        "IPv6 addresses in the shortest form",
        arguments: [
            ("::1", "::1"),
            ("[::1]", "::1"),
            ("::", "::"),
            ("0:0:0:0:0:0:0:1", "::1"),
            ("2001:DB8::A", "2001:db8::a"),
            ("2001:0db8:0000:0000:0000:0000:0000:000a", "2001:db8::a"),
            ("[2001:db8:0:1:1:1:1:1]", "2001:db8:0:1:1:1:1:1"),
            ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
            ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
            ("fe80::", "fe80::"),
            ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
            ("::192.0.2.33", "::c000:221"),
            ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
        ])
    func ipv6(spelling: String, expected: String) throws {
        let host = try CanonicalHost(spelling)
        #expect(host.text == expected)
        guard case .ipv6(let bytes) = host.kind else {
            Issue.record("\(spelling) became \(host.kind)")
            return
        }
        #expect(bytes.count == 16)
    }

    @Test("the bytes of an IPv6 address are in network byte order")
    func ipv6Bytes() throws {
        #expect(
            try CanonicalHost("2001:db8::fffe").kind
                == .ipv6([0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xfe]))
    }

    @Test(
        "an IPv4-mapped IPv6 address equals the IPv4 address",
        arguments: ["::ffff:192.0.2.7", "[::FFFF:c000:207]", "0:0:0:0:0:ffff:192.0.2.7"])
    func mapped(spelling: String) throws {
        let host = try CanonicalHost(spelling)
        #expect(host == (try CanonicalHost("192.0.2.7")))
        #expect(host.kind == .ipv4([192, 0, 2, 7]))
    }

    @Test(
        "loopback",
        arguments: [
            ("localhost", true), ("LOCALHOST.", true), ("a.localhost", true), ("127.0.0.1", true),
            ("127.255.1.2", true), ("0x7f.1", true), ("::1", true), ("[::ffff:127.0.0.1]", true),
            ("localhost.example", false), ("notlocalhost", false), ("128.0.0.1", false), ("0.0.0.0", false),
            ("::2", false), ("::", false), ("1::1", false), ("127.example", false),
        ])
    func loopback(spelling: String, expected: Bool) throws {
        #expect(try CanonicalHost(spelling).isLoopback == expected)
    }

    @Test("accepts the longest label and the longest name")
    func longest() throws {
        let label = String(repeating: "a", count: 63)
        let name = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
        #expect(name.utf8.count == 253)
        #expect(try CanonicalHost(name + ".").text == name)
    }
}
