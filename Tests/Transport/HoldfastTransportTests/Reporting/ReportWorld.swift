import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import Logging
import Synchronization
import Testing

@testable import HoldfastTransport

/// An app with a folder for its reports, a clock that a test moves, and failures to report.
struct ReportWorld: Sendable {
    static let identity = ReportIdentity(
        bundleID: "com.example.shop", version: "4.2", vendorID: "", platform: "LINUX", platformVersion: "6.1.0")

    let pinned: PinnedWorld
    let folder: String
    let clock = ManualTrustClock()
    let pause = ManualPause()
    let events = RecordedEvents<ReportEvent>()

    /// Runs `body` with a folder that is removed afterwards.
    static func with(_ body: (ReportWorld) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "holdfast-reports-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(ReportWorld(pinned: PinnedWorld(), folder: path))
    }

    /// The verdict on a server whose key is not the pinned one; another number makes another failure.
    func failure(
        _ number: UInt8 = 1, to uris: [String], enforcement: PinningRule.Enforcement = .enforce
    ) throws -> TrustVerdict {
        let context = TrustContext.policy(
            try policy(number, to: uris, enforcement: enforcement), anchors: .only([pinned.root.view]))
        let judgement = context.judge(
            PresentedChain(der: pinned.leaf.chain),
            for: TrustSubject(host: try CanonicalHost(PinnedWorld.host), port: 443), at: pinned.factory.now)
        guard case .now(let verdict) = judgement else { throw MissingError() }
        return verdict
    }

    /// A policy that pins a key that no server has.
    func policy(
        _ number: UInt8 = 1, to uris: [String], enforcement: PinningRule.Enforcement = .enforce
    ) throws -> PinningPolicy {
        var rule = try PinningRule(
            HostPattern(PinnedWorld.host), pins: PinSet([Pin(SPKIDigest(hashing: [number]))]), enforcement: enforcement)
        rule.reportURIs = uris
        return try PinningPolicy(name: "shop", rules: [rule], backupPins: .off)
    }

    func configuration(
        _ change: (inout PinFailureReporter.Configuration) -> Void = { _ in }
    ) -> PinFailureReporter.Configuration {
        var configuration = PinFailureReporter.Configuration(folder: folder, identity: Self.identity)
        configuration.clock = clock.clock
        configuration.anchors = .only([pinned.root.view])
        configuration.hostOverrides = [PinnedWorld.host: "127.0.0.1"]
        let events = events
        configuration.onEvent = { events.record($0) }
        change(&configuration)
        return configuration
    }

    /// A reporter whose timers are the test's. `entropy` is what it takes for random.
    func reporter(
        _ change: (inout PinFailureReporter.Configuration) -> Void = { _ in }, entropy: UInt64? = nil,
        client: (@Sendable () -> HTTPClient)? = nil, logger: Logger? = nil
    ) -> PinFailureReporter {
        let configuration = configuration(change)
        let (pause, transport) = (pause, PinFailureReporter.transport(configuration))
        return PinFailureReporter(
            configuration: configuration, logger: logger, client: client ?? { HTTPClient(configuration: transport) },
            entropy: { entropy ?? .random(in: .min ... .max) }, pause: { await pause.begin($0) })
    }

    /// Runs a reporter beside `body`, and ends it.
    func running(
        _ reporter: PinFailureReporter, _ body: () async throws -> Void
    ) async throws {
        let run = Task { try await reporter.run() }  // reason: ended below, whatever becomes of the body
        let result: Result<Void, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        run.cancel()
        try await run.value
        try result.get()
    }

    /// The reports on the disk.
    func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".report") }.sorted()
    }
}

/// What was told, in order, and a way to wait for it.
final class RecordedEvents<Event: Hashable & Sendable>: Sendable {
    private let state = Mutex<[Event]>([])

    func record(_ event: Event) {
        state.withLock { $0.append(event) }
    }

    var all: [Event] { state.withLock { $0 } }

    func count(_ event: Event) -> Int { all.count { $0 == event } }

    /// Returns when it was told so often. A test's time limit ends a wait in vain.
    func until(_ event: Event, _ times: Int = 1) async {
        while count(event) < times, !Task.isCancelled { await Task.yield() }
    }
}

/// A timer that goes off when a test says so.
final class ManualPause: Sendable {
    private let durations = Mutex<[Duration]>([])
    private let signal = WakeSignal()

    /// What was asked for, in order.
    var asked: [Duration] { durations.withLock { $0 } }

    func begin(_ duration: Duration) async {
        durations.withLock { $0.append(duration) }
        await signal.wait()
    }

    /// Returns when so many waits were asked for.
    func until(_ count: Int) async {
        while asked.count < count, !Task.isCancelled { await Task.yield() }
    }

    /// Returns when the last wait that was asked for is this long.
    func until(_ duration: Duration) async {
        while asked.last != duration, !Task.isCancelled { await Task.yield() }
    }

    /// The time is up.
    func wake() { signal.set() }
}
