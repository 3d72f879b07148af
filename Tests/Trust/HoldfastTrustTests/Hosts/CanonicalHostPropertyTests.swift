import HoldfastTestSupport
import HoldfastTrust
import Testing

@Suite("Properties of canonical hosts")
struct CanonicalHostPropertyTests {
    private static let alphabet = Array(
        """
        abcXYZ019-_..äÖßéΣσςяЖ日語가각ậăôأنक्षकि❤☃\
        xn--\u{301}\u{323}\u{200c}\u{200d}\u{3002}%:[]\u{1e9e}\u{130}
        """.unicodeScalars)

    private func spelling(_ random: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            text.unicodeScalars.append(Self.alphabet.randomElement(using: &random) ?? "a")
        }
        return Bool.random(using: &random) ? text : "xn--" + text
    }

    @Test("canonicalizing a canonical text returns the same text", arguments: [1, 2, 3, 4] as [UInt64])
    func idempotent(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var accepted = 0
        for _ in 0..<5_000 {
            let spelling = spelling(&random)
            guard let host = try? CanonicalHost(spelling) else { continue }
            accepted += 1
            let again = try CanonicalHost(host.text)
            #expect(again == host, "\(spelling.unicodeScalars.map(\.value)) -> \(host) -> \(again)")
            #expect(host.text.utf8.allSatisfy { $0 < 0x80 })
        }
        #expect(accepted > 500, "the generator must create enough valid hosts")
    }

    @Test(
        "percent-encoding, a trailing dot and other full stops do not change the host", arguments: [5, 6] as [UInt64])
    func spellings(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3_000 {
            let spelling = spelling(&random)
            guard let host = try? CanonicalHost(spelling), case .name = host.kind, !spelling.contains("%") else {
                continue
            }
            let encoded = spelling.utf8.map { byte in
                Bool.random(using: &random) || byte >= 0x80
                    ? "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: Bool.random(using: &random))
                    : String(Unicode.Scalar(byte))
            }
            #expect(try CanonicalHost(encoded.joined()) == host)
            #expect(try CanonicalHost(host.text + ".") == host)
            #expect(try CanonicalHost(host.text.uppercased()) == host)
            let dots = String(host.text.map { $0 == "." && Bool.random(using: &random) ? "\u{3002}" : $0 })
            #expect(try CanonicalHost(dots) == host)
        }
    }

    @Test("every IPv6 address is read back after writing", arguments: [7] as [UInt64])
    func addresses(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let groups = (0..<8).map { _ in
                Bool.random(using: &random) ? 0 : UInt16.random(in: 0...0xffff, using: &random)
            }
            let long = groups.map { String($0, radix: 16, uppercase: true) }.joined(separator: ":")
            let host = try CanonicalHost(long)
            #expect(try CanonicalHost("[\(host.text)]") == host)
            guard case .ipv6(let bytes) = host.kind else { continue }
            #expect(bytes == groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] })
            #expect(host.text.utf8.count <= long.utf8.count)
        }
    }

    @Test("random bytes never trap", arguments: [8] as [UInt64])
    func noise(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = try? CanonicalHost(String(decoding: bytes, as: UTF8.self))
            _ = try? CanonicalHost("xn--" + String(decoding: bytes.map { $0 & 0x7f }, as: UTF8.self))
        }
    }
}
