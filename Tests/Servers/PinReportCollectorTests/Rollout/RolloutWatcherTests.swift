import Foundation
import HoldfastTestSupport
import HoldfastTrust
import PinReportDesk
import PinReports
import Synchronization
import Testing

@testable import PinReportCollector

/// The driver: the store, the halt file, events and the page.
@Suite("Watching roll-outs", .timeLimit(.minutes(1)))
struct RolloutWatcherTests {
    /// A disk that is full until it is cleaned.
    private final class Disk: Sendable {
        private let state = Mutex(true)
        var isFull: Bool { state.withLock { $0 } }
        func clean() { state.withLock { $0 = false } }
    }

    private let scene = RolloutScene()
    private let store = MemoryReportStore()
    private let clock = ManualTrustClock(RolloutScene.start)
    private let events = EventList()
    private let folder: TemporaryDirectory
    private var path: String { folder.path + "/shop.bundle.halt" }
    private static let day = RolloutScene.day

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func watcher(
        _ path: String?, write: (@Sendable (HaltFile, BundleHalt) throws(HaltFile.Failure) -> Void)? = nil
    ) throws -> RolloutWatcher {
        let events = events
        let configuration = try scene.configuration(halt: path, clock: clock.clock)
        guard let write else {
            return RolloutWatcher(configuration, store: store, onEvent: { events.add($0) })
        }
        return RolloutWatcher(configuration, store: store, write: write, onEvent: { events.add($0) })
    }

    private func put(cohort: Int, baseline: Int = 3) {
        store.put(RolloutScene.counts(cohort: cohort, baseline: baseline), of: RolloutScene.id)
    }

    private func status(_ watcher: RolloutWatcher) throws -> RolloutStatus {
        try #require(watcher.rollouts.first?.status)
    }

