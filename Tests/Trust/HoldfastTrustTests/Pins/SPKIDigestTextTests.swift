import HoldfastTrust
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Tests how a printed pin is read in code.
@Suite("Pins as text")
struct SPKIDigestTextTests {
    private let digest = SPKIDigest(hashing: [1])

    @Test("reads back a printed digest")
    func roundTrip() throws {
        for number in 0..<200 {
            let digest = SPKIDigest(hashing: [UInt8(number)])
            #expect(try SPKIDigest(digest.description) == digest)
            #expect(try SPKIDigest("\(Pin(digest))") == digest)
        }
        // A hash whose base64 starts with a slash is not in curl's format.
        let slash = try #require(SPKIDigest(bytes: [0xFC] + Array(repeating: 7, count: 31)))
        #expect(slash.base64.hasPrefix("/"))
        #expect(try SPKIDigest("sha256/" + slash.base64) == slash)
    }

    static let flaws: [(text: @Sendable (SPKIDigest) -> String, code: PinError.Code, words: String)] = [
        ({ _ in "" }, .missingPrefix, "is empty"),
        ({ $0.base64 }, .missingPrefix, "has no prefix: write \"sha256/"),
        ({ "SHA256/" + $0.base64 }, .missingPrefix, "does not begin with sha256/"),
        ({ " " + $0.description }, .missingPrefix, "does not begin with sha256/"),
        ({ "pin-sha256=\"\($0.base64)\"" }, .missingPrefix, "does not begin with sha256/"),
        (
            { $0.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }, .missingPrefix,
            "hexadecimal"
        ),
        ({ _ in "sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }, .unsupportedHash, "SHA-1"),
        ({ "\(Pin($0.sha256, domain: .rawKey))" }, .unsupportedHash, "bare key"),
        ({ "\(Pin($0.sha256, domain: .certificate))" }, .unsupportedHash, "of a certificate"),
        ({ "sha256//" + $0.base64 }, .wrongLength, "as curl writes it: write \"sha256/"),
        ({ _ in "sha256/" }, .wrongLength, "has 0 characters"),
        ({ "sha256/" + $0.base64.dropLast() }, .wrongLength, "has 43 characters"),
        ({ "sha256/" + $0.base64 + "A" }, .wrongLength, "has 45 characters"),
        ({ _ in "sha256/" + String(repeating: "A", count: 44) }, .invalidBase64, "copy it again"),
        ({ _ in "sha256/" + String(repeating: "A", count: 42) + "B=" }, .invalidBase64, "copy it again"),
        ({ _ in "sha256/" + String(repeating: "=", count: 44) }, .invalidBase64, "copy it again"),
        ({ _ in "sha256/" + String(repeating: "A", count: 42) + "_=" }, .invalidBase64, "base64url"),
        ({ "sha256/" + $0.base64 + "\n" }, .invalidBase64, "'\\u{a}'"),
        ({ "sha256/" + $0.base64.dropLast(2) + "é=" }, .invalidBase64, "'é'"),
    ]

    @Test("the error for a malformed pin contains the correct form", arguments: flaws.indices)
    func malformed(_ index: Int) {
        let (text, code, words) = Self.flaws[index]
        let error = #expect(throws: PinError.self) { try SPKIDigest(text(digest)) }
        #expect(error?.code == code)
        #expect(error?.reason.contains(words) == true, "\(error?.reason ?? "")")
    }

    @Test("the form that an error suggests is a valid pin")
    func suggestions() throws {
        for text in [digest.base64, "sha256//" + digest.base64] {
            let error = try #require(#expect(throws: PinError.self) { try SPKIDigest(text) })
            let quoted = try #require(error.reason.split(separator: "write \"").last?.split(separator: "\"").first)
            #expect(try SPKIDigest(String(quoted)) == digest)
        }
    }

    @Test("shortens a long text in the error")
    func longText() {
        let error = #expect(throws: PinError.self) { try SPKIDigest(String(repeating: "x", count: 100_000)) }
        #expect((error?.reason.count ?? .max) < 1_000)
    }

    @Test("digests can be used in every evaluator and policy")
    func uses() throws {
        let other = SPKIDigest(hashing: [2])
        let pins = PinSet(keys: [digest, other])
        #expect(pins == PinSet([Pin(digest), Pin(other)]))
        let rule = PinningRule(try HostPattern("example.com"), keys: [digest, other])
        #expect(rule.pins == pins)
        #expect(PinnedKeysOnly(keys: [digest, other]).pins == [Pin(digest), Pin(other)])
        #expect(PublicKeyPinningEvaluator(keys: [digest, other]).pinnedKeyHashes == [digest.data, other.data])
        #expect(Array(digest.data) == digest.bytes)
    }
}
