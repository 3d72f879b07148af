import Crypto
// `FileManager`'s attributes are the same in FoundationEssentials, `URL` too.
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
        let name = Array(hash.finalize()).prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
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
    /// of the database.
    func prepare() throws {
        try makeFolder(url)
        let manager = FileManager.default
        if !manager.fileExists(atPath: database.path) {
            guard
                manager.createFile(atPath: database.path, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
        }
    }

    /// Makes the folder for files.
    func prepareFiles() throws {
        try makeFolder(url)
        try makeFolder(files)
    }

    /// Deletes the copies of files.
    func eraseFiles() throws {
        guard FileManager.default.fileExists(atPath: files.path) else { return }
        try FileManager.default.removeItem(at: files)
    }

    /// Deletes everything, the database's side files too. The database must be closed.
    func erase() throws {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        try FileManager.default.removeItem(at: url)
    }

    private func makeFolder(_ url: URL) throws {
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // The folder may be older than this rule.
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: url.path)
    }
}
