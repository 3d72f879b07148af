import Dispatch
import Foundation
import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// The life of an app with bundles, over restarts: nothing that goes wrong opens anything.
@Suite("Bundles over restarts")
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

    @Test("what was taken is in force after a restart, also when its time is over, and then counts as stale")
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

    @Test("a lost state file: the embedded policy, whose version is the least that is taken")
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

    @Test("an update of the app with newer pins wins over an older copy on the disk")
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

    @Test("a copy that was tampered with, or signed by a key that is no longer trusted, is not believed")
    func tampered() throws {
        try TemporaryFolder.use { folder in
            try launch(folder).offer(world.bundle(4), at: world.now)
            let path = folder.path("state/policy.bundle")
            let sound = try Data(contentsOf: URL(filePath: path))
            var changed = sound
            changed[sound.count / 2] ^= 1
            let thief = BundleSigningKey(generating: .ed25519, id: "2031-a")
            for bytes in [changed, Data(), sound.dropLast(9), Data(try world.bundle(8, by: thief))] {
                // In place, so that the mode stays what it was.
                let handle = try #require(FileHandle(forWritingAtPath: path))
                try handle.truncate(atOffset: 0)
                try handle.write(contentsOf: bytes)
                try handle.close()
                let app = try launch(folder)
                #expect(code { try app.restore(at: world.now) } != nil)
                #expect(app.version == 3 && app.origin == .embedded)
                // The next sound bundle takes its place.
                #expect(try app.offer(world.bundle(5), at: world.now) == .init(acceptance: .taken))
                #expect(try launch(folder).restore(at: world.now) == .restored)
            }
        }
    }

    @Test("keys rotate: a bundle by the new key is taken while both are listed, and by the old one no more after it")
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

    @Test("a disk that cannot be written: the new policy is in force, and the caller is told that it was not kept")
    func diskFull() throws {
        try TemporaryFolder.use { folder in
            let app = BundleHolder(try world.state(), file: BundleFile(folder: folder.path("missing/state")))
            let outcome = try app.offer(world.bundle(4), at: world.now)
            #expect(outcome.acceptance == .taken && outcome.storageProblem?.code == .storage)
            #expect(try world.pins(app.policies.snapshot.policy, 7))
        }
    }

    @Test("a disk that takes it later: the same bundle, offered again or not, is kept then")
    func diskIsBack() throws {
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
        "two processes of one app: the slower one with the older bundle does not replace the newer file, and takes it up"
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

    @Test("a copy that nobody restored is taken up before the first offer: nothing older than it is taken")
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
        "a disk that did not let the copy be read: it is in force as soon as it does, and nothing older is kept in its place"
    )
    func diskThatWasClosed() throws {
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

    @Test("who asks for the version does not wait for the disk", .timeLimit(.minutes(1)))
    func readersDoNotWait() throws {
        try TemporaryFolder.use { folder in
            let app = try launch(folder)
            try app.offer(world.bundle(4), at: world.now)
            // Another process has the lock on the file.
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

    @Test("a refused offer changes neither the policy, nor its revision, nor the file")
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

    @Test("pins that end sooner than those before take protection back")
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

    /// The key's signature over the same words in another place is no signature of a bundle.
    @Test(
        "the signature is for bundles alone: over the bare payload, under another key id or another algorithm it is void"
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
