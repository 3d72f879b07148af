import HoldfastBase
package import ChatCenterCore
import Crypto
// `rmdir` is not in FoundationEssentials.
// `URLResourceValues.isExcludedFromBackup` is Apple's.
package import Foundation
import HoldfastTrust

/// Where everything of one user lies: the database and the copies of files. A folder of its own, so that a logout can
/// take all of it.
struct UserFolder: Sendable {
    let url: URL
    /// What everything in it is sealed with; `nil` where it is kept as it is.
    let keys: StoreKeys?

    /// The folder of a user. Its name is a hash: an identifier may be a secret, and may hold any character.
    init(root: URL, providerUID: String, appMarker: String?, clientID: String, key: ChatStorageKey? = nil) {
        var hash = SHA256()
        // Each part with its length, so that no two triples give the same bytes.
        for part in [providerUID, appMarker ?? "", clientID] {
            let bytes = Array(part.utf8)
            hash.update(data: Array("\(bytes.count):".utf8))
            hash.update(data: bytes)
        }
        let name = Array(hash.finalize()).prefix(16).hexadecimal
        url = root.appendingPathComponent(name)
        keys = key.map { StoreKeys($0, folder: name) }
    }

    /// A folder that is there already, by its place.
    init(at url: URL, key: ChatStorageKey?) {
        self.url = url
        keys = key.map { StoreKeys($0, folder: url.lastPathComponent) }
    }

    /// Whether a folder may be a user's, by its name.
    static func isName(_ name: String) -> Bool {
        name.utf8.count == 32
            && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Whether a text is the bare name of a file, which leads nowhere but into its folder.
    static func isFileName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0x2F || $0 == 0 }
    }

    /// The database.
    var database: URL { url.appendingPathComponent("chat.sqlite") }
    /// Copies of files that are to be sent, and files that were fetched.
    var files: URL { url.appendingPathComponent("files") }

    /// Makes the folder and an empty database file, for the owner's eyes alone. SQLite gives its side files the mode
    /// of the database. Throws `ChatStorageError` with `unprotected` where others could have put something there.
    func prepare() throws {
        try StorePlace.makeFolder(url.deletingLastPathComponent())
        try StorePlace.makeFolder(url)
        let manager = FileManager.default
        // The folder may be older than this rule.
        try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: url.path)
        Backup.exclude(url)
        let hasDatabase = try checkContents()
        if hasDatabase {
            try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: database.path)
        } else {
            guard
                manager.createFile(atPath: database.path, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
        }
    }

    /// Checks the folder without changing it. Returns whether there is a database.
    func check() throws(ChatStorageError) -> Bool {
        try StorePlace.checkFolder(url.deletingLastPathComponent())
        guard try StorePlace.checkFolder(url) else { return false }
        return try checkContents()
    }

    private func checkContents() throws(ChatStorageError) -> Bool {
        try StorePlace.checkFolder(files)
        for suffix in ["-wal", "-shm", "-journal"] {
            try StorePlace.checkFile(URL(fileURLWithPath: database.path + suffix))
        }
        return try StorePlace.checkFile(database)
    }

    /// Makes the folder for files, in the folder of a user who is here: one that was erased does not come back for it.
    func prepareFiles() throws {
        do {
            try FileManager.default.createDirectory(
                at: files, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            guard try StorePlace.checkFolder(files) else { throw error }
            // The folder may be older than this rule.
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: files.path)
        }
    }

    /// Deletes a copy that came after its user had left, what was there of it before it was whole, and the folder of
    /// files if it alone kept it. No other file: the user may be back already.
    func discardLateFile(_ copy: URL) {
        try? FileManager.default.removeItem(at: copy)
        Self.discardPart(of: copy)
        // Fails where there is something in it.
        _ = rmdir(files.path)
    }

    /// Deletes what there is of a file that was never fetched whole.
    static func discardPart(of copy: URL) {
        let part = copy.deletingLastPathComponent().appendingPathComponent(".\(copy.lastPathComponent).download")
        try? FileManager.default.removeItem(at: part)
        try? FileManager.default.removeItem(at: part.appendingPathExtension("json"))
    }

    /// Deletes what nobody will ask for again: copies whose message is gone, as a crash leaves them, and the oldest of the
    /// files that were fetched, beyond ``longestCache``. What is younger than an hour may be another process's.
    ///
    /// - Parameters:
    ///   - kept: The paths of copies that messages wait for.
    ///   - now: Milliseconds since 1970.
    func sweepFiles(keeping kept: [String], now: Int64) {
        let keys: Set<URLResourceKey> = [.contentModificationDateKey, .fileSizeKey]
        let found = try? FileManager.default.contentsOfDirectory(at: files, includingPropertiesForKeys: Array(keys))
        let kept = Set(kept.map { ($0 as NSString).lastPathComponent })
        let limit = Date(timeIntervalSince1970: Double(now) / 1000 - 3600)
        var fetched: [(url: URL, date: Date, size: Int64)] = []
        for url in found ?? [] where !kept.contains(url.lastPathComponent) {
            guard let values = try? url.resourceValues(forKeys: keys), let date = values.contentModificationDate,
                date < limit
            else { continue }
            if Self.isFetched(url.lastPathComponent) {
                fetched.append((url, date, Int64(values.fileSize ?? 0)))
            } else {
                try? FileManager.default.removeItem(at: url)
            }
        }
        var size: Int64 = 0
        for file in fetched.sorted(by: { $0.date > $1.date }) {
            size += file.size
            if size > Self.longestCache { try? FileManager.default.removeItem(at: file.url) }
        }
    }

    /// The bytes of fetched files that are kept from one start to the next.
    static let longestCache: Int64 = 256 << 20

    /// Whether a file was fetched, or is a part of one that is being fetched: by its name.
    private static func isFetched(_ name: String) -> Bool {
        isName(name) || name.hasPrefix(".") && isName(String(name.dropFirst().prefix(32)))
    }

    /// Deletes the copies of files.
    func eraseFiles() throws {
        do {
            try FileManager.default.removeItem(at: files)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            // Nothing to delete.
        }
    }

    /// Deletes everything, the database's side files too. The database must be closed.
    ///
    /// The folder loses its name first, in one step: what a crash leaves of it is no user's any more, and goes with the
    /// next one that is erased, or at the next start.
    func erase() throws {
        let root = url.deletingLastPathComponent()
        if FileManager.default.fileExists(atPath: url.path) {
            let gone = root.appendingPathComponent(Self.gonePrefix + UUID().uuidString)
            if rename(url.path, gone.path) != 0 { try FileManager.default.removeItem(at: url) }
        }
        try Self.sweepErased(in: root)
    }

    private static let gonePrefix = ".gone-"

    /// Deletes what is left of folders that were to be erased. Several threads and processes may do so at once.
    static func sweepErased(in root: URL) throws {
        // What others put there is not touched: the store refuses such a place as well.
        guard try StorePlace.checkFolder(root) else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        for name in names where name.hasPrefix(gonePrefix) {
            // Whoever takes the folder under a new name deletes it, so that two do not walk the same folder.
            let taken = root.appendingPathComponent(gonePrefix + UUID().uuidString)
            guard rename(root.appendingPathComponent(name).path, taken.path) == 0 else { continue }
            do {
                try FileManager.default.removeItem(at: taken)
            } catch {
                // Somebody else has taken it over meanwhile.
                guard !FileManager.default.fileExists(atPath: taken.path) else { throw error }
            }
        }
    }
}

