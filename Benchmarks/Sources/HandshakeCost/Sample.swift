import Foundation

/// The processor time of the process and the wall-clock time, in microseconds.
struct Sample {
    var cpu: Double
    var wall: Double

    static var now: Sample {
        var usage = rusage()
        #if os(Linux)
        _ = getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
        _ = getrusage(RUSAGE_SELF, &usage)
        #endif
        func micros(_ time: timeval) -> Double { Double(time.tv_sec) * 1e6 + Double(time.tv_usec) }
        return Sample(
            cpu: micros(usage.ru_utime) + micros(usage.ru_stime),
            wall: Double(DispatchTime.now().uptimeNanoseconds) / 1e3)
    }

    static func - (lhs: Sample, rhs: Sample) -> Sample {
        Sample(cpu: lhs.cpu - rhs.cpu, wall: lhs.wall - rhs.wall)
    }

    static func / (lhs: Sample, count: Double) -> Sample {
        Sample(cpu: lhs.cpu / count, wall: lhs.wall / count)
    }
}
