import Foundation

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
