import Dispatch
import Foundation
import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests bundles across restarts of an app. No failure may weaken the policy in force.
@Suite("Bundle holder")
struct BundleHolderTests {
    let world: BundleWorld

    init() throws {
        world = try BundleWorld()
    }

    private func launch(_ folder: TemporaryFolder, version: Int64 = 3) throws -> BundleHolder {
        BundleHolder(try world.state(version: version), file: BundleFile(folder: folder.path("state")))
    }

    private func code(_ work: () throws -> Void) -> BundleError.Code? {
        do {
            try work()
            return nil
        } catch {
            return (error as? BundleError)?.code
        }
    }

    @Test("an accepted bundle is in force after a restart; after its freshness it counts as stale")
    func restart() throws {
        try TemporaryFolder.use { folder in
            let first = try launch(folder)
            #expect(try first.restore(at: world.now) == .nothingKept)
            #expect(try world.pins(first.policies.snapshot.policy, 1))
            #expect(try first.offer(world.bundle(4), at: world.now).acceptance == .taken)
            #expect(try first.offer(world.bundle(4), at: world.now).acceptance == .unchanged)

            let later = world.now.advanced(bySeconds: 5_000)
            let second = try launch(folder)
            #expect(try second.restore(at: later) == .restored)
            #expect(second.version == 4 && second.isStale(at: later))
            #expect(second.policies.snapshot.freshUntil == world.now.advanced(bySeconds: 1_000))
            #expect(try world.pins(second.policies.snapshot.policy, 7))
        }
    }

    @Test("after the loss of the bundle file, the embedded policy and its version apply")
    func lostState() throws {
        try TemporaryFolder.use { folder in
            try launch(folder).offer(world.bundle(9), at: world.now)
            try FileManager.default.removeItem(atPath: folder.path("state"))
            let app = try launch(folder, version: 5)
            #expect(try app.restore(at: world.now) == .nothingKept)
            #expect(code { try app.offer(world.bundle(4), at: world.now) } == .rollback)
            #expect(code { try app.offer(world.bundle(5), at: world.now) } == .versionReused)
            #expect(app.version == 5 && app.origin == .embedded)
            #expect(try app.offer(world.bundle(6), at: world.now).acceptance == .taken)
        }
    }

    @Test("an app update with newer pins replaces an older bundle file")
    func appUpdate() throws {
        try TemporaryFolder.use { folder in
            try launch(folder).offer(world.bundle(4), at: world.now)
            for version: Int64 in [4, 5] {
                let app = try launch(folder, version: version)
                #expect(try app.restore(at: world.now) == .superseded)
                #expect(app.version == version && app.origin == .embedded)
            }
        }
    }

    @Test("ignores a bundle file that was modified or whose key is no longer trusted")
    func tampered() throws {
        try TemporaryFolder.use { folder in
            try launch(folder).offer(world.bundle(4), at: world.now)
            let path = folder.path("state/policy.bundle")
            let sound = try Data(contentsOf: URL(filePath: path))
            var changed = sound
            changed[sound.count / 2] ^= 1
            let thief = BundleSigningKey(generating: .ed25519, id: "2031-a")
            for bytes in [changed, Data(), sound.dropLast(9), Data(try world.bundle(8, by: thief))] {
                // The file is changed in place, so that its mode stays the same.
                let handle = try #require(FileHandle(forWritingAtPath: path))
                try handle.truncate(atOffset: 0)
                try handle.write(contentsOf: bytes)
                try handle.close()
                let app = try launch(folder)
                #expect(code { try app.restore(at: world.now) } != nil)
                #expect(app.version == 3 && app.origin == .embedded)
                // The next valid bundle replaces the file.
                #expect(try app.offer(world.bundle(5), at: world.now) == .init(acceptance: .taken))
                #expect(try launch(folder).restore(at: world.now) == .restored)
            }
        }
    }

