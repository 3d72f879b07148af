import Foundation

/// What the kernel counts of a thread's input and output. Linux only; elsewhere zero.
struct InputOutput {
    /// System calls that read or write, of this thread.
    var calls: Int
    /// Files and sockets that the process has open.
    var openFiles: Int

    static func ofThread() -> InputOutput {
        let text = (try? String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)) ?? ""
        let calls = text.split(separator: "\n").filter { $0.hasPrefix("syscr") || $0.hasPrefix("syscw") }
            .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return InputOutput(calls: calls.reduce(0, +), openFiles: files.count)
    }
}
