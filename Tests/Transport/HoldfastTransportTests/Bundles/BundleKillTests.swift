#if os(Linux)
import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization
import Testing

/// A process is killed while it fetches bundles one after the other. The next process has the last bundle or the one
/// before it.
@Suite(.timeLimit(.minutes(2))) struct BundleKillTests {
    static let variable = "HOLDFAST_TEST_BUNDLE_CHILD"

    /// The work of the process that is killed, not a test. The process gets the key from the folder.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil))
    func bundleChild() async throws {
        let parts = try #require(ProcessInfo.processInfo.environment[Self.variable]).split(separator: "|").map(
            String.init)
        let key = try Data(contentsOf: URL(filePath: parts[0] + ".pub"))
        let app = BundleHolder(
            BundleState(
                embedded: try PinningPolicy(holdfastJSON: FetchWorld.policy(SPKIDigest(hashing: [1]))), version: 1,
                keys: [try BundleKey(id: "2031-a", publicKey: Array(key))], application: FetchWorld.application),
            file: BundleFile(folder: parts[0]))
        var configuration = PinBundleFetcher.Configuration(url: parts[1], folder: parts[0])
        configuration.clock = ManualTrustClock().clock
        let fetcher = PinBundleFetcher(app, configuration: configuration)
        while true { try await fetcher.fetchNow() }
    }

    /// Kills the process when this many bundles have been requested.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] == nil), arguments: [1, 2, 7, 20])
    func aBundleSurvivesTheKilledProcess(after count: Int) async throws {
        try await FetchWorld.with { world in
            let key = world.folder + ".pub"
            defer { try? FileManager.default.removeItem(atPath: key) }
            try Data(world.signer.publicKeyPEM.utf8).write(to: URL(filePath: key))
            let served = Mutex<Int64>(1)
            try await ScriptedServer.with({ _ in
                let version = served.withLock { version in
                    version += 1
                    return version
                }
                guard
                    let bundle = try? world.bundle(
                        version, pin: SPKIDigest(hashing: [UInt8(truncatingIfNeeded: version)]))
                else { return [.cut] }
                return [.text("HTTP/1.1 200 OK\nContent-Length: \(bundle.count)\n\n"), .send(bundle)]
            }) { server in
                let uri = "http://127.0.0.1:\(server.port)/"
                let child = try PeerProcess.test(
                    "BundleKillTests", variable: Self.variable, value: "\(world.folder)|\(uri)")
                await server.waitForRequests(count)
                child.stop()
                await server.waitForClosed(server.connectionCount)
                let app = try world.app()
                let last = served.withLock { $0 }
                let restoration = try app.restore(at: world.clock.now)
                // The last bundle may still be in transfer. The one before it was on the disk when the last was
                // requested.
                #expect(restoration == .restored || last == 2)
                #expect(app.version == last || app.version == last - 1, "\(app.version) of \(last)")
                let outcome = try await world.fetcher(app, uri).fetchNow()
                // In the meantime the server may have answered a request that the killed process left behind.
                #expect(outcome == .taken(version: served.withLock { $0 }) && app.version > last)
            }
        }
    }
}
#endif
