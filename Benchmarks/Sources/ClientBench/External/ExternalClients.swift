import BenchSupport
import Foundation
import HoldfastTrust

/// Clients in separate processes: curl and Go, if installed, and some contestants for comparison.
struct ExternalClients {
    private let site: Site
    private let seconds: Double
    /// The PEM file with the root certificate.
    private let rootFile: URL
    private let folder: URL

    init(_ site: Site, seconds: Double) throws {
        self.site = site
        self.seconds = seconds
        self.folder = FileManager.default.temporaryDirectory.appendingPathComponent("ClientBench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.rootFile = folder.appendingPathComponent("root.pem")
        let base64 = Data(site.root).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        try "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
            .write(to: rootFile, atomically: true, encoding: .utf8)
    }

    func tidyUp() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Measures all available clients in turn, round by round, with `concurrency` concurrent requests. `goSource` is
    /// the file of the Go program.
    func measure(_ concurrency: Int, rounds: Int, goSource: String?) throws -> [ExternalClientFigure] {
        var clients: [(name: String, run: () throws -> (Int, Double))] = []
        for contestant in [ContestantKind.holdfast, .asyncHTTPClient] {
            clients.append((contestant.rawValue, { try own(contestant, concurrency) }))
        }
        if let go = ChildProcess.path(of: "go"), let goSource {
            let program = folder.appendingPathComponent("peer").path
            _ = try ChildProcess.output(of: go, ["build", "-o", program, goSource])
            clients.append(("Go net/http, pinned", { try timed(program, goArguments(concurrency)) }))
        }
        if let curl = ChildProcess.path(of: "curl") {
            clients.append(("curl --pinnedpubkey", { try self.curl(curl, concurrency) }))
        }
        var figures = clients.map { _ in [ExternalClientFigure]() }
        for _ in 0..<rounds {
            for (index, client) in clients.enumerated() {
                let before = ProcessorTime.ofChildren()
                let (requests, seconds) = try client.run()
                let cpu = ProcessorTime.ofChildren() - before
                figures[index].append(
                    ExternalClientFigure(
                        client: client.name, concurrency: concurrency, requestsPerSecond: Double(requests) / seconds,
                        cpuPerRequest: cpu / Double(max(1, requests))))
            }
        }
        return figures.compactMap { figures in
            guard var figure = figures.first else { return nil }
            figure.requestsPerSecond = figures.map(\.requestsPerSecond).median
            figure.cpuPerRequest = figures.map(\.cpuPerRequest).median
            return figure
        }
    }

    private func own(_ contestant: ContestantKind, _ concurrency: Int) throws -> (Int, Double) {
        let site = String(decoding: try JSONEncoder().encode(site), as: UTF8.self)
        return try Self.parse(
            ChildProcess.ownOutput([
                "load", "--contestant", contestant.rawValue, "--concurrency", "\(concurrency)", "--seconds",
                "\(seconds)",
                "--site", site,
            ]))
    }

    private func timed(_ program: String, _ arguments: [String]) throws -> (Int, Double) {
        try Self.parse(ChildProcess.output(of: program, arguments))
    }

    private func goArguments(_ concurrency: Int) -> [String] {
        [
            "-url", "https://\(Site.host):\(site.securePort)/200B", "-root", rootFile.path,
            "-pin", Data(site.leafKey).base64EncodedString(), "-concurrency", "\(concurrency)", "-seconds",
            "\(seconds)",
        ]
    }

    /// Measures curl. It sends a fixed number of requests. Its start counts.
    private func curl(_ program: String, _ concurrency: Int) throws -> (Int, Double) {
        let requests = 2000
        var arguments = [
            "--no-progress-meter", "--http1.1", "--cacert", rootFile.path, "--output", "/dev/null",
            "--pinnedpubkey", "sha256//" + Data(site.leafKey).base64EncodedString(),
            "https://\(Site.host):\(site.securePort)/200B?[1-\(requests)]",
        ]
        if concurrency > 1 { arguments += ["--parallel", "--parallel-max", "\(concurrency)"] }
        let start = ContinuousClock.now
        _ = try ChildProcess.output(of: program, arguments)
        return (requests, (ContinuousClock.now - start) / .seconds(1))
    }

    private static func parse(_ output: String) throws -> (Int, Double) {
        let parts = output.split(whereSeparator: \.isWhitespace)
        guard parts.count == 2, let requests = Int(parts[0]), let seconds = Double(parts[1]) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return (requests, seconds)
    }
}