    @Test("accepts the new key while both keys are listed, and refuses the old key afterwards")
    func rotation() throws {
        try TemporaryFolder.use { folder in
            let next = BundleSigningKey(generating: .es256, id: "2032-a")
            let nextKey = try BundleKey(id: "2032-a", publicKey: Array(next.publicKeyPEM.utf8))
            let embedded = try PinningPolicy(holdfastJSON: BundleWorld.policy(1))
            func app(_ keys: [BundleKey]) -> BundleHolder {
                BundleHolder(
                    BundleState(embedded: embedded, version: 3, keys: keys, application: BundleWorld.application),
                    file: BundleFile(folder: folder.path("state")))
            }
            let both = app(world.keys + [nextKey])
            try both.offer(world.bundle(4), at: world.now)
            try both.offer(world.bundle(5, by: next), at: world.now)
            let onlyNew = app([nextKey])
            #expect(try onlyNew.restore(at: world.now) == .restored)
            #expect(code { try onlyNew.offer(world.bundle(6), at: world.now) } == .unknownKey)
        }
    }

    @Test("if the disk cannot be written, the new policy is in force and the caller gets an error")
    func diskFull() throws {
        try TemporaryFolder.use { folder in
            let app = BundleHolder(try world.state(), file: BundleFile(folder: folder.path("missing/state")))
            let outcome = try app.offer(world.bundle(4), at: world.now)
            #expect(outcome.acceptance == .taken && outcome.storageProblem?.code == .storage)
            #expect(try world.pins(app.policies.snapshot.policy, 7))
        }
    }

    @Test("stores the same bundle later when the disk can be written again")
    func laterSave() throws {
        for offersAgain in [true, false] {
            try TemporaryFolder.use { folder in
                let file = BundleFile(folder: folder.path("missing/state"))
                let app = BundleHolder(try world.state(), file: file)
                let bundle = try world.bundle(4)
                #expect(try app.offer(bundle, at: world.now).storageProblem != nil)
                #expect(app.isStorageOwed)
                #expect(code { try app.keep() } == .storage)
                #expect(try app.offer(bundle, at: world.now).storageProblem?.code == .storage)
                try FileManager.default.createDirectory(
                    atPath: folder.path("missing"), withIntermediateDirectories: false)
                if offersAgain {
                    #expect(try app.offer(bundle, at: world.now) == .init(acceptance: .unchanged))
                } else {
                    try app.keep()
                }
                #expect(!app.isStorageOwed)
                let next = BundleHolder(try world.state(), file: file)
                #expect(try next.restore(at: world.now) == .restored)
                #expect(next.version == 4)
            }
        }
    }

    @Test(
        "with two processes, an older bundle does not replace a newer file, and the newer one is applied"
    )
    func twoProcesses() throws {
        try TemporaryFolder.use { folder in
            let slow = try launch(folder)
            let fast = try launch(folder)
            try slow.restore(at: world.now)
            try fast.offer(world.bundle(9, 8), at: world.now)
            #expect(code { try slow.offer(world.bundle(4), at: world.now) } == .rollback)
            #expect(slow.version == 9 && !slow.isStorageOwed)
            #expect(try world.pins(slow.policies.snapshot.policy, 8))
            let next = try launch(folder)
            #expect(try next.restore(at: world.now) == .restored)
            #expect(next.version == 9)
        }
    }

    @Test("reads the bundle file before the first offer and refuses an older bundle")
    func forgottenRestore() throws {
        try TemporaryFolder.use { folder in
            try launch(folder).offer(world.bundle(9), at: world.now)
            let app = try launch(folder)
            #expect(code { try app.offer(world.bundle(5), at: world.now) } == .rollback)
            #expect(app.version == 9)
            #expect(try world.pins(app.policies.snapshot.policy, 7))
        }
    }

    @Test(
        "applies an unreadable bundle file as soon as it can be read, and never replaces it with an older bundle"
    )
    func unreadableDisk() throws {
        for offersAgain in [true, false] {
            try TemporaryFolder.use { folder in
                try launch(folder).offer(world.bundle(9), at: world.now)
                let path = folder.path("state/policy.bundle")
                try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
                try UnreadableFile.make(at: path)
                let app = try launch(folder)
                #expect(code { try app.restore(at: world.now) } == .storage)
                let outcome = try app.offer(world.bundle(5, 8), at: world.now)
                #expect(outcome.acceptance == .taken && outcome.storageProblem?.code == .storage)
                #expect(UnreadableFile.isThere(path) && app.isStorageOwed)
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
                if offersAgain {
                    #expect(code { try app.offer(world.bundle(6, 8), at: world.now) } == .rollback)
                } else {
                    try app.keep()
                }
                #expect(app.version == 9)
                #expect(try world.pins(app.policies.snapshot.policy, 7))
                let next = try launch(folder)
                #expect(try next.restore(at: world.now) == .restored)
                #expect(next.version == 9)
            }
        }
    }

