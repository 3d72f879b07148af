import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Synchronization
import Testing

@testable import ChatCenter

/// The trust and the log lines that follow from a pinning configuration.
@Suite struct ChatTrustTests {
    static let factory = CertificateFactory()
    let folder: TemporaryFolder
    let root: Identity
    let server: Identity
    let stranger: Identity
    let time = CertificateFactory.referenceTime

    init() throws {
        folder = try TemporaryFolder()
        root = try Self.factory.authority("Chat Root")
        server = try Self.factory.leaf(["chat.example"], signedBy: root)
        stranger = try Self.factory.leaf(["chat.example"], signedBy: nil)
    }

    private func certificate(_ identity: Identity) throws -> ChatSSLCertificate {
        try ChatSSLCertificate(der: identity.certificateDER)
    }

    private func unreadable() throws -> ChatSSLCertificate {
        ChatSSLCertificate(contentsOf: try folder.write("\(UUID().uuidString).cer", Array("x".utf8)))
    }

    private func judge(_ trust: ChatTrust, _ chain: [[UInt8]], host: String = "chat.example") throws -> TrustVerdict {
        let subject = TrustSubject(host: try CanonicalHost(host))
        guard
            case .now(let verdict) = trust.context(observing: { _, _ in }).judge(
                PresentedChain(der: chain), for: subject, at: time)
        else { throw CancellationError() }
        return verdict
    }

    @Test("without certificates the system's verification decides")
    func system() throws {
        let trust = ChatTrust(SSLPinningConfig(), anchors: .only([root.view]))
        #expect(trust.security == .systemTrust)
        #expect(try judge(trust, server.chain).permitsConnection)
        #expect(try !judge(trust, stranger.chain).permitsConnection)
        #expect(try judge(trust, server.chain, host: "other.example").finding.code == .hostMismatch)
        #expect(trust.notes.isEmpty)
    }

    @Test("seed 0.15: the flag alone accepts any server, with an error line")
    func untrusted() throws {
        let trust = ChatTrust(SSLPinningConfig(allowUntrustedSSLCertificate: true), anchors: .only([root.view]))
        #expect(trust.security == .unverified)
        let verdict = try judge(trust, stranger.chain, host: "whoever.example")
        #expect(verdict.permitsConnection)
        #expect(verdict.finding.code == .anyCertificateAccepted)
        #expect(trust.notes.map(\.level) == [.error])
        let lines = trust.lines(for: PresentedChain(der: stranger.chain), verdict)
        #expect(lines.contains { $0.level == .error && $0.text.contains("ANY server") })
    }

    @Test("seed 0.16: with certificates the flag is ignored, and the log says so")
    func flagIsIgnored() throws {
        let pinned = SSLPinningConfig(
            allowUntrustedSSLCertificate: true, trustedCertificates: [try certificate(server)])
        let trust = ChatTrust(pinned)
        #expect(trust.security == .pinnedKeys(certificates: 1))
        #expect(try judge(trust, server.chain).permitsConnection)
        #expect(try judge(trust, stranger.chain).finding.code == .pinMismatch)
        #expect(trust.notes.contains { $0.text.contains("allowUntrustedSSLCertificate is ignored") })
    }

    @Test("seed 0.14: one key is accepted with a warning, two are accepted without")
    func singleKey() throws {
        let one = ChatTrust(SSLPinningConfig(trustedCertificates: [try certificate(server)]))
        #expect(one.notes.contains { $0.text.contains("Only one key") })
        let two = ChatTrust(
            SSLPinningConfig(trustedCertificates: [try certificate(server), try certificate(stranger)]))
        #expect(!two.notes.contains { $0.text.contains("Only one key") })
        let twice = ChatTrust(
            SSLPinningConfig(trustedCertificates: [try certificate(server), try certificate(server)]))
        #expect(twice.notes.contains { $0.text.contains("Only one key") })
    }

    @Test("seed 0.30: an unreadable certificate is skipped, and a valid one is still used")
    func someUnreadable() throws {
        let trust = ChatTrust(SSLPinningConfig(trustedCertificates: [try unreadable(), try certificate(server)]))
        #expect(trust.security == .pinnedKeys(certificates: 1))
        #expect(try judge(trust, server.chain).permitsConnection)
        #expect(trust.notes.contains { $0.level == .error && $0.text.contains("unusable") })
    }

