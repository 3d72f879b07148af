import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Logging
import Synchronization
import Testing

@testable import HoldfastTransport

/// An app with a folder for its reports, a clock that the test controls, and failures to report.
struct ReportWorld: Sendable {
    static let identity = ReportIdentity(
        bundleID: "com.example.shop", version: "4.2", vendorID: "", platform: "LINUX", platformVersion: "6.1.0")

    let pinned: PinnedWorld
    let folder: String
    /// A port on 127.0.0.1 that refuses every connection, so that reports wait.
    var refusingPort: UInt16 = 1
    let clock = ManualTrustClock()
    let pause = ManualPause()
    let events = RecordedEvents<ReportEvent>()

    /// Runs `body` with a temporary folder.
    static func with(_ body: (ReportWorld) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "holdfast-reports-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await RefusingPort.with { port in
            try await body(ReportWorld(pinned: PinnedWorld(), folder: path, refusingPort: port))
        }
    }

    /// Returns the verdict on a server with a different key than the pinned one. Each number is a different failure.
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

    /// A policy that pins a key that the servers do not have.
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

    /// Returns a reporter whose timers the test controls. `entropy` replaces its random numbers.
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

    /// Runs a reporter during `body`, and ends it.
    func running(
        _ reporter: PinFailureReporter, _ body: () async throws -> Void
    ) async throws {
        let run = Task { try await reporter.run() }  // reason: ended below, whatever the result of the body
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

/// Records the reporter's events in order, and waits for events.
final class RecordedEvents<Event: Hashable & Sendable>: Sendable {
    private let state = Mutex<[Event]>([])

    func record(_ event: Event) {
        state.withLock { $0.append(event) }
    }

    var all: [Event] { state.withLock { $0 } }

    func count(_ event: Event) -> Int { all.count { $0 == event } }

    /// Returns when the event has occurred this many times. The test's time limit ends an endless wait.
    func until(_ event: Event, _ times: Int = 1) async {
        while count(event) < times, !Task.isCancelled { await Task.yield() }
    }
}

/// A timer that the test fires.
final class ManualPause: Sendable {
    private let durations = Mutex<[Duration]>([])
    private let signal = WakeSignal()

    /// The requested waits, in order.
    var asked: [Duration] { durations.withLock { $0 } }

    func begin(_ duration: Duration) async {
        durations.withLock { $0.append(duration) }
        await signal.wait()
    }

    /// Returns when this many waits were requested.
    func until(_ count: Int) async {
        while asked.count < count, !Task.isCancelled { await Task.yield() }
    }

    /// Returns when the last requested wait has this duration.
    func until(_ duration: Duration) async {
        while asked.last != duration, !Task.isCancelled { await Task.yield() }
    }

    /// Ends the wait.
    func wake() { signal.set() }
}
