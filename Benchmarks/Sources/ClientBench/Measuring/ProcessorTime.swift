import Foundation

/// Processor time, in microseconds.
enum ProcessorTime {
    /// Of the whole process.
    static func ofProcess() -> Double { usage(RUSAGE_SELF) }

    /// Of all child processes that have ended.
    static func ofChildren() -> Double { usage(RUSAGE_CHILDREN) }

    /// Of the thread that asks.
    static func ofThread() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
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