    @Test("seed 0.31: a list of only unreadable certificates refuses every server, with that reason")
    func allUnreadable() throws {
        let trust = ChatTrust(
            SSLPinningConfig(
                allowUntrustedSSLCertificate: true, trustedCertificates: [try unreadable(), try unreadable()]))
        #expect(trust.security == .refusesEverything)
        let verdict = try judge(trust, server.chain)
        #expect(!verdict.permitsConnection)
        #expect(verdict.finding.code == .noUsablePins)
    }

    @Test("only unreadable certificates and a policy refuse every server, with that reason")
    func allUnreadableBesideAPolicy() throws {
        let policy = try PinningPolicy(
            name: "chat",
            rules: [
                PinningRule(
                    host: try CanonicalHost("chat.example"),
                    pins: PinSet([Pin(server.view.spkiDigest), Pin(SPKIDigest(hashing: [1]))]))
            ])
        var config = SSLPinningConfig(policy: policy)
        config.trustedCertificates = [try unreadable()]
        let trust = ChatTrust(config, anchors: .only([]))
        #expect(trust.security == .refusesEverything)
        #expect(trust.notes.contains { $0.text.contains("noUsablePins") })
        #expect(try !judge(trust, server.chain).permitsConnection)
    }

    @Test("logs: a policy that requires certificate timestamps needs a current list")
    func logs() throws {
        let logs = [try TestLog("oak", operator: "Alpha"), try TestLog("elm", operator: "Beta")]
        let logged = try Self.factory.loggedLeaf(["chat.example"], signedBy: root, logs: logs)
        let policy = try PinningPolicy(
            name: "chat",
            rules: [.requiringTransparency(HostPattern(try CanonicalHost("chat.example"), depth: .exact), .chrome)])
        func code(_ identity: Identity, _ config: SSLPinningConfig) throws -> TrustFinding.Code? {
            let verdict = try judge(ChatTrust(config, anchors: .only([root.view])), identity.chain)
            return verdict.permitsConnection ? nil : verdict.finding.code
        }
        let holder = TransparencyLogHolder(try TestLog.logs(logs))
        for var config in [SSLPinningConfig(policy: policy), SSLPinningConfig(policies: PolicyHolder(policy))] {
            #expect(try code(logged, config) == .logListMissing)
            let plain = config
            config.logs = holder
            #expect(config != plain && config.logs === holder)
            #expect(try code(logged, config) == nil)
            #expect(try code(server, config) == .sctsMissing)
            let issued = time.advanced(bySeconds: -TransparencyLogs.defaultMaximumAge - 1)
            config.logs = TransparencyLogHolder(try TestLog.logs(logs, issued: issued))
            #expect(try code(logged, config) == .logListOutdated)
            // Certificates beside the policy are checked in addition.
            config.logs = holder
            config.trustedCertificates = [try certificate(root)]
            #expect(try code(logged, config) == nil)
            #expect(try code(server, config) == .sctsMissing)
        }
    }

    @Test("certificatePolicies apply to the system's verification, with and without a policy")
    func certificatePolicies() throws {
        let gold = try Self.factory.leaf(
            ["chat.example"], signedBy: root, .with { $0.extraExtensions = [.certificatePolicies(["1.2.3.4"])] })
        let pins = PinSet([Pin(root.view.spkiDigest), Pin(SPKIDigest(hashing: [1]))])
        let rule = PinningRule(host: try CanonicalHost("chat.example"), pins: pins)
        for var config in [
            SSLPinningConfig(), SSLPinningConfig(policy: try PinningPolicy(name: "chat", rules: [rule])),
        ] {
            for isRequired in [false, true] {
                config.certificatePolicies = isRequired ? .requiring([try .init("1.2.3.4")]) : .anyPolicy
                let trust = ChatTrust(config, anchors: .only([root.view]))
                #expect(try judge(trust, gold.chain).permitsConnection)
                #expect(try judge(trust, server.chain).permitsConnection != isRequired)
            }
        }
        // The listed keys replace the system's verification.
        var keys = SSLPinningConfig(trustedCertificates: [try certificate(server)])
        keys.certificatePolicies = .requiring([try .init("1.2.3.4")])
        #expect(try judge(ChatTrust(keys), server.chain).permitsConnection)
    }

