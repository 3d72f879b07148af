package import Foundation
package import HoldfastTestSupport
package import HoldfastTrust

/// The environment for a test with a third-party program: a temporary folder and certificates that are valid today,
/// because such programs use the machine's clock.
package struct PeerFolder: Sendable {
    package let url: URL
    /// The host name in the certificates.
    package let host: String
    package let factory: CertificateFactory
    package let root: Identity
    /// The server's identity, below an intermediate authority. Its files are `chain.pem`, `key.pem` and `root.pem`.
    package let leaf: Identity
    /// An identity with another key, under the same authority.
    package let other: Identity
    /// An identity with another key, under an untrusted authority.
    package let rogue: Identity

    /// Creates a folder, runs `body` and removes the folder.
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

    /// Returns a policy that pins this key; by default, the server's own.
    package func policy(pin identity: Identity? = nil) throws -> PinningPolicy {
        try PinningPolicy(
            name: "peer",
            rules: [PinningRule(HostPattern(host), pins: PinSet([Pin((identity ?? leaf).spkiDigest)]))],
            backupPins: .off)
    }
}

// nginx. It writes files in the folder only.
extension PeerFolder {
    /// Returns a configuration file with the given contents of the `http` block and the directives before it.
    package func nginx(global: String = "", http: String) -> String {
        """
        user root;
        worker_processes 1;
        pid \(path("nginx.pid"));
        error_log \(path("error.log"));
        \(global)
        events { worker_connections 128; }
        http {
            access_log off;
            client_body_temp_path \(path("body"));
            proxy_temp_path \(path("proxy"));
            fastcgi_temp_path \(path("fastcgi"));
            uwsgi_temp_path \(path("uwsgi"));
            scgi_temp_path \(path("scgi"));
            \(http)
        }
        """
    }

    /// Returns the lines of a `server` block that listens on a port with TLS.
    package func nginxListens(_ port: UInt16, http2: Bool = false) -> String {
        """
        listen 127.0.0.1:\(port) ssl\(http2 ? " http2" : "");
        ssl_certificate \(path("chain.pem"));
        ssl_certificate_key \(path("key.pem"));
        """
    }

    /// Starts nginx in the background. Returns its port and a closure that stops it.
    ///
    /// The started process exits when the server listens or cannot bind the port. The port is held until then, so that
    /// no other server gets it. If nginx cannot bind it, this method tries another port, up to five times.
    ///
    /// - Throws: ``PeerMissing`` if nginx does not start.
    package func startNginx(
        _ configuration: (UInt16) async throws -> String
    ) async throws -> (UInt16, @Sendable () async throws -> Void) {
        for _ in 0..<5 {
            let held = try HeldPort(for: .program)
            defer { held.free() }
            let port = held.number
            let file = try write("nginx.conf", try await configuration(port))
            let arguments = ["-p", url.path, "-e", path("error.log"), "-c", file]
            if try await PeerProgram.nginx.run(arguments, quiet: true).status == 0 {
                return (port, { _ = try await PeerProgram.nginx.run(arguments + ["-s", "stop"], quiet: true) })
            }
        }
        throw PeerMissing()
    }
}
