#if os(Linux)
import Crypto
import Foundation
import HoldfastSystem
import HoldfastTestSupport
import HoldfastTrust
import Logging
import Testing

@testable import HoldfastNetworking

/// Credentials in files: encrypted, restricted to their owner, and written atomically.
@Suite struct FileKeyChainStoreTests {
    private static let token = "t0ken-of-alice"

    private func store(
        _ folder: TemporaryFolder, service: String = "app", key: KeyChainKey = .automatic,
        environment: [String: String] = [:], logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) -> FileKeyChainStore {
        FileKeyChainStore(
            service: service, folder: folder.path("state/app/key-chain"), key: key, environment: environment,
            logger: logger)
    }

    private func file(_ folder: TemporaryFolder, _ name: String) -> String {
        folder.path("state/app/key-chain/") + entryName(name)
    }

    private func entryName(_ name: String) -> String {
        KeyChainFolder(service: "", path: "", key: .automatic, environment: [:], maximumValueBytes: 1).entry(name).name
    }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Returns why a value cannot be read, or `nil` if it can. Expects that the error does not contain the token.
    private func refusal(
        _ store: FileKeyChainStore, _ key: String = "accessToken"
    ) async throws -> KeyChainFileError.Code? {
        do {
            _ = try await store.value(forKey: key)
            return nil
        } catch KeyChainStoreError.file(let error) {
            #expect(!error.description.contains(Self.token))
            return error.code
        }
    }

    private func refusalToSave(_ store: FileKeyChainStore) async throws -> KeyChainFileError.Code? {
        do {
            try await store.save("other", forKey: "accessToken")
            return nil
        } catch KeyChainStoreError.file(let error) {
            return error.code
        }
    }

    // MARK: - What is kept

    @Test func aSavedValueIsReadByTheNextStore() async throws {
        try await TemporaryFolder.use { folder in
            let first = store(folder)
            #expect(try await first.value(forKey: "accessToken") == nil)
            try await first.deleteValue(forKey: "accessToken")
            #expect(!FileManager.default.fileExists(atPath: folder.path("state")))
            for value in [
                Self.token, "", "näh\u{0}\n", String(repeating: "x", count: FileKeyChainStore.maximumValueBytes),
            ] {
                try await first.save(value, forKey: "accessToken")
                #expect(try await store(folder).value(forKey: "accessToken") == value)
            }
            try await first.save("r", forKey: "refreshToken")
            try await first.deleteValue(forKey: "accessToken")
            #expect(try await store(folder).value(forKey: "accessToken") == nil)
            #expect(try await store(folder).value(forKey: "refreshToken") == "r")
            try await first.deleteValue(forKey: "accessToken")
        }
    }

