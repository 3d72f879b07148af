import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import NIOPosix

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

    /// A port that nobody listens on at this moment: for programs that cannot be told to take any and to say which. Another
    /// may take it before they do, so that a start which fails is tried again with another port.
    static func freePort() async throws -> UInt16 {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port.flatMap(UInt16.init)
        try await channel.close()
        guard let port else { throw MissingError() }
        return port
    }

    /// Returns when somebody listens on this port; false if the program has ended instead.
    static func listens(_ port: UInt16, _ process: PeerProcess) async -> Bool {
        for _ in 0..<500 {
            let attempt = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: Int(port))
            if let channel = try? await attempt.get() {
                try? await channel.close()
                return true
            }
            try? await Task.sleep(for: .milliseconds(10))  // reason: it does not tell when it listens
        }
        process.stop()
        return false
    }

    /// Starts a server that has to be given a port.
    static func startOnFreePort(
        _ start: (UInt16) async throws -> PeerProcess
    ) async throws -> (PeerProcess, UInt16) {
        for _ in 0..<5 {
            let port = try await freePort()
            let process = try await start(port)
            if await listens(port, process) { return (process, port) }
        }
        throw MissingError()
    }
}
