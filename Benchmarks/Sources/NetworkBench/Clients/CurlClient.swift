import BenchSupport
import Foundation

/// curl in a separate process. Its start counts, except for the first byte, for which curl reports the time itself.
struct CurlClient: Client {
    let name = "curl"
    private let program: String
    private let rootFile: URL

    /// Creates the client; `nil` if curl is not installed.
    init?(_ site: NetworkSite, folder: URL) throws {
        guard let program = ChildProcess.path(of: "curl") else { return nil }
        self.program = program
        rootFile = folder.appendingPathComponent("root.pem")
        try site.rootPEM.write(to: rootFile, atomically: true, encoding: .utf8)
    }

    func page(_ page: Page, _ version: HTTPVersion, at address: Address) async throws -> Double {
        var arguments = options(address) + ["--parallel", "--write-out", "%{size_download}\\n"]
        arguments += version == .http1 ? ["--http1.1", "--parallel-max", "\(connectionsOfHTTP1)"] : ["--http2"]
        for size in page.sizes { arguments += ["--output", "/dev/null", "\(address.origin)/\(size)"] }
        let (output, milliseconds) = try await run(arguments)
        let bytes = output.split(separator: "\n").reduce(0) { $0 + (Int($1) ?? 0) }
        guard bytes == page.bytes else { throw WrongResponse(client: name, what: "\(bytes) bytes of a page") }
        return milliseconds
    }

    func firstByte(at address: Address) async throws -> Double {
        let (output, _) = try await run(
            options(address) + [
                "--http1.1", "--output", "/dev/null", "--write-out", "%{time_starttransfer}", "\(address.origin)/1000",
            ])
        guard let seconds = Double(output) else { throw WrongResponse(client: name, what: "no time: \(output)") }
        return seconds * 1000
    }

    func upload(_ file: UploadedFile, at address: Address, through relay: Relay) async throws -> Upload {
        try await relay.planCut(after: file.bytes.count / 2, isReleased: true)
        let (output, milliseconds) = try await run(
            options(address) + [
                // Without `Expect`, curl sends the file at once, as the other clients do.
                "--http1.1", "--header", "Expect:", "--retry", "3", "--retry-all-errors", "--retry-delay", "1",
                "--upload-file", file.url.path, "\(address.origin)/upload",
            ])
        return Upload(milliseconds: milliseconds, hash: output)
    }

    private func options(_ address: Address) -> [String] {
        [
            "--disable", "--no-progress-meter", "--silent", "--fail", "--noproxy", "*", "--cacert", rootFile.path,
            "--user-agent", "bench", "--resolve", "\(NetworkSite.host):\(address.port):127.0.0.1",
        ]
    }

    /// Returns the output and the milliseconds until the process has ended.
    private func run(_ arguments: [String]) async throws -> (output: String, milliseconds: Double) {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let start = ContinuousClock.now
                        let output = try ChildProcess.output(of: program, arguments)
                        return (output, (ContinuousClock.now - start).milliseconds)
                    })
            }
        }
    }
}
