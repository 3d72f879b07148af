import BenchSupport
import Foundation
import HoldfastBase
import HoldfastTrust

/// Clients in separate processes: those in other languages whose tools are installed, and some contestants.
struct ExternalClients {
    /// A client and its way to send requests. Returns their number and the seconds.
    private struct Client {
        var name: String
        var run: (Scenario.Version, _ concurrency: Int) throws -> (requests: Int, seconds: Double)
    }

    /// The number of requests of curl, which cannot send for a time.
    private static let curlRequests = 2000

    private let site: Site
    private let seconds: Double
    /// The PEM file with the root certificate.
    private let rootFile: URL
    private let folder: URL
    /// The clients that are measured.
    private var clients: [Client] = []
    /// The clients that are not installed, and what they need.
    private(set) var skipped: [String] = []

    /// Compiles the clients whose compilers are installed. `sources` is the folder `Benchmarks/Peers`.
    init(_ site: Site, seconds: Double, sources: String) throws {
        self.site = site
        self.seconds = seconds
        self.folder = FileManager.default.temporaryDirectory.appendingPathComponent("ClientBench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.rootFile = folder.appendingPathComponent("root.pem")
        try CertificateView(der: site.root).pem.write(to: rootFile, atomically: true, encoding: .utf8)
        for contestant in [ContestantKind.holdfast, .asyncHTTPClient] {
            clients.append(Client(name: contestant.rawValue) { [self] in try own(contestant, $0, $1) })
        }
        add(
            "reqwest, hyper with h2", needs: PeerCompiler.rustPackages, PeerCompiler.rust("\(sources)/rust", in: folder)
        )
        add("Go net/http", needs: "golang-go", PeerCompiler.go("\(sources)/go/main.go", in: folder))
        if let curl = ChildProcess.path(of: "curl") {
            clients.append(Client(name: "curl --pinnedpubkey") { [self] in try self.curl(curl, $0, $1) })
        } else {
            skipped.append("curl (curl)")
        }
    }

    private mutating func add(_ name: String, needs packages: String, _ program: String?) {
        guard let program else { return skipped.append("\(name) (\(packages))") }
        clients.append(Client(name: name) { [self] in try timed(program, $0, $1) })
    }

    func tidyUp() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Measures all clients in turn, round by round, with `concurrency` concurrent requests.
    func measure(_ version: Scenario.Version, _ concurrency: Int, rounds: Int) throws -> [ExternalClientFigure] {
        var figures = clients.map { _ in [ExternalClientFigure]() }
        for _ in 0..<rounds {
            for (index, client) in clients.enumerated() {
                let before = ProcessorTime.ofChildren()
                let (requests, seconds) = try client.run(version, concurrency)
                let cpu = ProcessorTime.ofChildren() - before
                figures[index].append(
                    ExternalClientFigure(
                        client: client.name, version: version, concurrency: concurrency,
                        requestsPerSecond: Double(requests) / seconds, cpuPerRequest: cpu / Double(max(1, requests))))
            }
        }
        return figures.compactMap { figures in
            guard var figure = figures.first else { return nil }
            figure.requestsPerSecond = figures.map(\.requestsPerSecond).median
            figure.cpuPerRequest = figures.map(\.cpuPerRequest).median
            return figure
        }
    }

    private func own(
        _ contestant: ContestantKind, _ version: Scenario.Version, _ concurrency: Int
    ) throws -> (Int, Double) {
        let site = String(decoding: try JSONEncoder().encode(site), as: UTF8.self)
        return try Self.parse(
            ChildProcess.ownOutput([
                "load", "--contestant", contestant.rawValue, "--version", version.rawValue, "--concurrency",
                "\(concurrency)", "--seconds", "\(seconds)", "--site", site,
            ]))
    }

    /// Runs one of the programs of `Benchmarks/Peers`, which have the same options.
    private func timed(
        _ program: String, _ version: Scenario.Version, _ concurrency: Int
    ) throws -> (Int, Double) {
        try Self.parse(
            ChildProcess.output(
                of: program,
                [
                    "-url", url(version), "-root", rootFile.path, "-pin", site.leafKey.hexadecimal, "-concurrency",
                    "\(concurrency)", "-seconds", "\(seconds)", "-http2", "\(version == .http2)",
                ]))
    }

    /// Measures curl. It sends a fixed number of requests. Its start counts.
    private func curl(
        _ program: String, _ version: Scenario.Version, _ concurrency: Int
    ) throws -> (Int, Double) {
        var arguments = [
            "--no-progress-meter", version == .http1 ? "--http1.1" : "--http2", "--cacert", rootFile.path, "--output",
            "/dev/null", "--pinnedpubkey", "sha256//" + Data(site.leafKey).base64EncodedString(),
            "\(url(version))?[1-\(Self.curlRequests)]",
        ]
        if concurrency > 1 { arguments += ["--parallel", "--parallel-max", "\(concurrency)"] }
        let start = ContinuousClock.now
        _ = try ChildProcess.output(of: program, arguments)
        return (Self.curlRequests, (ContinuousClock.now - start) / .seconds(1))
    }

    private func url(_ version: Scenario.Version) -> String {
        "https://\(Site.host):\(version == .http1 ? site.securePort : site.http2Port)/200B"
    }

    private static func parse(_ output: String) throws -> (Int, Double) {
        let parts = output.split(whereSeparator: \.isWhitespace)
        guard parts.count == 2, let requests = Int(parts[0]), let seconds = Double(parts[1]) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return (requests, seconds)
    }
}
