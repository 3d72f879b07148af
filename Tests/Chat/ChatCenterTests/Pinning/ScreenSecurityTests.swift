import ChatCenterCore
import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import ChatCenter

/// The security that a screen shows: what is in force for the chat's own servers, not what the settings mention.
@Suite struct ScreenSecurityTests {
    static let factory = CertificateFactory()
    let folder: TemporaryFolder
    let time = CertificateFactory.referenceTime

    init() throws {
        folder = try TemporaryFolder()
    }

    private let hosts = ["chat.example", "files.example"]

    private func security(_ config: SSLPinningConfig) throws -> ChatScreenSecurity {
        ChatTrust(config, anchors: .only([])).screenSecurity(of: try hosts.map { try CanonicalHost($0) }, at: time)
    }

    private func rule(
        _ host: String, _ enforcement: PinningRule.Enforcement = .enforce, expires: Timestamp? = nil
    ) throws -> PinningRule {
        PinningRule(
            host: try CanonicalHost(host),
            pins: PinSet([Pin(SPKIDigest(hashing: [1])), Pin(SPKIDigest(hashing: [2]))]),
            enforcement: enforcement, expires: expires)
    }

    private func policy(_ rules: PinningRule..., requiresRule: Bool = false) throws -> SSLPinningConfig {
        SSLPinningConfig(
            policy: try PinningPolicy(name: "chat", rules: rules, requiresRuleForEveryHost: requiresRule))
    }

    @Test("without pins the system decides, or nothing is verified")
    func withoutPins() throws {
        #expect(try security(SSLPinningConfig()) == .systemTrust)
        #expect(try security(SSLPinningConfig(allowUntrustedSSLCertificate: true)) == .unverified)
    }

    @Test("listed certificates are pins, also if none can be read")
    func certificates() throws {
        let root = try Self.factory.authority("Chat Root")
        let certificate = try ChatSSLCertificate(der: root.certificateDER)
        #expect(try security(SSLPinningConfig(trustedCertificates: [certificate])) == .pinned)
        #expect(
            try security(SSLPinningConfig(allowUntrustedSSLCertificate: true, trustedCertificates: [certificate]))
                == .pinned)
        let unreadable = ChatSSLCertificate(contentsOf: try folder.write("x.cer", Array("x".utf8)))
        #expect(try security(SSLPinningConfig(trustedCertificates: [unreadable])) == .pinned)
        var both = try policy(rule("chat.example", .reportOnly))
        both.trustedCertificates = [certificate]
        #expect(try security(both) == .pinned)
    }

    @Test("a policy pins only if every server of the chat has an enforced rule now")
    func policies() throws {
        let expired = time.advanced(bySeconds: -1)
        #expect(try security(policy(rule("chat.example"), rule("files.example"))) == .pinned)
        #expect(try security(policy(rule("chat.example"))) == .systemTrust)
        #expect(try security(policy(rule("chat.example"), requiresRule: true)) == .pinned)
        #expect(try security(policy(rule("chat.example"), rule("files.example", .reportOnly))) == .systemTrust)
        #expect(try security(policy(rule("chat.example"), rule("files.example", expires: expired))) == .systemTrust)
        #expect(try security(SSLPinningConfig(policy: .disabled(reason: "debugging"))) == .systemTrust)
    }

    @Test("the screen's security follows the configuration, and an address without TLS is not verified")
    func screen() throws {
        let chat = TestChat(in: folder)
        #expect(try chat.open().security == .systemTrust)
        let other = try TemporaryFolder()
        let plain = TestChat(in: other, transport: ChatTransportConfig(cloudHost: "ws://127.0.0.1:8080"))
        #expect(try plain.open().security == .unverified)
    }
}
