import BenchSupport
import ChatBenchSupport
import Foundation

/// Measures `init` and checks that it does no input or output.
struct InitMeasurement {
    let parameters: Parameters
    let folder: WorkFolder
    let certificates: [[UInt8]]

    func run() throws -> Chapter {
        var chapter = Chapter(.start)
        let site = String(
            decoding: try JSONEncoder().encode(Site.nowhere(pinning: certificates)), as: UTF8.self)
        let rounds = try (0..<parameters.rounds).map { _ in
            let output = try ChildProcess.ownOutput(
                ["init", "--count", "\(parameters.inits + 1)", "--site", site, "--folder", try folder.fresh().path])
            return try JSONDecoder().decode(InitFigures.self, from: Data(output.utf8))
        }
        chapter.add("the first of a process", "µs", goal: 1000, rounds.map(\.first))
        chapter.add("a later one, p50", "µs", rounds.map(\.rest.p50))
        chapter.add("a later one, p99", "µs", goal: 1000, rounds.map(\.rest.p99))
        chapter.add("files made", "", goal: 0, rounds.map { Double($0.filesMade) })
        #if os(Linux)
        let calls = "reads and writes of all \(parameters.inits + 1)"
        chapter.add(calls, "", goal: 0, rounds.map { Double($0.readsAndWrites) })
        chapter.add("wake-ups of the thread for timers", "", rounds.map { Double($0.wakeUps) })
        chapter.add("files and sockets left open", "", goal: 0, rounds.map { Double($0.openFiles) })
        // The check itself must be able to fail.
        guard try !survivesSealed(site, ["--spoiled"]) else {
            throw Unanswered(what: "the kernel to kill a process with forbidden input")
        }
        let killed = try survivesSealed(site, []) ? 0.0 : 1.0
        chapter.add("killed where the kernel allows no input and output", "", goal: 0, [killed])
        #endif
        return chapter
    }

    #if os(Linux)
    /// Returns whether SDKs can be created without any input or output.
    private func survivesSealed(_ site: String, _ more: [String]) throws -> Bool {
        let arguments = ["sealed-init", "--count", "50", "--site", site, "--folder", try folder.fresh().path]
        let child = try InteractiveProcess(own: arguments + more)
        defer { child.end() }
        return (try? child.ask()) == SealedInitCommand.proof
    }
    #endif
}
