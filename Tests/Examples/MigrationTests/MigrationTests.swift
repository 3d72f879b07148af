import ChatCenter
import ChatDevServer
import Foundation
import HoldfastTestKit
import HoldfastTransport
import HoldfastTrust
import Testing

@testable import AlamofireAfter
@testable import AndroidAfter
@testable import AsyncHTTPClientAfter
@testable import AsyncHTTPClientBefore
@testable import EdnaAfter
@testable import GentleNetworkingAfter
@testable import OkHttpAfter
@testable import TrustKitAfter
@testable import URLSessionAfter

/// The programs of docs/migration.md. Each program after the change accepts a server with its pins, refuses the same
/// server with other pins, and refuses the attacks of the test kit.
@Suite(.timeLimit(.minutes(2))) struct MigrationTests {
    let site: PinnedSite
    /// A site with other keys, for wrong pins.
    let other: PinnedSite

    init() throws {
        site = try PinnedSite()
        other = try PinnedSite()
    }

    @Test func trustKit() async throws {
        try await expectPins { [site] pinned, url in
            let client = try TrustKitAfter.ShopClient(
                host: site.host, pins: pinned.pins.map(\.base64), anchors: site.anchors)
            let answer = try await client.load(url)
            #expect(answer == Data("ok".utf8))
        }
    }

    @Test func alamofire() async throws {
        try await expectPins { [site] pinned, url in
            let client = AlamofireAfter.ShopClient(
                host: site.host, certificates: [pinned.identity.view], anchors: site.anchors)
            let answer = try await client.status(of: url)
            #expect(answer == 200)
        }
    }

    @Test func gentleNetworking() async throws {
        try await expectPins { [site] pinned, url in
            let hashes = pinned.pins.map { Data($0.bytes) }
            let client = GentleNetworkingAfter.ShopClient(
                host: site.host, keyHash: hashes[0], backupHash: hashes[1], baseURL: url, anchors: site.anchors)
            try await client.checkHealth()
        }
    }

    @Test func urlSessionDelegate() async throws {
        try await expectPins(.certificate) { [site] pinned, url in
            let client = URLSessionAfter.ShopClient(
                host: site.host, certificate: Data(pinned.identity.certificateDER), anchors: site.anchors)
            let answer = try await client.load(url)
            #expect(answer == Data("ok".utf8))
        }
    }

    @Test func asyncHTTPClient() async throws {
        try await expectPins { [site] pinned, url in
            let client = try AsyncHTTPClientAfter.ShopClient(
                host: site.host, pins: pinned.pins.map { "sha256/\($0.base64)" }, anchors: site.anchors)
            do {
                let answer = try await client.status(of: "/", at: Self.authority(of: url))
                #expect(answer == 200)
                await client.shutdown()
            } catch {
                await client.shutdown()
                throw error
            }
        }
    }

    /// What the change is for: the program before it accepts every key that a trusted authority certifies.
    @Test func asyncHTTPClientWithoutPinsAcceptsAnotherKey() async throws {
        let trial = PinningTrial(site: site, attacks: [.wrongKey, .smuggledPin])
        let report = try await trial.report { [site] url in
            let client = AsyncHTTPClientBefore.ShopClient(authorities: site.caFile)
            do {
                _ = try await client.status(of: "/", at: Self.authority(of: url))
                try await client.shutdown()
            } catch {
                try await client.shutdown()
                throw error
            }
        }
        #expect(report.accepted == [.wrongKey, .smuggledPin], "\(report)")
    }

    @Test func okHttp() async throws {
        try await expectPins { [site] pinned, url in
            let client = try OkHttpAfter.ShopClient(
                pattern: site.host, pins: pinned.pins.map { "sha256/\($0.base64)" }, anchors: site.anchors)
            let answer = try await client.status(of: url)
            #expect(answer == 200)
        }
    }

    @Test func android() async throws {
        let file = try #require(Self.migration?.appendingPathComponent("Android/network_security_config.xml"))
        let sample = try String(contentsOf: file, encoding: .utf8)
        try await expectPins { [site] pinned, url in
            var text = sample.replacing("api.example.com", with: site.host)
            for (old, new) in zip(Self.samplePins, pinned.pins) { text = text.replacing(old, with: new.base64) }
            let client = try AndroidAfter.ShopClient(configuration: Data(text.utf8), anchors: site.anchors)
            let answer = try await client.status(of: url)
            #expect(answer == 200)
        }
    }

    @Test(arguments: [(CertificateScenario.genuine, true), (.otherAuthority, false), (.newKeySameAuthority, false)])
    func edna(scenario: CertificateScenario, accepted: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("migration-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let authority = try ServerCertificateAuthority(now: TrustClock.system.now())
        let certificates = try [authority.leaf, authority.backupLeaf].enumerated().map { number, identity in
            let file = folder.appendingPathComponent("\(number).cer")
            try Data(identity.certificateDER).write(to: file)
            return file
        }
        var backend = ChatDevServerConfiguration()
        backend.tls = try authority.identity(for: scenario)
        try await ChatDevServer.with(backend) { server in
            let place = "\(authority.host):\(try await server.started().port)"
            let transport = try ChatTransportConfig(
                validating: "https://\(place)", webSocket: "wss://\(place)/socket", dataStore: "https://\(place)/files")
            let chat = try SupportChat(
                transport: transport, certificates: certificates, folder: folder.appendingPathComponent("Chat"))
            if accepted {
                try await chat.signIn("alice")
                #expect(try chat.open().state.messages.isEmpty)
            } else {
                let error = await #expect(throws: ChatAuthorizationError.self) { try await chat.signIn("alice") }
                #expect(error?.verdict?.finding.code == .pinMismatch, "\(error as Any)")
            }
        }
    }

    @Test func unreadableCertificatesOfTheChatAreAnError() throws {
        let transport = ChatTransportConfig(cloudHost: "chat.example.com")
        #expect(throws: SSLPinningConfigError.self) {
            try SupportChat(transport: transport, certificates: [URL(fileURLWithPath: "/nonexistent.cer")])
        }
    }

    // MARK: - The servers

    /// Expects that the client accepts the site with the site's pins, and refuses it with those of another site before
    /// it sends a request. Then runs the attacks of the test kit.
    ///
    /// - Parameter client: Sends a request to the URL with the pins of the site that it gets.
    private func expectPins(
        _ part: PinningTrial.PinnedPart = .key, _ client: @escaping @Sendable (PinnedSite, URL) async throws -> Void
    ) async throws {
        let (site, other) = (site, other)
        try await LoopbackServer.with(site) { server in
            try await client(site, server.url)
            #expect(server.requests.count == 1)
            let error = await #expect(throws: TransportError.self) { try await client(other, server.url) }
            #expect(error?.code == .trustRefused)
            #expect(error?.verdict?.decision == .block, "\(error as Any)")
            #expect(server.requests.count == 1, "a refused server must not get a request")
        }
        try await PinningTrial(site: site, pinned: part).requireRefusals { url in try await client(site, url) }
    }

    private static func authority(of url: URL) -> String {
        "\(url.host ?? ""):\(url.port ?? 0)"
    }

    /// The pins in the sample of Android's configuration.
    private static let samplePins = [
        "GC/52nAf0UTi/SzUHajdupeesBsr9/zDN29LGy7O5Oc=", "nmcbHM3thWbHaR5WZM/niFYs6UbCFhRfA+C4Od+TAfI=",
    ]

    /// The folder Examples/Migration.
    private static var migration: URL? {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder.appendingPathComponent("Examples/Migration")
    }
}
