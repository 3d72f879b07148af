import Foundation

/// The kernel's counters of a thread's input and output. Linux only; zero on other platforms.
struct InputOutput {
    /// The number of this thread's system calls that read.
    var reads: Int
    /// The number of this thread's system calls that write.
    var writes: Int
    /// The bytes that this thread has written.
    var written: Int
    /// The number of open files and sockets of the process.
    var openFiles: Int

    static func ofThread() -> InputOutput {
        let text = (try? String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)) ?? ""
        func value(_ name: String) -> Int {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
            return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
        }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return InputOutput(
            reads: value("syscr"), writes: value("syscw"), written: value("wchar"), openFiles: files.count)
    }
}
