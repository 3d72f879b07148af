import ArgumentParser
import ChatDevServer
import HoldfastTestSupport
import HoldfastTrust
import Synchronization

/// `holdfast demo`: the whole of Holdfast at work, over real sockets. Told in docs/demo.md.
struct DemoCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Runs a pinned chat, attacks it, and shows what became of the attacks.",
        discussion: """
            Starts a chat server on this machine with certificates made for this run, talks to it through the chat SDK, \
            and lets impostors pose as it. The exit code is 0 only if every step came out as it must.
            """
    )

    @Flag(help: "Print one JSON object in the place of words.")
    var json = false

    @Flag(help: "Leave the server running at the end, until it is interrupted.")
    var keep = false

    @Option(help: "The port to listen on; a free one by default.")
    var port: UInt16 = 0

    var isLongRunning: Bool { true }

    func run(on console: Console) async throws {
        let demo = Demo(port: Int(port), narrator: json ? .silent : DemoNarrator(console))
        let finished = Finished()
        let (json, keep) = (json, keep)
        // `nil`: interrupted.
        let result = try await withThrowingTaskGroup(of: DemoReport?.self) { group in
            group.addTask {
                try await demo.run { report, stage in
                    try console.print(json ? try report.json : "\n" + report.table(columns: console.columns()))
                    finished.report.withLock { $0 = report }
                    guard keep else { return }
                    let invitation = try DemoInvitation(stage)
                    for line in invitation.lines { console.note(line) }
                    await Interruption.wait()
                }
            }
            group.addTask {
                await Interruption.wait()
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        guard let report = result ?? finished.report.withLock({ $0 }) else {
            throw ToolError("interrupted", status: .interrupted)
        }
        // The report says what went wrong; there is nothing to add.
        if report.status != .success { throw ToolError("", status: report.status) }
    }

    /// The report, as soon as every step has run: with `--keep` the demo goes on.
    private final class Finished: Sendable {
        let report = Mutex<DemoReport?>(nil)
    }
}

/// Tells how to use the server that `--keep` leaves running.
struct DemoInvitation {
    /// The lines.
    let lines: [String]
    private let folder: WorkFolder

    /// Writes the root certificate to a file, which lives as long as this value.
    init(_ stage: DemoStage) throws {
        folder = try WorkFolder()
        let root = try folder.write(Array(stage.authority.root.certificatePEM.utf8), as: "root.pem")
        let url = "https://\(stage.authority.host):\(stage.address.port)"
        let pins = stage.authority.pins.map { "sha256//\($0.base64)" }.joined(separator: ";")
        lines = [
            "",
            "The server goes on until you interrupt it (Ctrl-C).",
            "  curl --cacert \(ShellWord(root)) \(url)/api/chat/config",
            "  the same with pins: curl --cacert \(ShellWord(root)) --pinnedpubkey '\(pins)' \(url)/api/chat/config",
            "  its pins: holdfast pin \(stage.authority.host):\(stage.address.port)",
        ]
    }
}
