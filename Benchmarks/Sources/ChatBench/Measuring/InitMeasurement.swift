import BenchSupport
import Foundation

/// How long `init` takes, and that it does nothing but compute.
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
        chapter.add("files and sockets left open", "", goal: 0, rounds.map { Double($0.openFiles) })
        let killed = try survivesSealed(site) ? 0.0 : 1.0
        chapter.add("killed under seccomp's strict mode (after the first)", "", goal: 0, [killed])
        #endif
        return chapter
    }

    #if os(Linux)
    /// Whether SDKs could be made without any system call.
    private func survivesSealed(_ site: String) throws -> Bool {
        let child = try Dialogue(
            Bundle.main.executablePath ?? CommandLine.arguments[0],
            ["sealed-init", "--count", "50", "--site", site, "--folder", try folder.fresh().path])
        let number = child.processID
        // A thread that the kernel kills takes no other thread with it.
        let watch = DispatchWorkItem { kill(number, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 20, execute: watch)
        defer {
            watch.cancel()
            kill(number, SIGKILL)
            child.end()
        }
        return (try? child.ask()) == SealedInitCommand.proof
    }
    #endif
}
