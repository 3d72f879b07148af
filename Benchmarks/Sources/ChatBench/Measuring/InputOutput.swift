import Foundation

/// The kernel's counters of a thread's input and output. Linux only; zero on other platforms.
struct InputOutput {
    /// The number of this thread's system calls that read or write.
    var calls: Int
    /// The number of open files and sockets of the process.
    var openFiles: Int

    static func ofThread() -> InputOutput {
        let text = (try? String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)) ?? ""
        let calls = text.split(separator: "\n").filter { $0.hasPrefix("syscr") || $0.hasPrefix("syscw") }
            .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return InputOutput(calls: calls.reduce(0, +), openFiles: files.count)
    }
}