    @Test("hostnameVerification reaches the verification")
    func hostnameVerification() throws {
        func config(_ mode: PinnedKeysOnly.HostnameVerification) throws -> SSLPinningConfig {
            SSLPinningConfig(trustedCertificates: [try certificate(root)], hostnameVerification: mode)
        }
        let automatic = try judge(ChatTrust(try config(.automatic)), server.chain, host: "other.example")
        #expect(automatic.finding.code == .hostMismatch)
        let never = try judge(ChatTrust(try config(.never)), server.chain, host: "other.example")
        #expect(never.permitsConnection)
        let leaf = SSLPinningConfig(trustedCertificates: [try certificate(server)], hostnameVerification: .always)
        #expect(try judge(ChatTrust(leaf), server.chain, host: "other.example").finding.code == .hostMismatch)
    }

    @Test("seed 0.33: the documented lines contain the raw keys and the SPKI hashes")
    func logLines() throws {
        let trust = ChatTrust(SSLPinningConfig(trustedCertificates: [try certificate(server)]))
        let chain = PresentedChain(der: stranger.chain)
        let lines = trust.lines(for: chain, try judge(trust, stranger.chain))
        let error = try #require(lines.first)
        #expect(error.level == .error)
        #expect(
            error.text.hasPrefix("SSL CERTIFICATES Pinning error - server and pinned certificates are not equals"))
        #expect(error.text.contains("pinMismatch"))
        let seen = try #require(lines.first { $0.text.hasPrefix("SSL Server public key: ") })
        #expect(seen.level == .network)
        // X9.63: 04, then both coordinates of the P-256 point.
        #expect(seen.text.contains(stranger.view.rawKey.map { String(format: "%02x", $0) }.joined()))
        #expect(stranger.view.rawKey.first == 4)
        #expect(stranger.view.rawKey.count == 65)
        #expect(seen.text.contains(stranger.spkiDigest.description))
        let pinned = try #require(lines.first { $0.text.hasPrefix("SSL Pinned certificate public key: ") })
        #expect(pinned.text.contains(server.spkiDigest.description))
    }

    @Test("seed 0.33: every certificate of the server's chain and every listed one has its line, in order")
    func allLogLines() throws {
        let issuing = try Self.factory.intermediate("Issuing", signedBy: root)
        let leaf = try Self.factory.leaf(["chat.example"], signedBy: issuing)
        let chain = PresentedChain(der: [leaf, issuing, root].map(\.certificateDER))
        func key(_ identity: Identity) -> String {
            identity.view.rawKey.map { String(format: "%02x", $0) }.joined()
                + " (\(identity.view.keyDescription), SPKI \(identity.spkiDigest))"
        }
        let server = [leaf, issuing, root].map { "SSL Server public key: " + key($0) }
        let listed = [self.server, stranger]
        let pinned = listed.map { "SSL Pinned certificate public key: " + key($0) }
        #expect(Set(server + pinned).count == 5, "five keys")
        // The unreadable certificate between them has no key and no line.
        let refusing = ChatTrust(
            SSLPinningConfig(
                trustedCertificates: [try certificate(listed[0]), try unreadable(), try certificate(listed[1])]))
        let refused = refusing.lines(for: chain, try judge(refusing, chain.certificates.map(\.der)))
        #expect(refused.dropFirst().map(\.text) == server + pinned)
        #expect(refused.dropFirst().allSatisfy { $0.level == .network })
        // An accepted server has the same lines, without the error.
        let accepting = ChatTrust(SSLPinningConfig(trustedCertificates: [try certificate(leaf)]))
        let accepted = accepting.lines(for: chain, try judge(accepting, chain.certificates.map(\.der)))
        #expect(accepted.map(\.text) == server + ["SSL Pinned certificate public key: " + key(leaf)])
    }

    @Test("a host mismatch is not logged as a key mismatch")
    func hostMismatchLine() throws {
        let trust = ChatTrust(SSLPinningConfig(trustedCertificates: [try certificate(root)]))
        let verdict = try judge(trust, server.chain, host: "other.example")
        let lines = trust.lines(for: PresentedChain(der: server.chain), verdict)
        #expect(lines.first?.text.contains("are not equals") == false)
        #expect(lines.first?.text.contains("hostMismatch") == true)
    }

    @Test("the observer receives every verified chain")
    func observer() throws {
        let seen = Mutex<[Bool]>([])
        let trust = ChatTrust(SSLPinningConfig(trustedCertificates: [try certificate(server)]))
        let context = trust.context { _, verdict in seen.withLock { $0.append(verdict.permitsConnection) } }
        let subject = TrustSubject(host: try CanonicalHost("chat.example"))
        _ = context.judge(PresentedChain(der: server.chain), for: subject, at: time)
        _ = context.judge(PresentedChain(der: stranger.chain), for: subject, at: time)
        #expect(seen.withLock { $0 } == [true, false])
    }
}
