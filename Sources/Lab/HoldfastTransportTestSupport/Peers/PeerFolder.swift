package import Foundation
package import HoldfastTestSupport
package import HoldfastTrust

/// What a test with other people's programs needs: a folder for their files, and certificates that are valid today, since
/// those programs look at the machine's clock.
package struct PeerFolder: Sendable {
    package let url: URL
    /// The name in the certificates.
    package let host: String
    package let factory: CertificateFactory
    package let root: Identity
    /// The server's, below an intermediate authority. `chain.pem`, `key.pem` and `root.pem` are its files.
    package let leaf: Identity
    /// Another key under the same authority.
    package let other: Identity
    /// Another key under an authority that nobody trusts.
    package let rogue: Identity

    /// Runs `body` with a folder that is removed afterwards.
    package static func with<R: Sendable>(
        host: String, _ body: @Sendable (PeerFolder) async throws -> R
    ) async throws -> R {
        let folder = try PeerFolder(host: host)
        defer { try? FileManager.default.removeItem(at: folder.url) }
        return try await body(folder)
    }

    private init(host: String) throws {
        self.host = host
        url = FileManager.default.temporaryDirectory.appending(path: "holdfast-peer-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        factory = CertificateFactory(now: TrustClock.system.now())
        root = try factory.authority("Peer Root")
        let intermediate = try factory.intermediate("Peer Intermediate", signedBy: root)
        leaf = try factory.leaf([host], signedBy: intermediate)
        other = try factory.leaf([host], signedBy: intermediate)
        rogue = try factory.leaf([host], signedBy: factory.authority("Rogue Root"))
        try write("chain.pem", leaf.chainPEM)
        try write("key.pem", leaf.privateKeyPEM)
        try write("root.pem", root.chainPEM)
    }

    package func path(_ name: String) -> String { url.appending(path: name).path }

    @discardableResult
    package func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: url.appending(path: name))
        return path(name)
    }

    /// A policy that pins this key; the server's own by default.
    package func policy(pin identity: Identity? = nil) throws -> PinningPolicy {
        try PinningPolicy(
            name: "peer",
            rules: [PinningRule(HostPattern(host), pins: PinSet([Pin((identity ?? leaf).spkiDigest)]))],
            backupPins: .off)
    }
}
