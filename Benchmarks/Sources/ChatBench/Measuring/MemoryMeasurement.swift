import BenchSupport
import ChatBenchSupport
import Foundation

/// Measures the memory of an SDK in a child process. The server is in this process.
struct MemoryMeasurement {
    let parameters: Parameters
    let folder: WorkFolder
    /// The folder with the long history.
    let history: URL

    func run() async throws -> Chapter {
        var chapter = Chapter(.memory)
        try await BenchServer.with { server in
            let site = String(decoding: try JSONEncoder().encode(server.site), as: UTF8.self)
            var (empty, long) = ([MemoryFigures](), [MemoryFigures]())
            // The results of rounds are nearly equal, and loading all pages takes long.
            for round in 0..<min(parameters.rounds, 2) {
                empty.append(try await measure(site, "idler-\(round)", try folder.fresh()))
                long.append(try await measure(site, HistoryMeasurement.user, history, ["--paging"]))
            }
            func mebibytes(_ figures: [MemoryFigures], _ part: (MemoryFigures) -> Double) -> [Double] {
                figures.map { part($0) / 1024 }
            }
            chapter.add("the process before `init`, resident", "MiB", mebibytes(empty, \.before.resident))
            chapter.add("`init` adds, heap", "KiB", empty.map { $0.made.heap - $0.before.heap })
            chapter.add(
                "a ready screen without messages adds, resident", "MiB",
                mebibytes(empty) { $0.ready.resident - $0.before.resident })
            chapter.add(
                "a ready screen without messages adds, heap", "MiB",
                mebibytes(empty) { $0.ready.heap - $0.before.heap })
            let stored = Number.text(Double(parameters.messages))
            chapter.add(
                "with \(stored) messages in the store: adds, resident", "MiB",
                mebibytes(long) { $0.ready.resident - $0.before.resident })
            chapter.add(
                "with \(stored) messages in the store: adds, heap", "MiB",
                mebibytes(long) { $0.ready.heap - $0.before.heap })
            let rows = long.map { Double($0.rows) }.median
            chapter.add(
                "… and paged back to \(Number.text(rows)) rows: adds, resident", "MiB",
                mebibytes(long) { ($0.paged ?? $0.ready).resident - $0.before.resident })
            chapter.add(
                "… and paged back to \(Number.text(rows)) rows: adds, heap", "MiB",
                mebibytes(long) { ($0.paged ?? $0.ready).heap - $0.before.heap })
        }
        return chapter
    }

    /// Runs the child process while the server in this process answers it.
    private func measure(
        _ site: String, _ user: String, _ folder: URL, _ more: [String] = []
    ) async throws -> MemoryFigures {
        let arguments = ["memory", "--user", user, "--folder", folder.path, "--site", site] + more
        let output: String = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try ChildProcess.ownOutput(arguments) })
            }
        }
        return try JSONDecoder().decode(MemoryFigures.self, from: Data(output.utf8))
    }
}
