import BenchSupport
import Foundation

/// The machine at the time of the run: processors, load and disk.
struct Machine: Codable, Sendable {
    var processors: Int
    /// The load average of the last minute, before the first and after the last figure; empty if it is not available.
    var load: [String] = []
    /// The device and the file system of the folder, as reported by `df`.
    var disk: String

    init(folder: URL) {
        processors = ProcessInfo.processInfo.activeProcessorCount
        let lines = (try? ChildProcess.output(of: "/bin/df", ["-T", folder.path]))?.split(separator: "\n") ?? []
        disk = lines.last.map { $0.split(separator: " ").prefix(2).joined(separator: ", ") } ?? "unknown"
        noteLoad()
    }

    mutating func noteLoad() {
        if let now = LoadAverage.lastMinute() { load.append(now) }
    }
}
