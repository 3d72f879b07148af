import ServerKit
import Testing

/// Valid tokens, and the header values that contain them.
@Suite("Bearer token")
struct BearerTokenTests {
    private typealias Token = BearerToken<TestError>

    @Test("A token must be long and printable, and no error contains it")
    func refused() {
        for bad in [
            "", "short", "with space in the middle", "ünprintable-and-long-enough",
            String(repeating: "x", count: 5_000),
        ] {
            let error = #expect(throws: TestError.self) { try Token(bad) }
            #expect(error?.failure.code == .unusableToken)
            #expect(bad.isEmpty || error?.failure.reason.contains(bad) == false)
        }
        let missing = #expect(throws: TestError.self) { try Token(file: "/no/such/file") }
        #expect(missing?.failure.path == "/no/such/file")
    }

    @Test("Only the whole token is accepted, with the scheme in any case", arguments: [16, 4_096])
    func shown(length: Int) throws {
        let text = String(repeating: "k", count: length)
        let token = try Token("  \(text)\n")
        #expect(token.isShown(by: "Bearer " + text))
        #expect(token.isShown(by: "bearer " + text))
        for wrong in [
            nil, "", text, "Basic \(text)", "Bearer  \(text)", "Bearer \(text)k", "Bearer \(text.dropLast())",
        ] {
            #expect(!token.isShown(by: wrong))
        }
    }
}
