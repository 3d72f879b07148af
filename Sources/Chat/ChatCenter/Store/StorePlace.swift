// `lstat` is not in FoundationEssentials.
import Foundation

/// Checks the folders and files of a store. The rules equal those for the files of the credential store: the files
/// belong to the process's user, other users cannot write to them, and links are not followed. A user with write access
/// could replace the store.
///
/// Read permissions of other users are accepted, because an app's own folder often has mode 0755. The store removes
/// them from its own folders and files.
enum StorePlace {
    /// Checks a folder. Returns `false` if it does not exist.
    @discardableResult
    static func checkFolder(_ url: URL) throws(ChatStorageError) -> Bool {
        try check(url, S_IFDIR, "a folder")
    }

    /// Checks a file. Returns `false` if it does not exist.
    @discardableResult
    static func checkFile(_ url: URL) throws(ChatStorageError) -> Bool {
        try check(url, S_IFREG, "a regular file")
    }

    /// Creates a folder with mode 0700 and its parent folders if missing, and checks it.
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
            throw refused(url, "is a symbolic link, which is not followed. Use the link's target.")
        }
        guard found == type else { throw refused(url, "is not \(what).") }
        guard status.st_uid == geteuid() else {
            throw refused(url, "belongs to another user (\(status.st_uid)). Use a folder that belongs to this user.")
        }
        guard status.st_mode & 0o022 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw refused(
                url, "is writable by other users (mode \(mode)). Run: chmod go-w '\(url.path)'")
        }
        return true
    }

    private static func refused(_ url: URL, _ reason: String) -> ChatStorageError {
        ChatStorageError(.unprotected, "\(url.path) \(reason)")
    }
}

/// The default folders of the SDK.
///
/// Finding them does not access the disk: the home directory comes from the environment.
enum StorageLocation {
    /// Application Support on Apple platforms; elsewhere `$XDG_STATE_HOME/<executable>/ChatCenter`, by default in
    /// `~/.local/state`.
    static var standard: URL { state.appending(path: "ChatCenter", directoryHint: .isDirectory) }

    /// The folder of the log files: `Documents/Logs` on Apple platforms, elsewhere `Logs` beside the chat's folder.
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
        // According to the XDG rules, a relative path is invalid and ignored.
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
