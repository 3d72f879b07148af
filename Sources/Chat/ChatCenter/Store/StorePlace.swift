// `lstat` comes with the whole of Foundation.
import Foundation

/// The rules for the folders and files of a store, the same as for the files of the credential store: they belong to this
/// process's user, nobody else may write to them, and links are not followed. Whoever could write there could put a store
/// of their own in place of the user's.
///
/// Permissions to read are not a reason to refuse: a folder of the app's own often has mode 0755. The store's own folders
/// and files lose them.
enum StorePlace {
    /// Checks a folder. Returns `false` if nothing is there.
    @discardableResult
    static func checkFolder(_ url: URL) throws(ChatStorageError) -> Bool {
        try check(url, S_IFDIR, "a folder")
    }

    /// Checks a file. Returns `false` if nothing is there.
    @discardableResult
    static func checkFile(_ url: URL) throws(ChatStorageError) -> Bool {
        try check(url, S_IFREG, "a regular file")
    }

    /// Makes a folder with mode 0700 if it is missing, with the folders above it, and checks it.
    static func makeFolder(_ url: URL) throws {
        if try checkFolder(url) { return }
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try checkFolder(url)
    }

    private static func check(_ url: URL, _ type: mode_t, _ what: String) throws(ChatStorageError) -> Bool {
        var status = stat()
        guard lstat(url.path, &status) == 0 else {
            if errno == ENOENT { return false }
            throw refused(url, "cannot be examined: \(String(cString: strerror(errno))).")
        }
        let found = status.st_mode & S_IFMT
        guard found != S_IFLNK else {
            throw refused(url, "is a symbolic link, and links are not followed. Name the place it leads to.")
        }
        guard found == type else { throw refused(url, "is not \(what).") }
        guard status.st_uid == geteuid() else {
            throw refused(url, "belongs to another user (\(status.st_uid)). Use a folder of this user's own.")
        }
        guard status.st_mode & 0o022 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw refused(
                url, "can be changed by other users (mode \(mode)). Run: chmod go-w '\(url.path)'")
        }
        return true
    }

    private static func refused(_ url: URL, _ reason: String) -> ChatStorageError {
        ChatStorageError(.unprotected, "\(url.path) \(reason)")
    }
}

/// Where the SDK keeps things unless the app says otherwise.
///
/// Finding it touches no disk: the home directory is the environment's, and no path is asked whether it is a folder.
enum StorageLocation {
    /// Application Support on Apple platforms; `$XDG_STATE_HOME/<executable>/ChatCenter`, by default below
    /// `~/.local/state`, elsewhere.
    static var standard: URL { state.appending(path: "ChatCenter", directoryHint: .isDirectory) }

    /// The folder of the log files: `Documents/Logs` on Apple platforms, beside the rest elsewhere.
    static var logs: URL {
        #if canImport(Darwin)
        let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
        return (documents ?? FileManager.default.temporaryDirectory).appending(
            path: "Logs", directoryHint: .isDirectory)
        #else
        return state.appending(path: "Logs", directoryHint: .isDirectory)
        #endif
    }

    private static var state: URL {
        #if canImport(Darwin)
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        return support ?? FileManager.default.temporaryDirectory
        #else
        let environment = ProcessInfo.processInfo.environment
        // The XDG rules: a relative path is invalid and is not used.
        func folder(_ name: String) -> URL? {
            environment[name].flatMap { path in
                path.hasPrefix("/") ? URL(filePath: path, directoryHint: .isDirectory) : nil
            }
        }
        let home =
            folder("XDG_STATE_HOME")
            ?? (folder("HOME") ?? FileManager.default.homeDirectoryForCurrentUser)
            .appending(path: ".local/state", directoryHint: .isDirectory)
        return home.appending(path: ProcessInfo.processInfo.processName, directoryHint: .isDirectory)
        #endif
    }
}
