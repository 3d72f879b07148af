import Foundation

/// Processes of this machine, as `/proc` lists them. Linux only.
enum ProcessTree {
    /// Returns the child processes of a process.
    static func children(of parent: Int32) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap(Int32.init).filter { status($0)?.parent == parent }
    }

    /// Returns whether a process exists and has not ended. A process that has ended remains until its parent reads its
    /// status.
    static func isRunning(_ process: Int32) -> Bool { status(process).map { $0.state != "Z" } ?? false }

    /// Sends a signal to a process.
    static func send(_ signal: Int32, to process: Int32) { _ = kill(process, signal) }

    private static func status(_ process: Int32) -> (state: Substring, parent: Int32)? {
        // The name of the program is in parentheses and may contain spaces.
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[end...].split(separator: " ")
        guard fields.count > 2, let parent = Int32(fields[2]) else { return nil }
        return (fields[1], parent)
    }
}
