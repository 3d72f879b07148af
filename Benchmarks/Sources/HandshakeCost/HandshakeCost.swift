import Foundation
import HoldfastNIO
import HoldfastTestSupport
import HoldfastTrust
import NIOCore
import NIOPosix
import NIOSSL

/// Compares a pinned handshake with one that NIOSSL verifies itself, in turn, with one server in the same process.
@main
struct HandshakeCost {
    static let handshakesPerRound = 100

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        func option(_ name: String) -> Int? {
            arguments.firstIndex(of: name).flatMap { Int(arguments.dropFirst($0).first ?? "") }
        }
        let rounds = max(1, option("--rounds") ?? 30)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let serverGroup = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let factory = CertificateFactory(now: TrustClock.system.now())
        let root = try factory.authority("Benchmark Root")
        let intermediate = try factory.intermediate("Benchmark Intermediate", signedBy: root)
        // The 32 chains are used in turn. If the verdict cache is on, it holds all of them.
        let leaves = try (0..<32).map { _ in try factory.leaf(["localhost"], signedBy: intermediate) }
        let server = try await BenchmarkServer.start(leaves, on: serverGroup)

        let all = try [
            ("NIOSSL's own full verification", stock(root, group, server)),
            ("Holdfast, pinned, cache off", pinned(root, intermediate, group, server, cached: false)),
            ("Holdfast, pinned, cache warm", pinned(root, intermediate, group, server, cached: true)),
        ]
        // `--only N` is for profilers.
        let contenders = option("--only").map { [all[min(max($0, 0), all.count - 1)]] } ?? all
        for (_, handshake) in contenders { for _ in 0..<50 { try await handshake() } }

        var samples = contenders.map { _ in [Sample]() }
        for _ in 0..<rounds {
            for (index, contender) in contenders.enumerated() {
                let start = Sample.now
                for _ in 0..<handshakesPerRound { try await contender.1() }
                samples[index].append((Sample.now - start) / Double(handshakesPerRound))
            }
        }
        report(contenders.map(\.0), samples, rounds)
        try await server.close()
        try await group.shutdownGracefully()
        try await serverGroup.shutdownGracefully()
    }

    private static func report(_ names: [String], _ samples: [[Sample]], _ rounds: Int) {
        print("\(rounds) rounds of \(handshakesPerRound) handshakes each, P-256, 32 chains in turn.")
        print("Medians in µs per handshake; client and server in this process.")
        print("Ratios are relative to the first line: medians over the rounds.")
        for (index, name) in names.enumerated() {
            let cpu = median(samples[index].map(\.cpu))
            let wall = median(samples[index].map(\.wall))
            let cpuRatio = median(zip(samples[index], samples[0]).map { $0.cpu / $1.cpu })
            let wallRatio = median(zip(samples[index], samples[0]).map { $0.wall / $1.wall })
            print(
                "\(name.padding(toLength: 34, withPad: " ", startingAt: 0))"
                    + String(
                        format: " cpu %6.0f  wall %6.0f  ratio cpu %.2f  wall %.2f", cpu, wall, cpuRatio, wallRatio))
        }
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    // MARK: - Contenders

    private static func stock(
        _ root: Identity, _ group: any EventLoopGroup, _ server: any Channel
    ) throws -> () async throws -> Void {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([try NIOSSLCertificate(bytes: root.certificateDER, format: .der)])
        let context = try NIOSSLContext(configuration: configuration)
        let address = server.localAddress
        return {
            try await handshake(group, address) { channel in
                let finished = channel.eventLoop.makePromise(of: Void.self)
                try channel.pipeline.syncOperations.addHandlers([
                    try NIOSSLClientHandler(context: context, serverHostname: "localhost"),
                    HandshakeWatcher(finished),
                ])
                return finished.futureResult
            }
        }
    }

    private static func pinned(
        _ root: Identity, _ intermediate: Identity, _ group: any EventLoopGroup, _ server: any Channel, cached: Bool
    ) throws -> () async throws -> Void {
        let host = try CanonicalHost("localhost")
        let pins = PinSet([Pin(intermediate.spkiDigest), Pin(SPKIDigest(hashing: [1]))])
        let policy = try PinningPolicy(name: "benchmark", rules: [PinningRule(host: host, pins: pins)])
        let trust = TrustContext.policy(policy, anchors: .only([root.view]))
        let tls = try PinnedTLSHandlerFactory(trust: cached ? trust : trust.withoutVerdictCache())
        let address = server.localAddress
        return {
            try await handshake(group, address) { channel in
                try tls.addHandlers(to: channel.pipeline.syncOperations, host: host).outcome.map { _ in }
            }
        }
    }

    /// Connects, waits for the end of the handshake and closes the connection.
    private static func handshake(
        _ group: any EventLoopGroup, _ address: SocketAddress?,
        prepare: @escaping @Sendable (any Channel) throws -> EventLoopFuture<Void>
    ) async throws {
        guard let address else { throw ChannelError.unknownLocalAddress }
        let (channel, finished) = try await ClientBootstrap(group: group).connect(to: address) { channel in
            channel.eventLoop.makeCompletedFuture { (channel, try prepare(channel)) }
        }
        try await finished.get()
        try? await channel.close()
    }
}
