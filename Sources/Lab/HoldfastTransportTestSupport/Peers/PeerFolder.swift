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

// nginx, with everything that it writes inside the folder.
extension PeerFolder {
    /// A configuration file around what stands in its `http` block, and what stands before that.
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

    /// The lines of a `server` block that listens on a port with TLS.
    package func nginxListens(_ port: UInt16, http2: Bool = false) -> String {
        """
        listen 127.0.0.1:\(port) ssl\(http2 ? " http2" : "");
        ssl_certificate \(path("chain.pem"));
        ssl_certificate_key \(path("key.pem"));
        """
    }

    /// Starts it in the background. Returns its port, and what ends it.
    ///
    /// The program that is started ends when the server listens, or when it could not take the port: another may have taken
    /// it meanwhile, and it is tried again.
    package func startNginx(
        _ configuration: (UInt16) async throws -> String
    ) async throws -> (UInt16, @Sendable () async throws -> Void) {
        for _ in 0..<5 {
            let port = try await PeerPort.free()
            let file = try write("nginx.conf", try await configuration(port))
            let arguments = ["-p", url.path, "-e", path("error.log"), "-c", file]
            if try await PeerProgram.nginx.run(arguments, quiet: true).status == 0 {
                return (port, { _ = try await PeerProgram.nginx.run(arguments + ["-s", "stop"], quiet: true) })
            }
        }
        throw PeerMissing()
    }
}
