import ChatCenterCore
import ChatDevServer
import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import Testing

@testable import ChatCenter

/// Which servers the chat accepts, and the errors for the others, with real TLS handshakes.
@Suite(.timeLimit(.minutes(1))) struct LivePinningTests {
    let folder: TemporaryFolder
    let user = ChatUser(identifier: "alice")

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(
        "pinned leaf keys: only the key matters",
        arguments: [
            (.genuine, nil), (.rotatedToBackupKey, nil), (.expired, nil), (.selfSigned, nil), (.selfSignedExpired, nil),
            (.wrongHost, nil), (.newKeySameAuthority, .pinMismatch), (.otherAuthority, .pinMismatch),
            (.smuggledLeaf, .pinMismatch), (.smuggledIntermediate, .pinMismatch), (.otherCustomer, .pinMismatch),
        ] as [(CertificateScenario, TrustFinding.Code?)])
    func leafPins(scenario: CertificateScenario, finding: TrustFinding.Code?) async throws {
        try await LiveServer.with(scenario) { live in
            try await expect(finding, live, try live.pins())
        }
    }

    @Test(
        "a pinned authority: its servers are accepted only with the right name",
        arguments: [
            (.genuine, .automatic, nil), (.newKeySameAuthority, .automatic, nil), (.expired, .automatic, nil),
            (.otherCustomer, .automatic, .hostMismatch), (.otherCustomer, .never, nil),
            (.smuggledIntermediate, .automatic, .pinMismatch), (.smuggledIntermediate, .never, .pinMismatch),
        ] as [(CertificateScenario, PinnedKeysOnly.HostnameVerification, TrustFinding.Code?)])
    func authorityPin(
        scenario: CertificateScenario, mode: PinnedKeysOnly.HostnameVerification, finding: TrustFinding.Code?
    ) async throws {
        try await LiveServer.with(scenario) { live in
            let pin = try ChatSSLCertificate(der: live.authority.intermediate.certificateDER)
            try await expect(
                finding, live, SSLPinningConfig(trustedCertificates: [pin], hostnameVerification: mode))
        }
    }

    @Test(
        "without pins the system's verification decides",
        arguments: [
            (.genuine, nil), (.newKeySameAuthority, nil), (.otherAuthority, .unknownIssuer), (.expired, .expired),
            (.wrongHost, .hostMismatch),
        ] as [(CertificateScenario, TrustFinding.Code?)])
    func systemTrust(scenario: CertificateScenario, finding: TrustFinding.Code?) async throws {
        try await LiveServer.with(scenario) { live in
            try await expect(finding, live, SSLPinningConfig())
        }
    }

    @Test("only unreadable certificates: refused, and not reported as a network failure")
    func unreadable() async throws {
        let bad = ChatSSLCertificate(contentsOf: try folder.write("bad.cer", Array("x".utf8)))
        try await LiveServer.with { live in
            try await expect(.noUsablePins, live, SSLPinningConfig(trustedCertificates: [bad]))
        }
    }

    @Test("allowUntrustedSSLCertificate accepts an attacker, and logs it at every connection")
    func untrusted() async throws {
        try await LiveServer.with(.otherAuthority) { live in
            let (sdk, delegate) = try live.chat(
                in: folder, pinning: SSLPinningConfig(allowUntrustedSSLCertificate: true),
                logger: ChatLoggerConfig(logLevel: .error))
            try await sdk.authorize(user)
            #expect(sdk.connectionState.security == .unverified)
            sdk.tellDelegate()
            let before = delegate.lines.filter { $0.contains("ANY server") }.count
            #expect(before >= 2, "once at the start, once for each connection")
            let screen = try sdk.getChat()
            screen.viewDidAppear()
            try await screen.wait { $0.connection == .ready }
            sdk.tellDelegate()
            #expect(delegate.lines.filter { $0.contains("ANY server") }.count > before)
        }
    }

    /// Authorizes with a server, and checks every report of the result.
    private func expect(
        _ finding: TrustFinding.Code?, _ live: LiveServer, _ pinning: SSLPinningConfig,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let (sdk, delegate) = try live.chat(
            in: folder, pinning: pinning, logger: ChatLoggerConfig(logLevel: .all))
        guard let finding else {
            try await sdk.authorize(user)
            let screen = try sdk.getChat()
            screen.viewDidAppear()
            try await screen.wait { $0.connection == .ready }
            sdk.tellDelegate()
            #expect(delegate.errors.isEmpty, "\(delegate.errors)", sourceLocation: sourceLocation)
            return
        }
        let error = await #expect(throws: ChatAuthorizationError.self, sourceLocation: sourceLocation) {
            try await sdk.authorize(user)
        }
        #expect(error?.verdict?.finding.code == finding, "\(error as Any)", sourceLocation: sourceLocation)
        #expect(error?.description.contains(finding.rawValue) == true, sourceLocation: sourceLocation)

        // The socket is refused like the call.
        let screen = try sdk.getChat()
        screen.viewDidAppear()
        let state = try await screen.wait { state in
            state.banners.contains { if case .connectionLost = $0 { true } else { false } }
        }
        let lost = state.banners.compactMap { banner -> TransportFailure? in
            if case .connectionLost(.transport(let failure)) = banner { failure } else { nil }
        }
        #expect(lost.first?.kind == .trust, sourceLocation: sourceLocation)
        #expect(lost.first?.trust?.code == finding.rawValue, sourceLocation: sourceLocation)
        let whole = lost.first.flatMap { sdk.underlyingError(of: $0) } as? TransportError
        #expect(whole?.verdict?.finding.code == finding, sourceLocation: sourceLocation)
        #expect(
            state.banners.contains {
                if case .configurationFailed(let failure) = $0 { failure.kind == .trust } else { false }
            },
            sourceLocation: sourceLocation)

        // The delegate receives both errors, with the reason.
        sdk.tellDelegate()
        let codes = delegate.errors.compactMap { error -> TrustFinding.Code? in
            (error as? ChatNetworkError)?.verdict?.finding.code
        }
        #expect(codes.contains(finding), sourceLocation: sourceLocation)
        if !pinning.trustedCertificates.isEmpty, finding != .hostMismatch {
            #expect(
                delegate.lines.contains {
                    $0.hasPrefix("SSL CERTIFICATES Pinning error - server and pinned certificates are not equals")
                }, sourceLocation: sourceLocation)
            #expect(delegate.lines.contains { $0.hasPrefix("SSL Server public key: ") }, sourceLocation: sourceLocation)
        }
    }
}
