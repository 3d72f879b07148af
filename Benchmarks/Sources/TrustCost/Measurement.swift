import Foundation

/// Measures subjects in turn, round by round, so that other load on the machine affects all of them.
enum Measurement {
    /// The processor time for one subject in one round, in nanoseconds.
    private static let slice = 5e6

    static func figures(of subjects: [Subject], rounds: Int) async throws -> [Figure] {
        var counts: [Int] = []
        for subject in subjects { counts.append(try await calibrate(subject)) }
        var samples = subjects.map { _ in [Double]() }
        for _ in 0..<rounds {
            for (index, subject) in subjects.enumerated() {
                let start = now
                guard try await subject.run(counts[index]) else { throw WrongResult(subject: subject.name) }
                samples[index].append((now - start) / Double(counts[index]))
            }
        }
        return zip(subjects, samples).map { subject, samples in
            let sorted = samples.sorted()
            return Figure(
                group: subject.group, name: subject.name, nanoseconds: sorted[sorted.count / 2],
                least: sorted.first ?? 0, most: sorted.last ?? 0)
        }
    }

    /// Returns how often the subject must run to fill its slice.
    private static func calibrate(_ subject: Subject) async throws -> Int {
        var count = 1
        while true {
            let start = now
            guard try await subject.run(count) else { throw WrongResult(subject: subject.name) }
            let took = now - start
            if took >= slice / 2 || count >= 1 << 24 { return max(1, Int(Double(count) * slice / max(took, 1))) }
            count *= 2
        }
    }

    /// The processor time of the process, in nanoseconds.
    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
