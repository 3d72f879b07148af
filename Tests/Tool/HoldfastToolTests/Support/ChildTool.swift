import Dispatch
import Foundation
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The built tool in a separate process, with its own temporary folder.
final class ChildTool: Sendable {
    /// How a process ended.
    enum Ending: Hashable, Sendable {
        case exit(Int32)
        case signal(Int32)
    }

    struct Missing: Error {}

    private struct Text {
        var output = ""
        var notes = ""
        var open = 2
    }

    let process: pid_t
    private let input: Int32
    private let output: Int32
    private let text = Mutex(Text())
    private let arrivals = AsyncStream.makeStream(of: Void.self)

    /// The path of the tool that SwiftPM builds with the tests.
    static var path: String {
        #if canImport(Darwin)
        let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
        return tests.bundleURL.deletingLastPathComponent().appendingPathComponent("holdfast").path
        #else
        return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("holdfast").path
        #endif
    }

    /// The options of the sanitizers, if the tests run with one. Processes with an environment of their own need them.
    static let sanitizerOptions = ProcessInfo.processInfo.environment.filter { variable in
        ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"].contains(variable.key)
    }

    /// Starts the tool. Its input stays open until ``endInput()``.
    ///
    /// - Parameters:
    ///   - starter: The path and the first arguments of a program that runs the rest of its arguments as a command.
    ///   - takesOutput: Whether standard output is read. If not, the pipe fills up and the tool waits in its write.
    init(_ arguments: [String], through starter: [String] = [], temporary: String, takesOutput: Bool = true) throws {
        let (input, output, notes) = (try Self.pipe(), try Self.pipe(), try Self.pipe())
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.reader, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output.writer, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, notes.writer, STDERR_FILENO)
        let environment =
            ["PATH=/usr/bin:/bin", "HOME=\(temporary)", "TMPDIR=\(temporary)"]
            + Self.sanitizerOptions.map { "\($0)=\($1)" }
        let words = (starter + [Self.path] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var process: pid_t = 0
        guard posix_spawn(&process, starter.first ?? Self.path, &actions, nil, words, variables) == 0 else {
            throw Missing()
        }
        for descriptor in [input.reader, output.writer, notes.writer] { close(descriptor) }
        self.process = process
        self.input = input.writer
        self.output = output.reader
        if takesOutput {
            collect(output.reader) { $0.output += $1 }
        } else {
            text.withLock { $0.open -= 1 }
        }
        collect(notes.reader) { $0.notes += $1 }
    }

    private static func pipe() throws -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [0, 0]
        guard systemPipe(&ends) == 0 else { throw Missing() }
        // Other tests start programs concurrently, which must not inherit these ends.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private func collect(_ descriptor: Int32, _ keep: @escaping @Sendable (inout Text, String) -> Void) {
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                let part = String(decoding: buffer.prefix(count), as: UTF8.self)
                self.text.withLock { keep(&$0, part) }
                self.arrivals.continuation.yield()
            }
            self.text.withLock { $0.open -= 1 }
            self.arrivals.continuation.yield()
        }
    }

    /// The standard output so far.
    var printed: String { text.withLock { $0.output } }
    /// The standard error output so far.
    var notes: String { text.withLock { $0.notes } }

    /// Waits until the tool has printed this on either stream. Fails the test if the tool ends before.
    func says(_ words: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        func isSaid() -> Bool { text.withLock { $0.output.contains(words) || $0.notes.contains(words) } }
        if isSaid() { return }
        for await _ in arrivals.stream {
            if isSaid() { return }
            if text.withLock({ $0.open == 0 }) { break }
        }
        Issue.record("it never said '\(words)': \(printed) \(notes)", sourceLocation: sourceLocation)
        throw Missing()
    }

    /// Types a line.
    func type(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    }

    /// Ends its input.
    func endInput() { close(input) }

    /// Closes this end of the tool's standard output, which must not be read.
    func closeOutput() { close(output) }

    /// Sends a signal.
    func send(_ signal: Int32) { kill(process, signal) }

    /// Waits until the tool ends. A tool that does not end within 60 seconds is killed with SIGKILL.
    func ending() async -> Ending {
        let process = process
        let hasEnded = Mutex(false)
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) {
            hasEnded.withLock { if !$0 { _ = kill(process, SIGKILL) } }
        }
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var information = siginfo_t()
                // The process stays a zombie until it is reaped, so its number is not reused meanwhile.
                while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
                hasEnded.withLock { $0 = true }
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                let signal = status & 0x7F
                continuation.resume(returning: signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal))
            }
        }
    }
}

// The C function, under a name that the method above does not hide.
private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { pipe(ends) }
