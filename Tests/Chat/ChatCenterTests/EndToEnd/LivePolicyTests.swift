import ChatCenterCore
import ChatDevServer
import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import Testing

@testable import ChatCenter

/// The chat with a policy, with real TLS handshakes.
@Suite(.timeLimit(.minutes(1))) struct LivePolicyTests {
    let folder: TemporaryFolder
    let user = ChatUser(identifier: "alice")
    let time = CertificateFactory.referenceTime

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns a policy that pins these certificates' keys for the server, and a backup key.
    private func makePolicy(
        _ live: LiveServer, _ keys: [Identity], name: String = "chat",
        _ enforcement: PinningRule.Enforcement = .enforce
    ) throws -> PinningPolicy {
        let digests = try keys.map { try ChatSSLCertificate(der: $0.certificateDER).spkiDigest }.compactMap(\.self)
        let rule = PinningRule(
            host: try CanonicalHost(live.authority.host), pins: PinSet(digests.map { Pin($0) }),
            enforcement: enforcement)
        return try PinningPolicy(name: name, rules: [rule])
    }

    private func right(_ live: LiveServer) -> [Identity] { [live.authority.leaf, live.authority.backupLeaf] }

    private func wrong() throws -> [Identity] {
        let factory = CertificateFactory()
        return try (0..<2).map { try factory.authority("Elsewhere \($0)") }
    }

    private final class Sink: TrustEventSink {
        let verdicts = Noted<TrustVerdict>()
        func record(_ verdict: TrustVerdict) { verdicts.append(verdict) }
    }

    @Test("policy: its pins apply in addition to the system's verification", arguments: [true, false])
    func policy(isRight: Bool) async throws {
        try await LiveServer.with { live in
            let policy = try makePolicy(live, isRight ? right(live) : wrong())
            let (sdk, delegate) = try live.chat(
                in: folder, pinning: SSLPinningConfig(policy: policy), logger: ChatLoggerConfig(logLevel: .error))
            #expect(sdk.connectionState.security == .policy(name: "chat", isReportOnly: false))
            guard isRight else {
                let error = await #expect(throws: ChatAuthorizationError.self) { try await sdk.authorize(user) }
                #expect(error?.verdict?.finding.code == .pinMismatch)
                #expect(error?.verdict?.policyName == "chat")
                sdk.tellDelegate()
                #expect(delegate.lines.contains { $0.contains("SSL CERTIFICATES Pinning error") })
                return
            }
            try await sdk.authorize(user)
        }
        // A pinned key does not override a refusal of the system; trusted certificates would.
        try await LiveServer.with(.expired) { live in
            let (sdk, _) = try live.chat(
                in: folder, pinning: SSLPinningConfig(policy: try makePolicy(live, right(live))))
            let error = await #expect(throws: ChatAuthorizationError.self) { try await sdk.authorize(user) }
            #expect(error?.verdict?.finding.code == .expired)
        }
    }

    @Test("a policy and certificates: both must accept")
    func both() async throws {
        for (isListed, isPinned) in [(true, true), (false, true), (true, false)] {
            try await LiveServer.with { live in
                var pinning = SSLPinningConfig(policy: try makePolicy(live, isPinned ? right(live) : wrong()))
                pinning.trustedCertificates = try (isListed ? right(live) : wrong()).map {
                    try ChatSSLCertificate(der: $0.certificateDER)
                }
                pinning.allowUntrustedSSLCertificate = true
                let (sdk, _) = try live.chat(in: folder, pinning: pinning)
                if isListed, isPinned {
                    try await sdk.authorize(user)
                } else {
                    let error = await #expect(throws: ChatAuthorizationError.self) { try await sdk.authorize(user) }
                    #expect(error?.verdict?.finding.code == .pinMismatch)
                }
            }
        }
    }

    @Test("a report-only policy accepts the server, and logs and reports the mismatch")
    func reportOnly() async throws {
        try await LiveServer.with { live in
            let sink = Sink()
            var pinning = SSLPinningConfig(policy: try makePolicy(live, wrong(), .reportOnly))
            pinning.trustEventSink = sink
            let (sdk, delegate) = try live.chat(
                in: folder, pinning: pinning, logger: ChatLoggerConfig(logLevel: .error))
            #expect(sdk.effectiveConfig.security == .policy(name: "chat", isReportOnly: true))
            try await sdk.authorize(user)
            let screen = try sdk.getChat()
            screen.viewDidAppear()
            try await screen.wait { $0.connection == .ready }
            sdk.tellDelegate()
            #expect(delegate.lines.contains { $0.contains("report-only") && $0.contains("pinMismatch") })
            let verdicts = sink.verdicts.values
            #expect(verdicts.count >= 2, "a REST connection and the socket")
            #expect(verdicts.allSatisfy { $0.finding.code == .pinMismatch && $0.permitsConnection })
        }
        // An invalid certificate path is refused in every mode.
        try await LiveServer.with(.otherAuthority) { live in
            let (sdk, _) = try live.chat(
                in: folder, pinning: SSLPinningConfig(policy: try makePolicy(live, right(live), .reportOnly)))
            let error = await #expect(throws: ChatAuthorizationError.self) { try await sdk.authorize(user) }
            #expect(error?.verdict?.finding.code == .unknownIssuer)
        }
    }

    /// Connects, changes the policy, and waits until the new policy's verdict closes the live socket.
    private func changes(
        _ live: LiveServer, _ pinning: SSLPinningConfig, _ change: () throws -> Void
    ) async throws {
        let (sdk, delegate) = try live.chat(in: folder, pinning: pinning)
        try await sdk.authorize(user)
        let screen = try sdk.getChat()
        screen.viewDidAppear()
        try await screen.wait { $0.connection == .ready }
        sdk.tellDelegate()
        #expect(delegate.errors.isEmpty)
        try change()
        try await screen.wait { $0.connection != .ready }
        var codes: [TrustFinding.Code] = []
        while codes.isEmpty {
            await Task.yield()
            sdk.tellDelegate()
            codes = delegate.errors.compactMap { ($0 as? ChatNetworkError)?.verdict?.finding.code }
        }
        #expect(codes.first == .pinMismatch)
        #expect(sdk.connectionState.security == .policy(name: "next", isReportOnly: false))
    }

    @Test("policies: replacing the policy closes a live socket that the new policy refuses")
    func replaced() async throws {
        try await LiveServer.with { live in
            let policies = PolicyHolder(try makePolicy(live, right(live)))
            try await changes(live, SSLPinningConfig(policies: policies)) {
                policies.replace(with: try makePolicy(live, wrong(), name: "next"))
            }
        }
    }

    @Test("policies: a socket that the new policy accepts stays open")
    func replacedAndAccepted() async throws {
        try await LiveServer.with { live in
            let policies = PolicyHolder(try makePolicy(live, right(live), .reportOnly))
            let sink = Sink()
            var pinning = SSLPinningConfig(policies: policies)
            pinning.trustEventSink = sink
            let (sdk, delegate) = try live.chat(in: folder, pinning: pinning)
            try await sdk.authorize(user)
            let screen = try sdk.getChat()
            screen.viewDidAppear()
            try await screen.wait { $0.connection == .ready }
            let before = sink.verdicts.values.count
            policies.replace(with: try makePolicy(live, right(live), name: "next"))
            // Every open connection is verified again.
            while sink.verdicts.values.count < before + 1 { await Task.yield() }
            let receipt = try await screen.send("still here")
            for await state in receipt.fate where state == .sent { break }
            sdk.tellDelegate()
            #expect(delegate.errors.isEmpty)
            #expect(sdk.effectiveConfig.security == .policy(name: "next", isReportOnly: false))
        }
    }

    @Test("bundles: a signed bundle takes effect at once, also for the live socket")
    func bundle() async throws {
        try await LiveServer.with { live in
            let signer = BundleSigningKey(generating: .ed25519, id: "1")
            let key = try BundleKey(id: "1", publicKey: Array(signer.publicKeyPEM.utf8))
            let state = BundleState(
                embedded: try makePolicy(live, right(live)), version: 1, keys: [key], application: "tests")
            let bundles = BundleHolder(state, file: nil)
            try await changes(live, SSLPinningConfig(bundles: bundles)) {
                let pins = try wrong().map { "\"\($0.spkiDigest)\"" }.joined(separator: ", ")
                let next = """
                    {"holdfast": 1, "name": "next", "domains": [{"host": "\(live.authority.host)", "pins": [\(pins)]}]}
                    """
                let signed = try SignedBundle.sign(
                    policy: Array(next.utf8), application: "tests", version: 2, notBefore: time,
                    notAfter: time.advanced(bySeconds: 3_600), with: signer)
                try bundles.offer(signed.bytes, at: time)
            }
        }
    }
}
