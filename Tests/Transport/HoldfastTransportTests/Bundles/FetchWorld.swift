import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import Logging

/// An operator that signs bundles, and an app that fetches them.
struct FetchWorld: Sendable {
    static let application = "com.example.shop"

    let pinned: PinnedWorld
    let folder: String
    let clock = ManualTrustClock()
    let pause = ManualPause()
    let signer = BundleSigningKey(generating: .ed25519, id: "2031-a")

    /// Runs `body` with a temporary folder.
    static func with(_ body: (FetchWorld) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "holdfast-bundles-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(FetchWorld(pinned: PinnedWorld(), folder: path))
    }

    /// Returns a policy that pins the test's host to this key.
    static func policy(_ pin: SPKIDigest) -> [UInt8] {
        let backup = SPKIDigest(hashing: Array("a key in a safe".utf8))
        return Array(
            #"""
            {"holdfast": 1, "name": "shop", "domains": [
            {"host": "\#(PinnedWorld.host)", "pins": ["\#(pin)", "\#(backup)"]}]}
            """#.utf8)
    }

    /// An app whose embedded policy pins the server's key.
    func app(version: Int64 = 1, keeps: Bool = true) throws -> BundleHolder {
        BundleHolder(
            BundleState(
                embedded: try PinningPolicy(holdfastJSON: Self.policy(pinned.leaf.spkiDigest)), version: version,
                keys: [try BundleKey(id: "2031-a", publicKey: Array(signer.publicKeyPEM.utf8))],
                application: Self.application),
            file: keeps ? BundleFile(folder: folder) : nil)
    }

    /// Returns a bundle that pins this key. The default is the server's key.
    func bundle(
        _ version: Int64, pin: SPKIDigest? = nil, application: String = Self.application,
        by key: BundleSigningKey? = nil,
        from start: Int64 = -10, until end: Int64 = 1_000
    ) throws -> [UInt8] {
        try SignedBundle.sign(
            policy: Self.policy(pin ?? pinned.leaf.spkiDigest), application: application, version: version,
            notBefore: clock.now.advanced(bySeconds: start), notAfter: clock.now.advanced(bySeconds: end),
            with: key ?? signer
        ).bytes
    }

    /// Returns a fetcher whose timers the test controls.
    func fetcher(
        _ bundles: BundleHolder, _ url: String, entropy: UInt64 = 0, client: HTTPClient? = nil, logger: Logger? = nil,
        _ change: (inout PinBundleFetcher.Configuration) -> Void = { _ in }
    ) -> PinBundleFetcher {
        var configuration = PinBundleFetcher.Configuration(url: url, folder: folder)
        configuration.clock = clock.clock
        configuration.trust = pinned.trust
        configuration.hostOverrides = [PinnedWorld.host: "127.0.0.1"]
        change(&configuration)
        let pause = pause
        return PinBundleFetcher(
            bundles, configuration: configuration,
            client: client ?? HTTPClient(configuration: PinBundleFetcher.transport(configuration)), logger: logger,
            entropy: { entropy }, pause: { await pause.begin($0) })
    }
}
