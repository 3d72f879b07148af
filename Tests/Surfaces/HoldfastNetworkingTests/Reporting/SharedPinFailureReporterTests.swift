import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import Logging
import Synchronization
import Testing

@testable import HoldfastNetworking

/// The reporter that starts automatically.
@Suite struct SharedPinFailureReporterTests {
    private static let host = "shop.example.com"

    /// A server whose key is not the pinned one.
    private func failure(to address: String) throws -> TrustVerdict {
        let factory = CertificateFactory()
        let root = try factory.authority("Test Root")
        let leaf = try factory.leaf([Self.host], signedBy: root)
        var rule = try PinningRule(HostPattern(Self.host), pins: PinSet([Pin(SPKIDigest(hashing: [1]))]))
        rule.reportURIs = [address]
        let policy = try PinningPolicy(name: "shop", rules: [rule], backupPins: .off)
        let judgement = TrustContext.policy(policy, anchors: .only([root.view])).judge(
            PresentedChain(der: leaf.chain), for: TrustSubject(host: try CanonicalHost(Self.host), port: 443),
            at: factory.now)
        guard case .now(let verdict) = judgement else { throw CancellationError() }
        return verdict
    }

    /// A different reporter, as in a second process, uses the folder and then ends.
    @Test(.timeLimit(.minutes(1))) func aFolderInUseIsTriedAgain() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "holdfast-background-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        try FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let folder = root + "/reports"
        // No server listens on this port, so the reports stay in the folder.
        let verdict = try failure(to: "http://127.0.0.1:1/")

        let (claims, claimed) = AsyncStream.makeStream(of: ReportEvent.self)
        var configuration = PinFailureReporter.Configuration(
            folder: folder, identity: ReportIdentity(bundleID: "com.example.shop", version: "1"))
        configuration.onEvent = { claimed.yield($0) }
        let other = PinFailureReporter(configuration: configuration)
        other.record(try failure(to: "ftp://x/"))
        let run = Task { try await other.run() }  // reason: ended below
        defer { run.cancel() }
        for await event in claims where event == .badDestination { break }

        let (pauses, paused) = AsyncStream.makeStream(of: Duration.self)
        let (times, time) = AsyncStream.makeStream(of: Void.self)
        let shared = SharedPinFailureReporter.shared(
            folder: folder, anchors: .only([]), clock: .system, logger: RecordingLogHandler().logger(),
            pause: {
                paused.yield($0)
                for await _ in times { break }
                try Task.checkCancellation()
            })
        let reporter = try #require(shared)
        var waits = pauses.makeAsyncIterator()
        #expect(await waits.next() == .seconds(60))
        time.yield()
        #expect(await waits.next() == .seconds(60))

        run.cancel()
        try await run.value
        reporter.record(verdict)
        time.yield()
        var files: [String] = []
        while files.isEmpty, !Task.isCancelled {
            files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".report") }
            await Task.yield()
        }
        #expect(files.count == 1)
        withExtendedLifetime(reporter) {}
    }
}
