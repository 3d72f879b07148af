import BenchSupport
import Foundation

/// Where and when it was measured: processors, load, and what kind of disk the stores lay on.
struct Machine: Codable, Sendable {
    var processors: Int
    /// Of the last minute, before the first figure and after the last one; empty where it cannot be asked.
    var load: [String] = []
    /// The file system and device of the folder, as `df` names them.
    var disk: String

    init(folder: URL) {
        processors = ProcessInfo.processInfo.activeProcessorCount
        let lines = (try? ChildProcess.output(of: "/bin/df", ["-T", folder.path]))?.split(separator: "\n") ?? []
        disk = lines.last.map { $0.split(separator: " ").prefix(2).joined(separator: ", ") } ?? "unknown"
        noteLoad()
    }

    mutating func noteLoad() {
        guard let text = try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8),
            let first = text.split(separator: " ").first
        else { return }
        load.append(String(first))
    }
}
