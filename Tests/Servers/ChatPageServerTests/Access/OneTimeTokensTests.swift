import Testing

@testable import ChatPageServer

@Suite("One-time tokens")
struct OneTimeTokensTests {
    private static func secret(_ byte: UInt8) -> String { Secret.make { [UInt8](repeating: byte, count: $0) } }
    private let maria = ChatPageVisitor("maria")
    private let omar = ChatPageVisitor("omar")

    @Test("A token signs in its visitor once")
    func once() {
        var tokens = OneTimeTokens(limit: 4)
        tokens.issue(Self.secret(1), for: maria, at: 0)
        tokens.issue(Self.secret(2), for: omar, at: 0)
        #expect(tokens.redeem(Self.secret(2), at: 1) == omar)
        #expect(tokens.redeem(Self.secret(2), at: 1) == nil)
        #expect(tokens.redeem(Self.secret(1), at: 1) == maria)
        #expect(tokens.count == 0)
    }

    @Test("A token expires after two minutes, not before")
    func expiry() {
        var tokens = OneTimeTokens(limit: 4)
        tokens.issue(Self.secret(1), for: maria, at: 1_000)
        tokens.issue(Self.secret(2), for: maria, at: 1_001)
        #expect(tokens.redeem(Self.secret(1), at: 121_000) == nil)
        #expect(tokens.redeem(Self.secret(2), at: 121_000) == maria)
    }

    @Test(
        "Texts that are not tokens are refused",
        arguments: ["", "0", String(repeating: "0", count: 63), String(repeating: "0", count: 65)])
    func malformed(text: String) {
        var tokens = OneTimeTokens(limit: 4)
        tokens.issue(text, for: maria, at: 0)
        #expect(tokens.count == 0)
        #expect(tokens.redeem(text, at: 0) == nil)
    }

    @Test("The number of tokens is limited: the oldest goes")
    func limit() {
        var tokens = OneTimeTokens(limit: 2)
        for byte in UInt8(1)...3 { tokens.issue(Self.secret(byte), for: maria, at: Int64(byte)) }
        #expect(tokens.count == 2)
        #expect(tokens.redeem(Self.secret(1), at: 4) == nil)
        #expect(tokens.redeem(Self.secret(3), at: 4) == maria)
    }

    @Test("Signing out revokes the visitor's tokens only")
    func revocation() {
        var tokens = OneTimeTokens(limit: 4)
        tokens.issue(Self.secret(1), for: maria, at: 0)
        tokens.issue(Self.secret(2), for: omar, at: 0)
        tokens.revoke(maria)
        #expect(tokens.redeem(Self.secret(1), at: 1) == nil)
        #expect(tokens.redeem(Self.secret(2), at: 1) == omar)
    }
}

@Suite("Signed-in browsers")
struct SignedInBrowsersTests {
    private static func secret(_ byte: UInt8) -> String { Secret.make { [UInt8](repeating: byte, count: $0) } }
    private func digest(_ byte: UInt8) throws -> Secret.Digest { try #require(Secret.digest(Self.secret(byte))) }
    private let maria = ChatPageVisitor("maria")
    private let omar = ChatPageVisitor("omar")

    @Test("A cookie belongs to its visitor until it expires")
    func lifetime() throws {
        var browsers = SignedInBrowsers(limit: 4, lifetime: 100)
        browsers.signIn(Self.secret(1), as: maria, at: 0)
        #expect(try browsers.visitor(of: digest(1), at: 99) == maria)
        #expect(try browsers.visitor(of: digest(2), at: 99) == nil)
        #expect(try browsers.visitor(of: digest(1), at: 100) == nil)
        #expect(browsers.count == 0)
    }

    @Test("Beyond the limit, the browser that was used least recently goes")
    func limit() throws {
        var browsers = SignedInBrowsers(limit: 2, lifetime: 1_000)
        browsers.signIn(Self.secret(1), as: maria, at: 0)
        browsers.signIn(Self.secret(2), as: omar, at: 1)
        #expect(try browsers.visitor(of: digest(1), at: 2) == maria)
        browsers.signIn(Self.secret(3), as: omar, at: 3)
        #expect(try browsers.visitor(of: digest(2), at: 4) == nil)
        #expect(try browsers.visitor(of: digest(1), at: 4) == maria)
    }

    @Test("One visitor cannot sign out the others by signing in often")
    func limitPerVisitor() throws {
        var browsers = SignedInBrowsers(limit: 100, lifetime: 1_000)
        browsers.signIn(Self.secret(200), as: omar, at: 0)
        for byte in UInt8(1)...50 { browsers.signIn(Self.secret(byte), as: maria, at: Int64(byte)) }
        #expect(browsers.count == SignedInBrowsers.limitPerVisitor + 1)
        #expect(try browsers.visitor(of: digest(200), at: 60) == omar)
        #expect(try browsers.visitor(of: digest(50), at: 60) == maria)
    }

    @Test("Signing out ends every browser of a visitor")
    func signOut() throws {
        var browsers = SignedInBrowsers(limit: 4, lifetime: 1_000)
        browsers.signIn(Self.secret(1), as: maria, at: 0)
        browsers.signIn(Self.secret(2), as: maria, at: 0)
        browsers.signIn(Self.secret(3), as: omar, at: 0)
        browsers.signOut(maria)
        #expect(browsers.count == 1)
        #expect(try browsers.visitor(of: digest(3), at: 1) == omar)
    }
}
