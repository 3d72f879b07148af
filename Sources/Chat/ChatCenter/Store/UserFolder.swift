import HoldfastBase
package import ChatCenterCore
import Crypto
// `rmdir` is not in FoundationEssentials. `URLResourceValues.isExcludedFromBackup` is Apple's.
package import Foundation
import HoldfastTransport
import HoldfastTrust

/// The folder of one user: the database and the copies of files. Each user has a separate folder, so that a logout can
/// delete it.
struct UserFolder: Sendable {
    let url: URL
    /// The keys that encrypt the contents; `nil` if they are not encrypted.
    let keys: StoreKeys?

    /// Creates the folder's path. The name is a hash, because an identifier may be secret and may contain any
    /// character.
    init(root: URL, providerUID: String, appMarker: String?, clientID: String, key: ChatStorageKey? = nil) {
        var hash = SHA256()
        // The length of each part is included, so that different parts never give the same bytes.
        for part in [providerUID, appMarker ?? "", clientID] {
            let bytes = Array(part.utf8)
            hash.update(data: Array("\(bytes.count):".utf8))
            hash.update(data: bytes)
        }
        let name = Array(hash.finalize()).prefix(16).hexadecimal
        url = root.appendingPathComponent(name)
        keys = key.map { StoreKeys($0, folder: name) }
    }

    /// Creates the value for an existing folder.
    init(at url: URL, key: ChatStorageKey?) {
        self.url = url
        keys = key.map { StoreKeys($0, folder: url.lastPathComponent) }
    }

    /// Returns whether a name can be that of a user's folder.
    static func isName(_ name: String) -> Bool {
        name.utf8.count == 32
            && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Returns whether a text is a plain file name, without any path.
    static func isFileName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0x2F || $0 == 0 }
    }

    /// The database file.
    var database: URL { url.appendingPathComponent("chat.sqlite") }
    /// The folder for copies of files to send, and for downloaded files.
    var files: URL { url.appendingPathComponent("files") }

    /// Creates the folder and an empty database file that only the owner can read. SQLite gives its side files the mode
    /// of the database. Throws `ChatStorageError` with `unprotected` if other users could have written to the folder.
    func prepare() throws {
        try StorePlace.makeFolder(url.deletingLastPathComponent())
        try StorePlace.makeFolder(url)
        let manager = FileManager.default
        // An earlier version may have created the folder with another mode.
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

    /// Checks the folder without changing it. Returns whether it contains a database.
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

    /// Creates the folder for files if the user's folder exists. An erased user's folder is not created again.
    func prepareFiles() throws {
        do {
            try FileManager.default.createDirectory(
                at: files, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            guard try StorePlace.checkFolder(files) else { throw error }
            // An earlier version may have created the folder with another mode.
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: files.path)
        }
    }

    /// Deletes a copy that was completed after its user had logged out, its partial file, and the folder of files if it
    /// is then empty. Other files are kept, because the user may be authorized again.
    func discardLateFile(_ copy: URL) {
        try? FileManager.default.removeItem(at: copy)
        Self.discardPart(of: copy)
        // Fails if the folder is not empty.
        _ = rmdir(files.path)
    }

    /// Deletes the partial file of an incomplete download.
    static func discardPart(of copy: URL) {
        let (folder, name) = (copy.deletingLastPathComponent(), copy.lastPathComponent)
        for file in [PartialFile.name(of: name), PartialFile.recordName(of: name)] {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(file))
        }
    }

    /// Deletes unused files: copies without a message, which a crash can leave, and the oldest downloaded files beyond
    /// ``longestCache``. Files younger than one hour are kept, because another process may use them.
    ///
    /// - Parameters:
    ///   - kept: The paths of copies that belong to unsent messages.
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

    /// The maximum size in bytes of downloaded files that are kept from one start to the next. The oldest are removed.
    static let longestCache: Int64 = 256 << 20

    /// Returns whether a name is that of a downloaded file or of a partial download.
    private static func isFetched(_ name: String) -> Bool {
        isName(name) || name.hasPrefix(".") && isName(String(name.dropFirst().prefix(32)))
    }

    /// Deletes the copies of files.
    func eraseFiles() throws {
        do {
            try FileManager.default.removeItem(at: files)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            // There is nothing to delete.
        }
    }

    /// Deletes everything, including the database's side files. The database must be closed.
    ///
    /// The folder is first renamed, which is atomic. If a crash interrupts the deletion, the rest no longer belongs to
    /// a user. It is deleted at the next erasure or the next start.
    func erase() throws {
        let root = url.deletingLastPathComponent()
        if FileManager.default.fileExists(atPath: url.path) {
            let gone = root.appendingPathComponent(Self.gonePrefix + UUID().uuidString)
            if rename(url.path, gone.path) != 0 { try FileManager.default.removeItem(at: url) }
        }
        try Self.sweepErased(in: root)
    }

    private static let gonePrefix = ".gone-"

    /// Deletes the remains of erased folders. Several threads and processes may call it concurrently.
    static func sweepErased(in root: URL) throws {
        // Folders that other users can write to are not touched; the store refuses them too.
        guard try StorePlace.checkFolder(root) else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        for name in names where name.hasPrefix(gonePrefix) {
            // The thread that renames the folder deletes it, so that only one thread walks it.
            let taken = root.appendingPathComponent(gonePrefix + UUID().uuidString)
            guard rename(root.appendingPathComponent(name).path, taken.path) == 0 else { continue }
            do {
                try FileManager.default.removeItem(at: taken)
            } catch {
                // Another process has taken the folder over meanwhile.
                guard !FileManager.default.fileExists(atPath: taken.path) else { throw error }
            }
        }
    }
}

/// The store of one user without a driver, for `ChatCenterTestSupport`.
package enum UserStore {
    /// Creates the store in the folder that an SDK with the same `storageDirectory`, provider and marker uses for this
    /// user. Opens the database at the first use.
    package static func make(
        root: URL, providerUID: String, appMarker: String? = nil, clientID: String
    ) -> any ChatStore {
        SQLiteChatStore(
            folder: UserFolder(root: root, providerUID: providerUID, appMarker: appMarker, clientID: clientID),
            errors: ErrorTable())
    }

    /// Returns a user's stored data, read on a separate connection. Creates nothing if there is no database.
    package static func stored(
        root: URL, providerUID: String, clientID: String, window: Int
    ) throws(StoreFailure) -> PersistedChat {
        let folder = UserFolder(root: root, providerUID: providerUID, appMarker: nil, clientID: clientID)
        guard FileManager.default.fileExists(atPath: folder.database.path) else { return .empty }
        return try SQLiteChatStore(folder: folder, errors: ErrorTable()).restore(window: window)
    }
}

/// Excludes data from backups that belongs to this device only.
enum Backup {
    /// Excludes a folder and its contents. Has an effect only on Apple platforms.
    static func exclude(_ folder: URL) {
        #if canImport(Darwin)
        var folder = folder
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        // A volume that does not support this attribute is not backed up.
        try? folder.setResourceValues(values)
        #endif
    }
}
