import BenchSupport
import Foundation

/// The processor time and the memory of the processes of a ``Stage``. Linux only; zero on other platforms.
struct StageUsage: Codable, Sendable {
    /// The part of one program.
    struct Part: Codable, Sendable {
        /// Processor time in microseconds.
        var processor = 0.0
        /// Memory in KiB. Pages that several processes share count once.
        var memory = 0.0
    }

    var collector = Part()
    /// The database server; zero with SQLite, which is a part of the collector.
    var database = Part()
    /// The load generator.
    var load = Part()

    static func now(_ stage: Stage) -> StageUsage {
        StageUsage(
            collector: part([stage.collector.processID]), database: part(stage.server?.processes ?? []),
            load: Part(processor: ProcessorTime.ofProcess(), memory: ResidentSet.kibibytes()))
    }

    /// Returns the processor time since an earlier time, and the larger memory of both.
    func since(_ earlier: StageUsage) -> StageUsage {
        func part(_ now: Part, _ then: Part) -> Part {
            Part(processor: now.processor - then.processor, memory: max(now.memory, then.memory))
        }
        return StageUsage(
            collector: part(collector, earlier.collector), database: part(database, earlier.database),
            load: part(load, earlier.load))
    }

    /// Keeps the larger memory of both.
    mutating func keepPeak(of other: StageUsage) {
        collector.memory = max(collector.memory, other.collector.memory)
        database.memory = max(database.memory, other.database.memory)
        load.memory = max(load.memory, other.load.memory)
    }

    private static func part(_ processes: [Int32]) -> Part {
        processes.reduce(into: Part()) { sum, process in
            sum.processor += ProcessorTime.of(process: process)
            sum.memory += proportionalSet(process)
        }
    }

    /// Returns the proportional set of a process in KiB, in which each shared page is divided among its processes; its
    /// resident set if the kernel does not permit that.
    private static func proportionalSet(_ process: Int32) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)) ?? ""
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Pss:") }),
            let size = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { return ResidentSet.kibibytes(of: process) }
        return size
    }
}
