import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import HoldfastWebSocket

/// Certificates that are valid today, since other people's programs look at the machine's clock, and a folder for those
/// programs' files.
struct PeerWorld: Sendable {
    static let host = "peer.example.com"

    let folder: URL
    let root: Identity
    let leaf: Identity
    /// Another key under the same authority.
    let other: Identity

    /// Runs `body` with a folder that is removed afterwards.
    static func with<R: Sendable>(_ body: @Sendable (PeerWorld) async throws -> R) async throws -> R {
        let world = try PeerWorld()
        defer { try? FileManager.default.removeItem(at: world.folder) }
        return try await body(world)
    }

    private init() throws {
        let factory = CertificateFactory(now: TrustClock.system.now())
        root = try factory.authority("Peer Root")
        let intermediate = try factory.intermediate("Peer Intermediate", signedBy: root)
        leaf = try factory.leaf([Self.host], signedBy: intermediate)
        other = try factory.leaf([Self.host], signedBy: intermediate)
        folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-websocket-peer-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write("chain.pem", leaf.chainPEM)
        try write("key.pem", leaf.privateKeyPEM)
        try write("root.pem", root.chainPEM)
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: folder.appending(path: name))
        return path(name)
    }

    /// A client that pins a key, the server's own unless told otherwise.
    func client(pin identity: Identity? = nil) throws -> WebSocketClient {
        let policy = try PinningPolicy(
            name: "peer",
            rules: [PinningRule(HostPattern(Self.host), pins: PinSet([Pin((identity ?? leaf).spkiDigest)]))],
            backupPins: .off)
        return WebSocketClient(
            configuration: TransportConfiguration(
                trust: .policy(policy, anchors: .only([root.view])), hostOverrides: [Self.host: "127.0.0.1"]))
    }

    func url(_ path: String, port: UInt16) -> String { "wss://\(Self.host):\(port)\(path)" }
}
