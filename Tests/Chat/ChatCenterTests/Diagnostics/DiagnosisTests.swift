import ChatCenterCore
import ChatDevServer
import Foundation
import HoldfastFormats
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import Testing

@testable import ChatCenter

/// The table "SSL error diagnostics" of seeds/000. Each test produces a row's symptom and checks the cause and the
/// remedy.
@Suite(.timeLimit(.minutes(1))) struct DiagnosisTests {
    let folder: TemporaryFolder
    let user = ChatUser(identifier: "alice")

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns the SDK's error and diagnosis for a server that it refuses.
    private func refusal(
        _ live: LiveServer, _ pinning: SSLPinningConfig
    ) async throws -> (diagnosis: ChatConnectionDiagnosis, sdk: ChatCenterUISDK, delegate: RecordingDelegate) {
        let (sdk, delegate) = try live.chat(in: folder, pinning: pinning, logger: ChatLoggerConfig(logLevel: .all))
        let error = await #expect(throws: ChatAuthorizationError.self) { try await sdk.authorize(user) }
        return (try #require(error?.diagnosis), sdk, delegate)
    }

    /// Connects to an accepted server.
    private func accept(_ live: LiveServer, _ pinning: SSLPinningConfig) async throws {
        let (sdk, _) = try live.chat(in: folder, pinning: pinning)
        try await sdk.authorize(user)
        sdk.driver.configuration.accepted.flush()
    }

    // MARK: The documented rows

    @Test("seed 0.33, row 1: no key in the server's chain is trusted")
    func keysDiffer() async throws {
        try await LiveServer.with(.otherAuthority) { live in
            let (diagnosis, sdk, delegate) = try await refusal(live, try live.pins())
            #expect(diagnosis.cause == .keysDiffer)
            #expect(diagnosis.host == live.authority.host)
            #expect(diagnosis.evidence.contains(.finding(.pinMismatch)))
            #expect(diagnosis.evidence.contains(.trustedKey(live.authority.leaf.view.spkiDigest)))
            #expect(diagnosis.evidence.contains { if case .serverKey = $0 { true } else { false } })
            #expect(diagnosis.remedy.contains("ChatLoggerConfig(logLevel: .all)"))
            // The documented symptom, and the diagnosis beside it.
            #expect(
                delegate.lines.contains {
                    $0.hasPrefix("SSL CERTIFICATES Pinning error - server and pinned certificates are not equals")
                })
            #expect(delegate.lines.contains { $0.hasPrefix("diagnosis: keysDiffer") })
            // The screen's failure leads to the same diagnosis.
            let screen = try sdk.getChat()
            screen.viewDidAppear()
            let state = try await screen.wait { state in
                state.banners.contains { if case .connectionLost = $0 { true } else { false } }
            }
            let failures = state.banners.compactMap { banner -> TransportFailure? in
                if case .connectionLost(.transport(let failure)) = banner { failure } else { nil }
            }
            #expect(sdk.diagnosis(of: try #require(failures.first))?.cause == .keysDiffer)
            #expect(
                delegate.errors.contains { ($0 as? ChatNetworkError)?.diagnosis?.cause == .keysDiffer })
        }
    }

    @Test("seed 0.34, row 2: it worked, then stopped: the server's key was replaced, also across a restart of the app")
    func rotated() async throws {
        try await LiveServer.with { live in
            let pinning = try live.pins()
            try await accept(live, pinning)
            try live.server.replaceTLSIdentity(live.authority.identity(for: .newKeySameAuthority))
            let (diagnosis, _, delegate) = try await refusal(live, pinning)
            #expect(diagnosis.cause == .keysRotated)
            #expect(diagnosis.evidence.contains(.acceptedKey(live.authority.leaf.view.spkiDigest)))
            #expect(diagnosis.remedy.contains("backup certificate"))
            #expect(delegate.lines.contains { $0.hasPrefix("diagnosis: keysRotated") })
        }
    }

    @Test("the fallback of row 2: a listed backup certificate takes over")
    func backup() async throws {
        try await LiveServer.with { live in
            let pinning = try live.pins()
            try await accept(live, pinning)
            try live.server.replaceTLSIdentity(live.authority.identity(for: .rotatedToBackupKey))
            try await accept(live, pinning)
        }
    }

    @Test("an unchanged server with a changed list is not diagnosed as a rotation")
    func listChanged() async throws {
        try await LiveServer.with { live in
            try await accept(live, try live.pins())
            let other = SSLPinningConfig(
                trustedCertificates: [try ChatSSLCertificate(der: live.authority.backupLeaf.certificateDER)])
            let (diagnosis, _, _) = try await refusal(live, other)
            #expect(diagnosis.cause == .trustedKeysChanged)
            // With the new list the server changes too, so its key does not identify it as the earlier one.
            try live.server.replaceTLSIdentity(live.authority.identity(for: .otherAuthority))
            let (unknown, _, _) = try await refusal(live, other)
            #expect(unknown.cause == .keysDiffer)
        }
    }

    @Test("seed 0.35, row 3: a file is not in the bundle, or its name was split wrongly")
    func missing() throws {
        func diagnosis(_ resource: String, _ fileExtension: String?) -> ChatConnectionDiagnosis? {
            do throws(ChatSSLCertificateError) {
                _ = try ChatSSLCertificate(resource: resource, withExtension: fileExtension)
                return nil
            } catch {
                return ChatConnectionDiagnosis(error)
            }
        }
        let absent = try #require(diagnosis("nowhere", "cer"))
        #expect(absent.cause == .certificateMissing)
        #expect(absent.remedy.contains("Copy Bundle Resources"))
        let split = try #require(diagnosis("cert.cer", nil))
        #expect(split.cause == .certificateMissing)
        #expect(split.description.contains("withExtension: \"cer\""))
        let path = ChatSSLCertificate(contentsOf: folder.url.appendingPathComponent("absent.cer"))
        #expect(ChatConnectionDiagnosis(path)?.cause == .certificateMissing)
    }

    @Test("seed 0.36, row 4: App Transport Security differs between the Info.plists of two builds")
    func transportSecurity() throws {
        func plist(_ security: String) -> [UInt8] {
            Array(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <plist version="1.0"><dict><key>CFBundleName</key><string>App</string>\(security)</dict></plist>
                """.utf8)
        }
        let debug = plist("<key>NSAppTransportSecurity</key><dict><key>NSAllowsArbitraryLoads</key><true/></dict>")
        let release = plist("")
        let differences = PolicyLint.compareTransportSecurity(debug, release, named: ("Debug", "Release"))
        let diagnosis = try #require(ChatConnectionDiagnosis(transportSecurityDifferences: differences))
        #expect(diagnosis.cause == .transportSecurityDiffers)
        #expect(diagnosis.description.contains("Release"))
        #expect(diagnosis.remedy.contains("Info.plist of both builds"))
        #expect(
            ChatConnectionDiagnosis(
                transportSecurityDifferences: PolicyLint.compareTransportSecurity(debug, debug)) == nil)
    }

    // MARK: Causes that the table does not list

    @Test("only unreadable certificates are diagnosed before and after a connection attempt")
    func unusable() async throws {
        let bad = ChatSSLCertificate(
            contentsOf: try folder.write("bad.cer", Array("-----BEGIN CERTIFICATE-----\nAAAA\n".utf8)))
        try await LiveServer.with { live in
            let (diagnosis, sdk, _) = try await refusal(live, SSLPinningConfig(trustedCertificates: [bad]))
            #expect(diagnosis.cause == .noUsableCertificates)
            #expect(sdk.configurationDiagnoses.map(\.cause) == [.certificateUnreadable, .noUsableCertificates])
            #expect(sdk.configurationDiagnoses.first?.remedy.contains("openssl x509") == true)
        }
    }

    @Test(
        "without pins the system's reasons are distinguished",
        arguments: [
            (.wrongHost, .hostDiffers), (.expired, .certificateOutOfDate), (.otherAuthority, .issuerUnknown),
        ] as [(CertificateScenario, ChatConnectionDiagnosis.Cause)])
    func system(scenario: CertificateScenario, cause: ChatConnectionDiagnosis.Cause) async throws {
        try await LiveServer.with(scenario) { live in
            let (diagnosis, _, _) = try await refusal(live, SSLPinningConfig())
            #expect(diagnosis.cause == cause)
        }
    }

    @Test("an unreachable server is not a trust failure, and unusable addresses name every problem")
    func notThere() async throws {
        let chat = ChatConfig(
            transportConfig: ChatTransportConfig(
                rest: "http://127.0.0.1:9", webSocket: "ws://127.0.0.1:9", dataStore: "http://127.0.0.1:9"))
        var config = chat
        config.storageDirectory = folder.url
        let sdk = ChatCenterUISDK(providerUid: "provider", chatConfig: config)
        let error = await #expect(throws: ChatAuthorizationError.self) { try await sdk.authorize(user) }
        #expect(error?.diagnosis?.cause == .unreachable)

        var bad = ChatConfig(transportConfig: ChatTransportConfig(cloudHost: "ftp://x"))
        bad.storageDirectory = folder.url
        let other = ChatCenterUISDK(providerUid: "provider", chatConfig: bad)
        let refusal = await #expect(throws: ChatAuthorizationError.self) { try await other.authorize(user) }
        #expect(refusal?.diagnosis?.cause == .addressesUnusable)
        #expect(other.configurationDiagnoses.map(\.cause) == [.addressesUnusable])
    }

    @Test("every cause has a different remedy")
    func remedies() {
        let remedies = ChatConnectionDiagnosis.Cause.allCases.map(\.remedy)
        #expect(Set(remedies).count == remedies.count)
        #expect(remedies.allSatisfy { $0.count > 20 })
    }

    // MARK: Accepted keys

    private func verdict(_ identity: Identity, permits: Bool, host: String) throws -> TrustVerdict {
        let context =
            permits
            ? TrustContext.pinnedKeysOnly(PinnedKeysOnly(certificates: [identity.view]))
            : TrustContext.system(anchors: .only([]))
        let subject = TrustSubject(host: try CanonicalHost(host), port: 443)
        guard
            case .now(let verdict) = context.judge(
                PresentedChain(der: identity.chain), for: subject, at: CertificateFactory.referenceTime)
        else { throw CancellationError() }
        return verdict
    }

    @Test("accepted keys are kept for each host across restarts, and refusals and damage change nothing")
    func acceptedKeys() throws {
        let factory = CertificateFactory()
        let identity = try factory.leaf(["chat.example"], signedBy: nil)
        let accepted = AcceptedKeys(root: folder.url)
        #expect(try folder.contents().isEmpty)
        let refused = try verdict(identity, permits: false, host: "chat.example")
        accepted.note(refused)
        #expect(accepted.keys(for: refused) == nil)
        accepted.note(try verdict(identity, permits: true, host: "chat.example"))
        #expect(accepted.keys(for: refused) == [identity.view.spkiDigest])
        accepted.flush()
        let later = AcceptedKeys(root: folder.url)
        #expect(later.keys(for: refused) == [identity.view.spkiDigest])
        #expect(later.keys(for: try verdict(identity, permits: false, host: "other.example")) == nil)
        for host in 0..<100 { later.note(try verdict(identity, permits: true, host: "h\(host).example")) }
        later.flush()
        #expect(later.keys(for: try verdict(identity, permits: false, host: "h99.example")) == nil, "limited")
        // With a list of the chat's own servers, keys of others are neither stored nor kept from earlier runs.
        let own = AcceptedKeys(root: folder.url, hosts: ["chat.example:443"])
        own.note(try verdict(identity, permits: true, host: "files.example"))
        #expect(own.keys(for: try verdict(identity, permits: false, host: "files.example")) == nil)
        #expect(own.keys(for: try verdict(identity, permits: false, host: "h1.example")) == nil)
        for garbage in ["", "{", "[]", #"{"chat.example:443": 1}"#, #"{"chat.example:443": ["x"]}"#] {
            _ = try folder.write("accepted-keys.json", Array(garbage.utf8))
            #expect(AcceptedKeys(root: folder.url).keys(for: refused)?.isEmpty != false)
        }
    }
}