/// The store of one user as the driver opens it, for what looks at a store without a driver: `ChatCenterTestSupport`.
package enum UserStore {
    /// Makes the store in the folder that an SDK with the same `storageDirectory`, provider and marker takes for the
    /// user. Opens nothing before it is used.
    package static func make(
        root: URL, providerUID: String, appMarker: String? = nil, clientID: String
    ) -> any ChatStore {
        SQLiteChatStore(
            folder: UserFolder(root: root, providerUID: providerUID, appMarker: appMarker, clientID: clientID),
            errors: ErrorTable())
    }

    /// What lies on the disk of a user now, read on a connection of its own that is closed again. Makes nothing where there
    /// is no database.
    package static func stored(
        root: URL, providerUID: String, clientID: String, window: Int
    ) throws(StoreFailure) -> PersistedChat {
        let folder = UserFolder(root: root, providerUID: providerUID, appMarker: nil, clientID: clientID)
        guard FileManager.default.fileExists(atPath: folder.database.path) else { return .empty }
        return try SQLiteChatStore(folder: folder, errors: ErrorTable()).restore(window: window)
    }
}

/// Keeps what belongs to this device alone out of backups.
enum Backup {
    /// Excludes a folder, with what is in it. Backups that know no such mark take it along.
    static func exclude(_ folder: URL) {
        #if canImport(Darwin)
        var folder = folder
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        // A volume without such marks is none that is backed up.
        try? folder.setResourceValues(values)
        #endif
    }
}
