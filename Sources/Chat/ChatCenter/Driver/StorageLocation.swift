import Foundation

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
