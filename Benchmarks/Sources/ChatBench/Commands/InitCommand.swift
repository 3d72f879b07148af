import ArgumentParser
import BenchSupport
import ChatCenter
import Foundation

/// What a run starts in a process of its own to measure `init`: the first one of a process, and those after it. Prints an
/// ``InitFigures``.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "init", shouldDisplay: false)

    @Option var count: Int
    @Option var folder: String
    /// A ``Site`` as JSON.
    @Option var site: String

    func run() throws {
        let site = try JSONDecoder().decode(Site.self, from: Data(self.site.utf8))
        let folder = URL(fileURLWithPath: self.folder)
        // Reading certificates and addresses is the app's part.
        let config = try site.config(folder)
        var times = Times()
        var kept: [ChatCenterUISDK] = []
        kept.reserveCapacity(count)
        // The first look costs what looking costs.
        _ = InputOutput.ofThread()
        let before = InputOutput.ofThread()
        let between = InputOutput.ofThread()
        for _ in 0..<count {
            kept.append(
                times.measure { ChatCenterUISDK(providerUid: Site.providerUid, chatConfig: config) })
        }
        let after = InputOutput.ofThread()
        let figures = InitFigures(
            first: times.wall.first ?? 0, rest: Times(wall: Array(times.wall.dropFirst())),
            readsAndWrites: (after.calls - between.calls) - (between.calls - before.calls),
            openFiles: after.openFiles - before.openFiles,
            filesMade: WorkFolder.files(below: folder).count)
        print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
        withExtendedLifetime(kept) {}
    }
}
