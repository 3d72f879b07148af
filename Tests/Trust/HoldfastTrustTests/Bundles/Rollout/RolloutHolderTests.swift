import Foundation
import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Pending bundles, halts and timestamps across restarts of an app.
@Suite("Roll-outs across restarts")
struct RolloutHolderTests {
    let world: RolloutWorld

    init() throws {
        world = try RolloutWorld()
    }

    private func at(_ seconds: Int64) -> Timestamp { world.now.advanced(bySeconds: seconds) }

    private func launch(_ folder: TemporaryFolder, at time: Timestamp, version: Int64 = 3) throws -> BundleHolder {
        let holder = BundleHolder(try world.state(version: version), file: BundleFile(folder: folder.path("state")))
        try holder.restore(at: time)
        return holder
    }

    @Test("a pending bundle and its halt survive a restart, and the bundle takes effect later")
    func restart() throws {
        try TemporaryFolder.use { folder in
            let first = try launch(folder, at: world.now)
            let outcome = try first.offer(world.bundle(4), at: world.now)
            #expect(outcome == .init(acceptance: .deferred(until: world.now)))
            #expect(try first.offer(halt: world.halt(4), at: world.now) == nil)
            #expect(first.version == 3 && first.pendingVersion == 4)

            let second = try launch(folder, at: at(10))
            #expect(second.version == 3 && second.pendingVersion == 4)
            #expect(second.rolloutDecision(at: at(10)) == .halted(until: at(86_400)))
            #expect(
                RolloutWorld.code { try second.offer(halt: try world.halt(3, issued: -1), at: at(10)) } == .haltReplayed
            )
            #expect(try second.advance(at: at(10)).acceptance == .deferred(until: at(86_400)))
            #expect(try second.advance(at: at(86_401)) == .init(acceptance: .taken))
            #expect(try world.bundles.pins(second.policies.snapshot.policy, 7))

            let third = try launch(folder, at: at(86_402))
            #expect(third.version == 4 && third.pendingVersion == nil)
            #expect(!FileManager.default.fileExists(atPath: folder.path("state/policy.bundle.pending")))
        }
    }

    @Test("a halt that has ended keeps its serial number after a restart")
    func serialSurvives() throws {
        try TemporaryFolder.use { folder in
            try launch(folder, at: world.now).offer(halt: world.halt(4, lasts: 60), at: world.now)
            let later = try launch(folder, at: at(100))
            #expect(
                RolloutWorld.code { try later.offer(halt: try world.halt(4, issued: -1), at: at(100)) } == .haltReplayed
            )
        }
    }

    @Test("a halt that had ended when it arrived keeps its serial number after a restart")
    func serialOfAnEndedHaltSurvives() throws {
        try TemporaryFolder.use { folder in
            let first = try launch(folder, at: at(200))
            #expect(
                RolloutWorld.code { try first.offer(halt: try world.halt(3, issued: 100, lasts: 60), at: at(200)) }
                    == .haltExpired)
            let second = try launch(folder, at: at(300))
            #expect(
                RolloutWorld.code { try second.offer(halt: try world.halt(4, lasts: 86_400), at: at(300)) }
                    == .haltReplayed)
        }
    }

    @Test("changed files are ignored, and an app update removes an older pending bundle")
    func changedFiles() throws {
        try TemporaryFolder.use { folder in
            let first = try launch(folder, at: world.now)
            try first.offer(world.bundle(4), at: world.now)
            try first.offer(halt: world.halt(4), at: world.now)
            #expect(try launch(folder, at: world.now, version: 4).pendingVersion == nil)
            #expect(try launch(folder, at: at(61 * 86_400)).pendingVersion == nil, "it has expired")
            for name in ["pending", "halt"] {
                let path = folder.path("state/policy.bundle.\(name)")
                var bytes = try Data(contentsOf: URL(filePath: path))
                bytes[bytes.count / 2] ^= 1
                let handle = try #require(FileHandle(forWritingAtPath: path))
                try handle.write(contentsOf: bytes)
                try handle.close()
            }
            let second = try launch(folder, at: world.now)
            #expect(second.pendingVersion == nil && second.gate.halt == nil && second.version == 3)
            #expect(try second.offer(world.bundle(4), at: world.now).storageProblem == nil)
            #expect(try launch(folder, at: world.now).pendingVersion == 4)
        }
    }

    @Test("the time without a timestamp is measured over restarts, and every verdict then has a notice")
    func frozenNotice() throws {
        try TemporaryFolder.use { folder in
            #expect(try launch(folder, at: world.now).policies.snapshot.frozenAfter == at(3 * 86_400))
            let second = try launch(folder, at: at(86_400))
            #expect(second.policies.snapshot.frozenAfter == at(3 * 86_400))
            #expect(second.policies.snapshot.notices(at: at(3 * 86_400)).isEmpty)
            #expect(second.policies.snapshot.notices(at: at(3 * 86_400 + 1)).map(\.code) == [.policyFrozen])
            let bundle = try world.bundles.bundle(4, until: 200_000)
            try second.offer(bundle, at: at(86_400))
            #expect(second.policies.snapshot.frozenAfter == at(3 * 86_400), "a bundle alone is not a confirmation")
            #expect(try second.offer(timestamp: world.timestamp(for: bundle, issued: 86_400), at: at(86_400)) == nil)
            #expect(second.policies.snapshot.frozenAfter == at(4 * 86_400))
            let third = try launch(folder, at: at(2 * 86_400))
            #expect(third.policies.snapshot.frozenAfter == at(4 * 86_400))
            let codes = third.policies.snapshot.notices(at: at(5 * 86_400)).map(\.code)
            #expect(codes == [.policyStale, .policyFrozen])
            // A stored time in the future counts as the present.
            let path = folder.path("state/policy.bundle.fresh")
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data("\(Int64.max)".utf8))
            try handle.close()
            #expect(try launch(folder, at: at(5 * 86_400)).policies.snapshot.frozenAfter == at(8 * 86_400))
        }
    }

    @Test("of two processes, the halt with the higher serial number stays on the disk")
    func twoProcesses() throws {
        try TemporaryFolder.use { folder in
            let slow = try launch(folder, at: world.now)
            let fast = try launch(folder, at: world.now)
            try fast.offer(halt: world.halt(9), at: world.now)
            try slow.offer(halt: world.halt(8, issued: -5), at: world.now)
            #expect(try launch(folder, at: world.now).gate.halt?.version == 9)
        }
    }

    @Test("a pending bundle that is refused when it is due is removed, also from the disk")
    func refusedWhenDue() throws {
        try TemporaryFolder.use { folder in
            let app = try launch(folder, at: world.now)
            try app.offer(world.bundle(4, until: 50), at: world.now)
            #expect(RolloutWorld.code { try app.advance(at: at(51)) } == .expired)
            #expect(app.pendingVersion == nil && app.version == 3)
            #expect(try launch(folder, at: world.now).pendingVersion == nil)
        }
    }
}
