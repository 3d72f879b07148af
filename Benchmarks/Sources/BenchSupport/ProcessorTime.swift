import Foundation

/// Processor time, in microseconds.
package enum ProcessorTime {
    /// Returns the time of this process.
    package static func ofProcess() -> Double { usage(RUSAGE_SELF) }

    /// Returns the time of all child processes that have ended.
    package static func ofChildren() -> Double { usage(RUSAGE_CHILDREN) }

    /// Returns the time of the calling thread.
    package static func ofThread() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    /// Returns the time of another process with all its threads. Linux only; zero on other platforms.
    package static func of(process: Int32) -> Double {
        let tasks = "/proc/\(process)/task"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return names.reduce(0) { sum, name in
            let text = (try? String(contentsOfFile: "\(tasks)/\(name)/schedstat", encoding: .utf8)) ?? ""
            return sum + (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e3
        }
    }

    #if os(Linux)
    private static func usage(_ who: __rusage_who) -> Double {
        var usage = rusage()
        _ = getrusage(__rusage_who_t(who.rawValue), &usage)
        return micros(usage.ru_utime) + micros(usage.ru_stime)
    }
    #else
    private static func usage(_ who: CInt) -> Double {
        var usage = rusage()
        _ = getrusage(who, &usage)
        return micros(usage.ru_utime) + micros(usage.ru_stime)
    }
    #endif

    private static func micros(_ time: timeval) -> Double { Double(time.tv_sec) * 1e6 + Double(time.tv_usec) }
}
