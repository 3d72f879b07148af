import Foundation

/// Where the SDK keeps things unless the app says otherwise.
enum StorageLocation {
    /// Application Support on Apple platforms; `$XDG_STATE_HOME/<executable>/ChatCenter`, by default below
    /// `~/.local/state`, elsewhere.
    static var standard: URL { state.appendingPathComponent("ChatCenter") }

    /// The folder of the log files: `Documents/Logs` on Apple platforms, beside the rest elsewhere.
    static var logs: URL {
        #if canImport(Darwin)
        let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
        return (documents ?? FileManager.default.temporaryDirectory).appendingPathComponent("Logs")
        #else
        return state.appendingPathComponent("Logs")
        #endif
    }

    private static var state: URL {
        #if canImport(Darwin)
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        return support ?? FileManager.default.temporaryDirectory
        #else
        let environment = ProcessInfo.processInfo.environment
        // The XDG rules: a relative path is invalid and is not used.
        let home =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
            ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/state")
        return home.appendingPathComponent(ProcessInfo.processInfo.processName)
        #endif
    }
}