    private func file(_ path: String? = nil) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path ?? self.path)))
    }

    private func halt(_ path: String? = nil) throws -> BundleHalt {
        try #require(
            try ReportHaltOutput(key: scene.halting, path: self.path)
                .verified(file(path), application: RolloutScene.application))
    }

    private var view: RolloutView {
        RolloutView(
            name: "shop.bundle", application: RolloutScene.application, version: RolloutScene.version, notAfter: nil,
            stages: RolloutScene.stages.map { .init(begins: $0.begins, share: $0.share, limits: "all") })
    }

    private func page(_ watcher: RolloutWatcher) throws -> RolloutView {
        var view = view
        let rollout = try #require(watcher.rollouts.first)
        view.show(rollout.plan, rollout.status, keyID: watcher.keyID, at: clock.now)
        return view
    }

    // MARK: Publication

    @Test func aBadBundleStopsAfterFourteenInstallations() async throws {
        let watcher = try watcher(path)
        for count in 1...13 {
            put(cohort: count)
            await watcher.look()
            #expect(try status(watcher).halt == .running)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        put(cohort: 14)
        await watcher.look()
        #expect(try status(watcher).halt == .published(until: clock.now.advanced(bySeconds: 7 * Self.day)))
        let halt = try halt()
        #expect(halt.version == RolloutScene.version)
        #expect(halt.serial == RolloutScene.start.secondsSince1970)
        #expect(events.stopped == 1 && events.published == 1)
        #expect(watcher.counts["halted"] == 1 && watcher.counts["running"] == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o644)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["shop.bundle.halt"])
    }

    @Test func theSameHaltIsNotWrittenAgain() async throws {
        put(cohort: 14)
        try await watcher(path).look()
        let bytes = try file()
        clock.advance(bySeconds: 3_600)
        // A new process with the same store.
        let second = try watcher(path)
        await second.look()
        await second.look()
        #expect(try file() == bytes)
        #expect(events.published == 1)
        // A file that was removed, and a halt that apps cannot use, are written again with the same bytes.
        let other = try scene.halt(by: BundleSigningKey(generating: .ed25519, id: "halt-b"))
        for contents in [nil, [], other.bytes] {
            try FileManager.default.removeItem(atPath: path)
            if let contents { try Data(contents).write(to: URL(fileURLWithPath: path)) }
            await second.look()
            #expect(try file() == bytes)
        }
    }

    /// A wrong path, such as that of the bundle, is found at the start, and the file stays.
    @Test func anotherFileIsNeverOverwritten() async throws {
        put(cohort: 14)
        let foreign = try BundleHalt.sign(
            application: "com.example.other", version: 1, issued: RolloutScene.start,
            notAfter: RolloutScene.start.advanced(bySeconds: 60), with: scene.halting)
        for contents in [try scene.bundle(), Array("x".utf8), foreign.bytes] {
            try Data(contents).write(to: URL(fileURLWithPath: path))
            let configuration = try scene.configuration(halt: path, clock: clock.clock)
            #expect(throws: ReportCollectorError.self) { try configuration.desk.checkHaltFile() }
            let watcher = try watcher(path)
            await watcher.look()
            guard case .failed(let reason) = try status(watcher).halt else {
                Issue.record("not failed")
                continue
            }
            #expect(reason.contains("is not overwritten"))
            #expect(try file() == contents)
        }
        try FileManager.default.removeItem(atPath: path)
        try scene.configuration(halt: path, clock: clock.clock).desk.checkHaltFile()
        let missing = try scene.configuration(halt: folder.path + "/missing/halt", clock: clock.clock)
        #expect(throws: ReportCollectorError.self) { try missing.desk.checkHaltFile() }
    }

    @Test func threeCollectorsPublishOneHalt() async throws {
        put(cohort: 14)
        // Two share a folder, one has its own.
        let paths = [path, path, folder.path + "/other.halt"]
        let watchers = try paths.map { try watcher($0) }
        await withTaskGroup(of: Void.self) { group in
            for watcher in watchers { group.addTask { await watcher.look() } }
        }
        for watcher in watchers { await watcher.look() }
        let bytes = try file()
        #expect(try file(paths[2]) == bytes)
        for watcher in watchers {
            guard case .published = try status(watcher).halt else {
                Issue.record("not published")
                continue
            }
        }
        #expect(try await store.rollout(RolloutScene.id).halt == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }

    @Test func aHaltIsRenewedUntilNoInstallationWaits() async throws {
        put(cohort: 14)
        let watcher = try watcher(path)
        var halts: [BundleHalt] = []
        // The last stage begins after three days, so that installations wait for 17 days at most.
        for _ in 0..<40 {
            await watcher.look()
            let halt = try halt()
            if halts.last != halt { halts.append(halt) }
            if clock.now < RolloutScene.start.advanced(bySeconds: 17 * Self.day) {
                #expect(halt.notAfter > clock.now)
            }
            clock.advance(bySeconds: Self.day / 2)
        }
        #expect(halts.count == 5, "\(halts.count)")
        #expect(zip(halts, halts.dropFirst()).allSatisfy { $0.serial < $1.serial && $0.notAfter < $1.notAfter })
        #expect(try status(watcher).halt == .over)
    }

    @Test func noCollectorPublishesAHaltThatAnOperatorHasEnded() async throws {
        put(cohort: 14)
        let paths = [path, folder.path + "/other.halt"]
        let watchers = try paths.map { try watcher($0) }
        for watcher in watchers { await watcher.look() }
        clock.advance(bySeconds: 60)
        let end = try scene.halt(0, issued: 60)
        try Data(end.bytes).write(to: URL(fileURLWithPath: path))
        let other = try file(paths[1])
        for _ in 0..<20 {
            for watcher in watchers { await watcher.look() }
            clock.advance(bySeconds: Self.day / 2)
        }
        #expect(try file() == end.bytes)
        #expect(try file(paths[1]) == other)
        for watcher in watchers {
            #expect(try status(watcher).halt == .released(RolloutScene.start.advanced(bySeconds: 60)))
        }
    }

    // MARK: Without a halt

    @Test func withoutAKeyOnlyTheCommandIsShown() async throws {
        put(cohort: 14)
        let watcher = try watcher(nil)
        await watcher.look()
        #expect(try status(watcher).halt == .byHand)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        #expect(events.stopped == 1 && events.published == 0 && events.failed == 0)
        let view = try page(watcher)
        #expect(
            view.haltCommand
                == "holdfast bundle halt --key halt.pem --key-id KEY-ID --application com.example.shop --version 4 "
                + "--not-after 2031-03-22 --output shop.bundle.halt")
        #expect(
            view.stages.first?.decision
                == "Stop: 14 of 10,000 installations (0.14 %) failed with this version, "
                + "3 of 990,000 installations (0.0003 %) with others. A version without harm gets here with a "
                + "probability of at most 1 in 12,736; the roll-out stops at 1 in 10,000, from 10 failed installations."
        )
        #expect(view.stages.dropFirst().allSatisfy { $0.decision == nil })
        #expect(view.isStopped && view.decision?.hasPrefix("Stop, since 2031-03-15T12:00:00Z: 14 of") == true)
    }

    @Test func aFullDiskIsVisibleAndTriedAgain() async throws {
        put(cohort: 14)
        let disk = Disk()
        let watcher = try watcher(path) { file, halt throws(HaltFile.Failure) in
            if disk.isFull { throw HaltFile.Failure(reason: "The disk is full.") }
            try file.write(halt)
        }
        for _ in 0..<30 { await watcher.look() }
        #expect(try status(watcher).halt == .failed("The disk is full."))
        #expect(events.failed == 1 && events.stopped == 1)
        #expect(watcher.counts["haltFailed"] == 1)
        await watcher.look()
        // Once a minute.
        #expect(events.failed == 2)
        let view = try page(watcher)
        #expect(view.halt == "The halt is not published. The disk is full.")
        #expect(view.haltCommand?.contains("--key-id halt-a ") == true)
        disk.clean()
        await watcher.look()
        #expect(try halt().version == RolloutScene.version)
        #expect(events.published == 1)
    }

    @Test func aPathThatCannotBeUsedIsVisible() async throws {
        put(cohort: 14)
        let missing = try watcher(folder.path + "/missing/shop.halt")
        let directory = try watcher(folder.path)
        for watcher in [missing, directory] {
            await watcher.look()
            guard case .failed(let reason) = try status(watcher).halt else {
                Issue.record("not failed")
                continue
            }
            #expect(reason.contains(folder.path))
        }
        #expect(events.failed == 2 && events.published == 0)
    }

    @Test func aDatabaseThatIsAwayIsVisible() async throws {
        let watcher = try watcher(nil)
        await watcher.look()
        store.fail(ReportCollectorError(.unreachableDatabase, "The server is away."))
        await watcher.look()
        await watcher.look()
        #expect(try status(watcher).isOutdated)
        #expect(events.all == [.storageFailed(reason: "The server is away.")])
        #expect(try page(watcher).decision?.contains("may be old") == true)
        store.fail(nil)
        await watcher.look()
        #expect(try !status(watcher).isOutdated)
    }

    // MARK: Configuration

    @Test func theKeyOfBundlesIsRefused() throws {
        var configuration = try scene.configuration(halt: nil, clock: clock.clock)
        for id in ["2031-a", "halt-a"] {
            let key = try BundleSigningKey(id: id, pem: Array(scene.signer.privateKeyPEM.utf8))
            configuration.desk.haltOutput = try ReportHaltOutput(key: key, path: path)
            do throws(ReportCollectorError) {
                try configuration.check()
                Issue.record("accepted")
            } catch {
                #expect(error.code == .invalidConfiguration)
                #expect(error.reason.contains("never have a key for bundles"))
            }
        }
        let output = try ReportHaltOutput(key: scene.halting, path: path)
        configuration.desk.haltOutput = output
        try configuration.check()
        var dumped = ""
        dump(output, to: &dumped)
        #expect(!"\(output)\(dumped)".contains("PRIVATE KEY"))
    }

    @Test func impossibleConfigurationsAreRefused() throws {
        var configuration = try scene.configuration(halt: path, clock: clock.clock)
        configuration.desk.rollouts = []
        #expect(throws: ReportCollectorError.self) { try configuration.check() }
        configuration = try scene.configuration(halt: nil, clock: clock.clock)
        configuration.desk.rollouts.append(try scene.rollout())
        #expect(throws: ReportCollectorError.self) { try configuration.check() }
        for path in ["", "/", "a\u{0}b"] {
            #expect(throws: ReportCollectorError.self) { try ReportHaltOutput(key: scene.halting, path: path) }
        }
        #expect(throws: ReportCollectorError.self) {
            try ReportRollout(name: "shop.bundle", contents: scene.bundle([]), fleet: 10)
        }
    }
}