    /// Two stores with one folder, as in two processes: the second store finds the first store's value.
    @Test func anExistingValueIsKept() async throws {
        try await TemporaryFolder.use { folder in
            let stores = [store(folder), store(folder)]
            let found = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await stores[number % 2].saveIfAbsent("value \(number)", forKey: "key")
                        return try await stores[number % 2].value(forKey: "key")
                    }
                }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(found.count == 1)
            #expect(found.first??.hasPrefix("value ") == true)
            // An unreadable value is not replaced.
            try Data("damaged".utf8).write(to: URL(filePath: file(folder, "key")))
            try setMode(0o600, file(folder, "key"))
            await #expect(throws: KeyChainStoreError.self) { try await stores[0].saveIfAbsent("new", forKey: "key") }
        }
        let memory = InMemoryKeyChainStore()
        await memory.saveIfAbsent("first", forKey: "key")
        await memory.saveIfAbsent("second", forKey: "key")
        #expect(await memory.value(forKey: "key") == "first")
    }

    /// A token survives the end of the process that saved it.
    @Test func aTokenSurvivesTheProcess() async throws {
        try await TemporaryFolder.use { folder in
            await #expect(processExitsWith: .success) { [path = folder.root as String] in
                let store = FileKeyChainStore(service: "app", folder: path + "/state/app/key-chain")
                try await store.save("from another process", forKey: "accessToken")
            }
            let value = try await store(folder).value(forKey: "accessToken")
            #expect(value == "from another process")
        }
    }

    @Test func filesAreRestrictedAndRevealNothing() async throws {
        try await TemporaryFolder.use { folder in
            try await store(folder).save(Self.token, forKey: "accessToken")
            for (path, expected) in [
                ("state", 0o700), ("state/app", 0o700), ("state/app/key-chain", 0o700),
                ("state/app/key-chain/key", 0o600), ("state/app/key-chain/" + entryName("accessToken"), 0o600),
            ] {
                #expect(try mode(folder.path(path)) == expected, "\(path)")
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("state/app/key-chain"))
            #expect(Set(names) == ["key", entryName("accessToken"), ".store.lock"])
            for name in names {
                let data = try #require(
                    FileManager.default.contents(atPath: folder.path("state/app/key-chain/" + name)))
                #expect(data.range(of: Data(Self.token.utf8)) == nil)
            }
        }
    }

    /// Two writes of one value use different nonces.
    @Test func everyWriteHasItsOwnNonce() async throws {
        try await TemporaryFolder.use { folder in
            var nonces: Set<Data> = []
            for _ in 0..<20 {
                try await store(folder).save(Self.token, forKey: "accessToken")
                let data = try #require(FileManager.default.contents(atPath: file(folder, "accessToken")))
                nonces.insert(data.dropFirst(13).prefix(12))
            }
            #expect(nonces.count == 20)
        }
    }

    @Test func aValueBeyondTheLimitIsRefused() async throws {
        try await TemporaryFolder.use { folder in
            try await store(folder).save(Self.token, forKey: "accessToken")
            let long = String(repeating: "x", count: FileKeyChainStore.maximumValueBytes + 1)
            await #expect(throws: KeyChainStoreError.self) { try await store(folder).save(long, forKey: "accessToken") }
            #expect(try await store(folder).value(forKey: "accessToken") == Self.token)
        }
    }

    // MARK: - What is not believed

    /// Inverts one bit in each part of the file.
    @Test func aFlippedBitIsDetected() async throws {
        try await TemporaryFolder.use { folder in
            try await store(folder).save(Self.token, forKey: "accessToken")
            let path = file(folder, "accessToken")
            let whole = try #require(FileManager.default.contents(atPath: path))
            for (byte, expected) in [
                (0, KeyChainFileError.Code.damaged), (4, .unknownVersion), (5, .wrongKey), (12, .wrongKey),
                (13, .damaged), (24, .damaged), (25, .damaged), (whole.count - 17, .damaged),
                (whole.count - 1, .damaged),
            ] {
                var flipped = whole
                flipped[byte] ^= 0x10
                try flipped.write(to: URL(filePath: path))
                #expect(try await refusal(store(folder)) == expected, "byte \(byte)")
            }
            try whole.write(to: URL(filePath: path))
            #expect(try await store(folder).value(forKey: "accessToken") == Self.token)
        }
    }

    /// Changes every bit, and truncates to every length.
    @Test func noModifiedFileOpens() throws {
        let seal = KeyChainSeal(master: .init(data: Data(repeating: 1, count: 32)))
        let whole = try seal.seal(Array(Self.token.utf8), service: "app", name: "accessToken")
        for bit in 0..<whole.count * 8 {
            var flipped = whole
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            let error = #expect(throws: KeyChainFileError.self) {
                try seal.open(flipped, service: "app", name: "accessToken")
            }
            #expect(error?.description.contains(Self.token) == false)
        }
        for length in 0..<whole.count {
            #expect(throws: KeyChainFileError.self) {
                try seal.open(Array(whole.prefix(length)), service: "app", name: "accessToken")
            }
        }
        #expect(try seal.open(whole, service: "app", name: "accessToken") == Array(Self.token.utf8))
    }

    @Test func aTruncatedFileIsDetected() async throws {
        try await TemporaryFolder.use { folder in
            try await store(folder).save(Self.token, forKey: "accessToken")
            let path = file(folder, "accessToken")
            let whole = try #require(FileManager.default.contents(atPath: path))
            for length in [0, 3, 4, 5, 12, 24, whole.count - 17, whole.count - 1] {
                try whole.prefix(length).write(to: URL(filePath: path))
                #expect(try await refusal(store(folder)) == .damaged)
            }
            try (whole + [0]).write(to: URL(filePath: path))
            #expect(try await refusal(store(folder)) == .damaged)
            try Data(repeating: 0, count: 200_000).write(to: URL(filePath: path))
            #expect(try await refusal(store(folder)) == .damaged)
        }
    }

    /// The attack: the value of one name or service is moved to the place of a different one.
    @Test func aMovedValueIsDetected() async throws {
        try await TemporaryFolder.use { folder in
            let key = try folder.write(Data(repeating: 7, count: 32).base64EncodedString(), to: "key")
            let own = store(folder, key: .file(key))
            try await own.save("low", forKey: "guestToken")
            try await own.save("high", forKey: "accessToken")
            let guest = try #require(FileManager.default.contents(atPath: file(folder, "guestToken")))
            try guest.write(to: URL(filePath: file(folder, "accessToken")))
            #expect(try await refusal(own) == .damaged)
            #expect(try await own.value(forKey: "guestToken") == "low")

            // The same folder and key, read by a store of a different service.
            #expect(try await refusal(store(folder, service: "other", key: .file(key)), "guestToken") == .damaged)
        }
    }

    @Test func lengthPrefixesSeparateNames() throws {
        let seal = KeyChainSeal(master: .init(data: Data(repeating: 1, count: 32)))
        let sealed = try seal.seal([1, 2, 3], service: "ab", name: "c")
        #expect(try seal.open(sealed, service: "ab", name: "c") == [1, 2, 3])
        for (service, name) in [("a", "bc"), ("abc", ""), ("", "abc"), ("ab", "C")] {
            #expect(throws: KeyChainFileError.self) { try seal.open(sealed, service: service, name: name) }
        }
    }

    // MARK: - The key

    @Test func theWrongKeyIsReported() async throws {
        try await TemporaryFolder.use { folder in
            let one = try folder.write(Data(repeating: 1, count: 32).base64EncodedString() + "\n", to: "one")
            let two = try folder.write(Data(repeating: 2, count: 32).base64EncodedString(), to: "two")
            try await store(folder, key: .file(one)).save(Self.token, forKey: "accessToken")
            #expect(try await store(folder, key: .file(one)).value(forKey: "accessToken") == Self.token)
            #expect(try await refusal(store(folder, key: .file(two))) == .wrongKey)
            #expect(try await refusal(store(folder, key: .file(folder.path("none")))) == .keyMissing)
            // A store does not create a key if the app names one.
            #expect(try await refusalToSave(store(folder, key: .file(folder.path("none")))) == .keyMissing)
            #expect(!FileManager.default.fileExists(atPath: folder.path("none")))
        }
    }

    @Test func aMissingKeyIsReported() async throws {
        try await TemporaryFolder.use { folder in
            try await store(folder).save(Self.token, forKey: "accessToken")
            try FileManager.default.removeItem(atPath: folder.path("state/app/key-chain/key"))
            #expect(try await refusal(store(folder)) == .keyMissing)
            // A new login creates a new key.
            try await store(folder).save("next", forKey: "accessToken")
            #expect(try await store(folder).value(forKey: "accessToken") == "next")
        }
    }

    @Test(arguments: ["", "x", "AAAA", String(repeating: "A", count: 100), String(repeating: "A", count: 2_000)])
    func anInvalidKeyIsRefused(text: String) async throws {
        try await TemporaryFolder.use { folder in
            let path = try folder.write(text, to: "key")
            let expected: KeyChainFileError.Code = text.count > 1_024 ? .damaged : .keyUnusable
            #expect(try await refusalToSave(store(folder, key: .file(path))) == expected)
            let variable = store(folder, environment: [KeyChainKey.keyVariable: text])
            #expect(try await refusalToSave(variable) == .keyUnusable)
        }
    }

    @Test func aKeyInTheEnvironmentWorksWithAWarning() async throws {
        try await TemporaryFolder.use { folder in
            let key = Data(repeating: 9, count: 32).base64EncodedString()
            let log = RecordingLogHandler()
            for (source, variable) in [(KeyChainKey.automatic, KeyChainKey.keyVariable), (.environment("OWN"), "OWN")] {
                let store = store(folder, key: source, environment: [variable: key], logger: log.logger())
                try await store.save(Self.token, forKey: "accessToken")
                #expect(try await store.value(forKey: "accessToken") == Self.token)
            }
            #expect(log.messages(atLeast: .warning).count == 2)
            for entry in log.entries {
                #expect(!"\(entry)".contains(key))
                #expect(!"\(entry)".contains(Self.token))
            }
            #expect(!FileManager.default.fileExists(atPath: folder.path("state/app/key-chain/key")))
            let missing = store(folder, key: .environment("OWN"))
            #expect(try await refusal(missing) == .keyMissing)
        }
    }

    @Test func theEnvironmentMayNameTheKeyFile() async throws {
        try await TemporaryFolder.use { folder in
            let path = try folder.write(Data(repeating: 3, count: 32).base64EncodedString(), to: "key")
            let log = RecordingLogHandler()
            let environment = [KeyChainKey.fileVariable: path]
            try await store(folder, environment: environment, logger: log.logger()).save(Self.token, forKey: "k")
            #expect(try await store(folder, key: .file(path)).value(forKey: "k") == Self.token)
            #expect(log.entries.isEmpty)
        }
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o620, 0o601])
    func aKeyAccessibleToOthersIsRefused(bits: Int) async throws {
        try await TemporaryFolder.use { folder in
            let key = Data(repeating: 3, count: 32).base64EncodedString()
            let path = try folder.write(key, to: "key", mode: bits)
            #expect(try await refusalToSave(store(folder, key: .file(path))) == .permissionsTooOpen)
            try setMode(0o400, path)
            #expect(try await refusalToSave(store(folder, key: .file(path))) == nil)
            let link = folder.path("link")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            #expect(try await refusalToSave(store(folder, key: .file(link))) == .unsuitableFile)
        }
    }

    // MARK: - Permissions, owners, links

    @Test(arguments: [0o644, 0o640, 0o602, 0o610])
    func filesAccessibleToOthersAreRefused(bits: Int) async throws {
        try await TemporaryFolder.use { folder in
            try await store(folder).save(Self.token, forKey: "accessToken")
            let keyChain = folder.path("state/app/key-chain")
            for path in [file(folder, "accessToken"), keyChain + "/key"] {
                try setMode(bits, path)
                #expect(try await refusal(store(folder)) == .permissionsTooOpen)
                try setMode(0o600, path)
            }
            try setMode(bits | 0o100, keyChain)
            #expect(try await refusal(store(folder)) == .permissionsTooOpen)
            #expect(try await refusalToSave(store(folder)) == .permissionsTooOpen)
            try setMode(0o700, keyChain)
            #expect(try await store(folder).value(forKey: "accessToken") == Self.token)
        }
    }

    @Test(.enabled(if: geteuid() == 0)) func filesOfAnotherOwnerAreRefused() async throws {
        try await TemporaryFolder.use { folder in
            try await store(folder).save(Self.token, forKey: "accessToken")
            for path in [file(folder, "accessToken"), folder.path("state/app/key-chain")] {
                try #require(chown(path, 65_534, 65_534) == 0)
                #expect(try await refusal(store(folder)) == .foreignOwner)
                try #require(chown(path, 0, 0) == 0)
            }
        }
    }

    /// The attack: a user who owns or can change a parent folder replaces the store's folder.
    @Test(.enabled(if: geteuid() == 0, "only root can change owners"))
    func parentsOfAnotherOwnerAreRefused() async throws {
        try await TemporaryFolder.use { folder in
            try await store(folder).save(Self.token, forKey: "accessToken")
            for path in [folder.path("state/app"), folder.path("state"), folder.root] {
                try #require(chown(path, 65_534, 65_534) == 0)
                #expect(try await refusal(store(folder)) == .foreignOwner)
                #expect(try await refusalToSave(store(folder)) == .foreignOwner)
                try #require(chown(path, 0, 0) == 0)
            }
            #expect(try await store(folder).value(forKey: "accessToken") == Self.token)
            // A link is as trustworthy as the folder that it names.
            try FileManager.default.moveItem(atPath: folder.path("state"), toPath: folder.path("moved"))
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("state"), withDestinationPath: folder.path("moved"))
            #expect(try await store(folder).value(forKey: "accessToken") == Self.token)
            try #require(lchown(folder.path("state"), 65_534, 65_534) == 0)
            #expect(try await refusal(store(folder)) == .foreignOwner)
        }
    }

    @Test func parentsWritableByOthersAreRefused() async throws {
        try await TemporaryFolder.use { folder in
            try await store(folder).save(Self.token, forKey: "accessToken")
            func set(_ mode: mode_t) throws { try #require(chmod(folder.path("state"), mode) == 0) }
            try set(0o777)
            #expect(try await refusal(store(folder)) == .permissionsTooOpen)
            #expect(try await refusalToSave(store(folder)) == .permissionsTooOpen)
            // Readable for all users, and sticky as /tmp is.
            for mode: mode_t in [0o755, 0o1777] {
                try set(mode)
                #expect(try await store(folder).value(forKey: "accessToken") == Self.token)
            }
            try set(0o700)
        }
    }

    @Test func linksAreNotFollowed() async throws {
        try await TemporaryFolder.use { folder in
            let manager = FileManager.default
            try await store(folder).save(Self.token, forKey: "accessToken")
            let path = file(folder, "accessToken")
            try manager.moveItem(atPath: path, toPath: folder.path("elsewhere"))
            try manager.createSymbolicLink(atPath: path, withDestinationPath: folder.path("elsewhere"))
            #expect(try await refusal(store(folder)) == .unsuitableFile)
            // Saving replaces the link and does not write to its target.
            let before = manager.contents(atPath: folder.path("elsewhere"))
            try await store(folder).save("next", forKey: "accessToken")
            #expect(manager.contents(atPath: folder.path("elsewhere")) == before)
            #expect(try await store(folder).value(forKey: "accessToken") == "next")

            try manager.moveItem(atPath: folder.path("state/app/key-chain"), toPath: folder.path("moved"))
            try manager.createSymbolicLink(
                atPath: folder.path("state/app/key-chain"), withDestinationPath: folder.path("moved"))
            #expect(try await refusal(store(folder)) == .unsuitableFile)
            #expect(try await refusalToSave(store(folder)) == .unsuitableFile)
        }
    }

    // MARK: - Crashes, errors, others

    /// The kernel kills a process during a write, when a part of the new file is on the disk.
    @Test func aCrashBeforeTheRenameLeavesTheOldValue() async throws {
        try await TemporaryFolder.use { folder in
            try await store(folder).save(Self.token, forKey: "accessToken")
            await #expect(processExitsWith: .signal(SIGXFSZ)) { [path = folder.root as String] in
                var none = rlimit(rlim_cur: 0, rlim_max: 0)
                setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
                var limit = rlimit(rlim_cur: 10, rlim_max: 10)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                // The threads of the pool block the signal.
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGXFSZ)
                pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                let folder = KeyChainFolder(
                    service: "app", path: path + "/state/app/key-chain", key: .automatic, environment: [:],
                    maximumValueBytes: 100)
                try folder.save(Array("never".utf8), forKey: "accessToken")
            }
            let temporary = folder.path("state/app/key-chain/.") + entryName("accessToken") + ".new"
            #expect(FileManager.default.contents(atPath: temporary)?.count == 10)
            #expect(try await store(folder).value(forKey: "accessToken") == Self.token)
            try await store(folder).save("next", forKey: "accessToken")
            #expect(try await store(folder).value(forKey: "accessToken") == "next")
            #expect(!FileManager.default.fileExists(atPath: temporary))
        }
    }

    /// Deleting a value also deletes what a crash left behind.
    @Test func deletingLeavesNothing() async throws {
        try await TemporaryFolder.use { folder in
            try await store(folder).save(Self.token, forKey: "accessToken")
            try folder.write("half", to: "state/app/key-chain/.\(entryName("accessToken")).new")
            try await store(folder).deleteValue(forKey: "accessToken")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("state/app/key-chain"))
            #expect(Set(left) == ["key", ".store.lock"])
        }
    }

    /// As on a full disk: the system refuses the write, which throws an error and keeps the old value.
    @Test func aFailedWriteKeepsTheOldValue() async throws {
        try await TemporaryFolder.use { folder in
            try await store(folder).save(Self.token, forKey: "accessToken")
            await #expect(processExitsWith: .success) { [path = folder.root as String] in
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 10, rlim_max: 10)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                let store = FileKeyChainStore(service: "app", folder: path + "/state/app/key-chain")
                do {
                    try await store.save("never", forKey: "accessToken")
                    exit(3)
                } catch KeyChainStoreError.file(let error) {
                    guard error.code == .storage, !error.description.contains("never"),
                        try await store.value(forKey: "accessToken") == "t0ken-of-alice"
                    else { exit(4) }
                }
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("state/app/key-chain"))
            #expect(Set(left) == ["key", entryName("accessToken"), ".store.lock"])
        }
    }

    @Test func aFileInPlaceOfTheFolderIsAnError() async throws {
        try await TemporaryFolder.use { folder in
            try folder.write("x", to: "state")
            #expect(try await refusalToSave(store(folder)) == .storage)
        }
    }

    /// Many stores use one folder, which has no key at first. Every value that is read is one that a store wrote.
    @Test func concurrentStoresDoNotInterfere() async throws {
        try await TemporaryFolder.use { folder in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<6 {
                    group.addTask {
                        let store = store(folder)
                        for round in 0..<8 {
                            try await store.save("\(writer) \(round)", forKey: "shared")
                            try await store.save("\(round)", forKey: "own \(writer)")
                            let shared = try await store.value(forKey: "shared")
                            #expect(shared?.split(separator: " ").count == 2)
                        }
                        #expect(try await store.value(forKey: "own \(writer)") == "7")
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// The same with several processes.
    @Test func concurrentProcessesDoNotInterfere() async throws {
        try await TemporaryFolder.use { folder in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        await #expect(processExitsWith: .success) { [path = folder.root as String] in
                            let store = FileKeyChainStore(service: "app", folder: path + "/state/app/key-chain")
                            for round in 0..<10 {
                                try await store.save("value \(round)", forKey: "shared")
                                guard try await store.value(forKey: "shared")?.hasPrefix("value") == true else {
                                    exit(3)
                                }
                            }
                        }
                    }
                }
            }
            let value = try await store(folder).value(forKey: "shared")
            #expect(value == "value 9")
        }
    }
}
#endif
