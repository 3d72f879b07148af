import ArgumentParser
import BenchSupport
import ChatBenchSupport
import ChatCenter
import Foundation

/// Measures the first and the following `init` calls. A run starts this command in a child process. Prints
/// ``InitFigures``.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "init", shouldDisplay: false)

    @Option var count: Int
    @Option var folder: String
    /// The ``Site`` as JSON.
    @Option var site: String

    func run() throws {
        let site = try JSONDecoder().decode(Site.self, from: Data(self.site.utf8))
        let folder = URL(fileURLWithPath: self.folder)
        // Parsing certificates and addresses is the app's task and is not measured.
        let config = try site.config(folder)
        var times = Times()
        var kept: [ChatCenterUISDK] = []
        kept.reserveCapacity(count)
        // The first reading of the counters has a cost of its own.
        _ = InputOutput.ofThread()
        let before = InputOutput.ofThread()
        let between = InputOutput.ofThread()
        for _ in 0..<count {
            kept.append(
                times.measure { ChatCenterUISDK(providerUid: Site.providerUid, chatConfig: config) })
        }
        let after = InputOutput.ofThread()
        let reads = (after.reads - between.reads) - (between.reads - before.reads)
        let writes = after.writes - between.writes
        // If all writes have eight bytes, they are wake-ups: no file or socket was opened.
        let areWakeUps = after.written - between.written == 8 * writes
        let figures = InitFigures(
            first: times.wall.first ?? 0, rest: Times(wall: Array(times.wall.dropFirst())),
            readsAndWrites: reads + (areWakeUps ? 0 : writes), wakeUps: areWakeUps ? writes : 0,
            openFiles: after.openFiles - before.openFiles,
            filesMade: WorkFolder.files(below: folder).count)
        print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
        withExtendedLifetime(kept) {}
    }
}
