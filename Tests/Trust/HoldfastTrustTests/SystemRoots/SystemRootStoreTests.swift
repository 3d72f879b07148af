import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import HoldfastTrust

@Suite("System root store")
struct SystemRootStoreTests {
    let first: Identity
    let second: Identity
    let start = CertificateFactory.referenceTime

    init() throws {
        let factory = CertificateFactory()
        first = try factory.authority("First root")
        second = try factory.authority("Second root")
    }

    /// Creates a store for the given locations that counts its reads.
    private func store(files: [String] = [], folders: [String] = []) -> (SystemRootStore, reads: @Sendable () -> Int) {
        let counter = Counter()
        let locations = RootLocations(files: files, folders: folders)
        let store = SystemRootStore { () throws(SystemRootsError) in
            counter.count.withLock { $0 += 1 }
            return try SystemRoots.load(from: locations)
        }
        return (store, { counter.count.withLock { $0 } })
    }

    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    @Test("reads the files once, and does not check them again for a minute")
    func rateLimit() throws {
        try TemporaryFolder.use { folder in
            let path = try folder.write(first.certificatePEM, to: "bundle.crt")
            let (store, reads) = store(files: [path])
            #expect(try store.current(at: start).certificates == [first.view])
            try folder.write(second.certificatePEM + "\n\n", to: "bundle.crt")
            #expect(try store.current(at: start.advanced(bySeconds: 59)).certificates == [first.view])
            #expect(reads() == 1)
            #expect(try store.current(at: start.advanced(bySeconds: 60)).certificates == [second.view])
            #expect(reads() == 2)
        }
    }

    @Test("is ready for a minute after the files were read or checked")
    func readiness() throws {
        try TemporaryFolder.use { folder in
            let path = try folder.write(first.certificatePEM, to: "bundle.crt")
            let (store, reads) = store(files: [path])
            #expect(!store.isReady(at: start))
            #expect(reads() == 0)
            _ = try store.current(at: start)
            #expect(store.isReady(at: start))
            #expect(store.isReady(at: start.advanced(bySeconds: 59)))
            #expect(!store.isReady(at: start.advanced(bySeconds: 60)))
            #expect(!store.isReady(at: start.advanced(bySeconds: -1)))
            _ = try store.current(at: start.advanced(bySeconds: 60))
            #expect(store.isReady(at: start.advanced(bySeconds: 119)))
        }
    }

    @Test("does not read unchanged files again, and returns the same roots object")
    func unchanged() throws {
        try TemporaryFolder.use { folder in
            let path = try folder.write(first.certificatePEM, to: "bundle.crt")
            let (store, reads) = store(files: [path])
            let before = try store.current(at: start).index
            for minute in 1...5 {
                #expect(try store.current(at: start.advanced(bySeconds: Int64(minute) * 60)).index === before)
            }
            #expect(reads() == 1)
        }
    }

    @Test("detects a file with the same size and date but another inode")
    func replacedByRename() throws {
        try TemporaryFolder.use { folder in
            let path = try folder.write(first.certificatePEM, to: "bundle.crt")
            let date = Date(timeIntervalSince1970: 1_700_000_000)
            let (store, reads) = store(files: [path])
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            _ = try store.current(at: start)
            let other = try folder.write(first.certificatePEM, to: "new.crt")
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: other)
            // The old file is kept, so that the file system does not reuse its inode.
            try FileManager.default.moveItem(atPath: path, toPath: folder.path("old.crt"))
            try FileManager.default.moveItem(atPath: other, toPath: path)
            _ = try store.current(at: start.advanced(bySeconds: 60))
            #expect(reads() == 2)
        }
    }

    @Test("checks the files again when the clock goes back")
    func clockBack() throws {
        try TemporaryFolder.use { folder in
            let path = try folder.write(first.certificatePEM, to: "bundle.crt")
            let (store, _) = store(files: [path])
            _ = try store.current(at: start)
            try folder.write(second.certificatePEM + "\n\n", to: "bundle.crt")
            #expect(try store.current(at: start.advanced(bySeconds: -1)).certificates == [second.view])
            #expect(try store.current(at: Timestamp(secondsSince1970: .min)).certificates == [second.view])
            #expect(try store.current(at: Timestamp(secondsSince1970: .max)).certificates == [second.view])
        }
    }

    @Test("reports an emptied store immediately, and recovers immediately")
    func emptied() throws {
        try TemporaryFolder.use { folder in
            let path = try folder.write(first.certificatePEM, to: "bundle.crt")
            let (store, _) = store(files: [path])
            _ = try store.current(at: start)
            try FileManager.default.removeItem(atPath: path)
            let later = start.advanced(bySeconds: 60)
            #expect(throws: SystemRootsError.self) { try store.current(at: later) }
            #expect(throws: SystemRootsError.self) { try store.current(at: start) }
            try folder.write(second.certificatePEM, to: "bundle.crt")
            #expect(try store.current(at: later).certificates == [second.view])
        }
    }

    @Test("detects a new bundle that takes precedence")
    func newBundle() throws {
        try TemporaryFolder.use { folder in
            let fallback = try folder.write(first.certificatePEM, to: "fallback.crt")
            let (store, _) = store(files: [folder.path("better.crt"), fallback])
            #expect(try store.current(at: start).certificates == [first.view])
            try folder.write(second.certificatePEM, to: "better.crt")
            #expect(try store.current(at: start.advanced(bySeconds: 60)).certificates == [second.view])
        }
    }

    @Test("detects a file that is added to a folder or changed in it")
    func folderChanges() throws {
        try TemporaryFolder.use { folder in
            let certificates = try folder.makeFolder("certs")
            try folder.write(first.certificatePEM, to: "certs/a.pem")
            let (store, _) = store(folders: [certificates])
            #expect(try store.current(at: start).certificates == [first.view])
            try folder.write(second.certificatePEM, to: "certs/b.pem")
            #expect(try store.current(at: start.advanced(bySeconds: 60)).certificates.count == 2)
            try folder.write(second.certificatePEM + "\n\n", to: "certs/a.pem")
            #expect(try store.current(at: start.advanced(bySeconds: 120)).certificates == [second.view])
        }
    }

    @Test("concurrent callers cause one read")
    func concurrent() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID().uuidString).crt")
        try Data(first.certificatePEM.utf8).write(to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (store, reads) = store(files: [folder.path])
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { [start] in try store.current(at: start).certificates.count } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 1, count: 50))
        #expect(reads() == 1)
    }
}
