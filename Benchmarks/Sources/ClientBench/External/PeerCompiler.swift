import BenchSupport
import Foundation

/// Compiles the clients in other languages. Returns `nil` if the compiler or a library is not installed.
enum PeerCompiler {
    /// Debian's packages for the client in Rust.
    static let rustPackages =
        "rustc cargo librust-reqwest-dev librust-hyper-dev librust-hyper-rustls-dev librust-tokio-dev "
        + "librust-rustls-pemfile-dev"

    /// Debian's folder with the sources of crates. Nothing is downloaded.
    private static let crates = "/usr/share/cargo/registry"

    /// Compiles a Go program.
    static func go(_ source: String, in folder: URL) -> String? {
        guard let go = ChildProcess.path(of: "go") else { return nil }
        let program = folder.appendingPathComponent("go-peer").path
        return succeeds(go, ["build", "-o", program, source]) ? program : nil
    }

    /// Compiles a Rust package with Debian's compiler and crates.
    static func rust(_ package: String, in folder: URL) -> String? {
        let cargo = "/usr/bin/cargo"
        guard FileManager.default.isExecutableFile(atPath: cargo), FileManager.default.fileExists(atPath: crates) else {
            return nil
        }
        // Cargo writes its lock file next to the manifest.
        let copy = folder.appendingPathComponent("rust")
        do {
            try FileManager.default.copyItem(atPath: package, toPath: copy.path)
        } catch {
            return nil
        }
        let arguments = [
            "PATH=/usr/bin:/bin", cargo, "build", "--quiet", "--release", "--offline", "--manifest-path",
            copy.appendingPathComponent("Cargo.toml").path, "--config", "source.crates-io.replace-with=\"debian\"",
            "--config", "source.debian.directory=\"\(crates)\"",
        ]
        return succeeds("/usr/bin/env", arguments) ? copy.appendingPathComponent("target/release/peer").path : nil
    }

    private static func succeeds(_ program: String, _ arguments: [String]) -> Bool {
        (try? ChildProcess.output(of: program, arguments)) != nil
    }
}