    @Test("reading the version does not wait for the disk", .timeLimit(.minutes(1)))
    func readersDoNotBlock() throws {
        try TemporaryFolder.use { folder in
            let app = try launch(folder)
            try app.offer(world.bundle(4), at: world.now)
            // Another process holds the lock on the file.
            let lock = open(folder.path("state/.policy.bundle.lock"), O_RDWR | O_CLOEXEC)
            try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
            let (bundle, now) = (try world.bundle(5), world.now)
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                _ = try? app.offer(bundle, at: now)
                done.signal()
            }
            while app.version == 4 { sched_yield() }
            #expect(app.version == 5 && app.isStorageOwed && !app.isStale(at: now))
            close(lock)
            done.wait()
            #expect(!app.isStorageOwed)
        }
    }

    @Test("a refused offer does not change the policy, its revision or the file")
    func refusedOffer() throws {
        try TemporaryFolder.use { folder in
            let app = try launch(folder)
            try app.offer(world.bundle(5), at: world.now)
            let before = (app.policies.snapshot, try BundleFile(folder: folder.path("state")).load())
            let thief = BundleSigningKey(generating: .ed25519, id: "2031-a")
            let refused: [([UInt8], BundleError.Code)] = [
                (try world.bundle(4), .rollback), (try world.bundle(5, 9), .versionReused),
                (try world.bundle(6, by: thief), .badSignature),
                (try world.bundle(6, from: 10), .notYetValid), (try world.bundle(6, until: -1), .expired),
                (try world.bundle(6, more: #", "enforcement": "reportOnly""#), .weakensPolicy), ([], .malformed),
            ]
            for (bytes, expected) in refused {
                #expect(code { try app.offer(bytes, at: world.now) } == expected)
            }
            #expect(app.policies.snapshot == before.0)
            #expect(try BundleFile(folder: folder.path("state")).load() == before.1)
        }
    }

    @Test("pins that expire earlier need permission")
    func shortenedExpiry() throws {
        let soon = #", "expires": "2031-03-15T12:00:01Z""#
        let late = #", "expires": "2032-03-15T12:00:00Z""#
        let endless = BundleHolder(try world.state(), file: nil)
        #expect(code { try endless.offer(world.bundle(4, more: soon), at: world.now) } == .weakensPolicy)
        #expect(code { try endless.offer(world.bundle(4, more: late), at: world.now) } == .weakensPolicy)
        let permitted = BundleHolder(try world.state(permissions: .unpin), file: nil)
        try permitted.offer(world.bundle(4, more: late), at: world.now)
        #expect(try permitted.offer(world.bundle(5, 9, more: late), at: world.now).acceptance == .taken)
    }

    /// A signature of the key over the same bytes in another context is not valid for a bundle.
    @Test(
        "refuses a signature over the bare payload, under another key id and under another algorithm"
    )
    func domainSeparation() throws {
        let bytes = try world.bundle(4)
        let bundle = try SignedBundle(bytes)
        let payload = bundle.payload
        func envelope(_ signature: [UInt8]) -> [UInt8] {
            Array(
                JSONWriter.text(
                    .fields([
                        ("holdfastBundle", .number("1")), ("keyID", .string("2031-a")),
                        ("algorithm", .string("ed25519")), ("payload", .string(Data(payload).base64EncodedString())),
                        ("signature", .string(Data(signature).base64EncodedString())),
                    ])
                ).utf8)
        }
        let messages = [
            payload, SignedBundle.message(payload, keyID: "2031-b", .ed25519),
            SignedBundle.message(payload, keyID: "2031-a", .es256),
            Array("holdfast pin bundle, version 1\n".utf8) + payload,
        ]
        for message in messages {
            let app = BundleHolder(try world.state(), file: nil)
            #expect(code { try app.offer(envelope(world.signer.sign(message)), at: world.now) } == .badSignature)
        }
        let app = BundleHolder(try world.state(), file: nil)
        let sound = envelope(try world.signer.sign(SignedBundle.message(payload, keyID: "2031-a", .ed25519)))
        #expect(try app.offer(sound, at: world.now).acceptance == .taken)
    }
}
