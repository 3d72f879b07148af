import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust

/// What a test with other people's programs needs: a folder for their files, and certificates that are valid today, since
/// those programs look at the machine's clock.
struct PeerFolder: Sendable {
    let url: URL
    let factory: CertificateFactory
    let root: Identity
    let leaf: Identity
    let rogue: Identity

    /// Runs `body` with a folder that is removed afterwards.
    static func with<R: Sendable>(_ body: @Sendable (PeerFolder) async throws -> R) async throws -> R {
        let folder = try PeerFolder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        return try await body(folder)
    }

    private init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "holdfast-peer-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        factory = CertificateFactory(now: TrustClock.system.now())
        root = try factory.authority("Peer Root")
        leaf = try factory.leaf([PinnedWorld.host], signedBy: factory.intermediate("Peer Intermediate", signedBy: root))
        rogue = try factory.leaf([PinnedWorld.host], signedBy: factory.authority("Rogue Root"))
        try write("chain.pem", leaf.chainPEM)
        try write("key.pem", leaf.privateKeyPEM)
        try write("root.pem", root.chainPEM)
    }

    func path(_ name: String) -> String { url.appending(path: name).path }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: url.appending(path: name))
        return path(name)
    }

    /// A client that pins this key; the server's own by default.
    func configuration(pin identity: Identity? = nil) throws -> TransportConfiguration {
        let policy = try PinningPolicy(
            name: "peer",
            rules: [
                PinningRule(HostPattern(PinnedWorld.host), pins: PinSet([Pin((identity ?? leaf).spkiDigest)]))
            ], backupPins: .off)
        return TransportConfiguration(
            trust: .policy(policy, anchors: .only([root.view])), hostOverrides: [PinnedWorld.host: "127.0.0.1"])
    }
}
