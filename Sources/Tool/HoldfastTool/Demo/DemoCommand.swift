import HoldfastBase
import ArgumentParser
import ChatDevServer
import HoldfastTestSupport
import HoldfastTrust
import Synchronization

/// `holdfast demo`: demonstrates Holdfast over real sockets. See docs/demo.md.
struct DemoCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Run a pinned chat, attack it, and show the results.",
        discussion: """
            Starts a chat server on this machine with certificates made for this run, connects to it through the chat \
            SDK, and runs servers that impersonate it. The exit code is 0 only if every step has the expected result.
            """,
        examples: [
            "holdfast demo",
            "holdfast demo --keep --port 8443",
            "holdfast demo --browser",
        ]
    )

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Keep the server running until the command is interrupted.")
    var keep = false

    @Flag(help: "Serve the chat page, the operator desk and an attack for a browser, until the command is interrupted.")
    var browser = false

    @Option(help: "The port to listen on (default: a free port).")
    var port: UInt16 = 0

    @OptionGroup var colors: ColorOption

    var isLongRunning: Bool { true }

    func validate() throws {
        try colors.check(printsText: !json)
        try check(!browser || (!json && !keep), "--browser cannot be combined with --json or --keep.")
    }

    func run(on console: Console) async throws {
        if browser { return try await BrowserDemo(port: Int(port)).run(on: console) }
        let style = console.outputStyle(colors.color)
        let demo = Demo(port: Int(port), narrator: json ? .silent : DemoNarrator(console, style: style))
        let finished = Finished()
        let (json, keep) = (json, keep)
        // `nil` means interrupted.
        let result = try await withThrowingTaskGroup(of: DemoReport?.self) { group in
            group.addTask {
                try await demo.run { report, stage in
                    let table = report.table(columns: console.columns(), style: style)
                    try console.print(json ? try report.json : "\n" + table)
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
        // The report describes the failures, so the error has no sentence.
        if report.status != .success { throw ToolError("", status: report.status) }
    }

    /// Holds the report once every step has run. With `--keep` the demo continues.
    private final class Finished: Sendable {
        let report = Mutex<DemoReport?>(nil)
    }
}

/// Describes how to use the server that `--keep` leaves running.
struct DemoInvitation {
    /// The lines.
    let lines: [String]
    private let folder: WorkFolder

    /// Writes the root certificate to a file, which exists as long as this value.
    init(_ stage: DemoStage) throws {
        folder = try WorkFolder()
        let root = try folder.write(Array(stage.authority.root.certificatePEM.utf8), as: "root.pem")
        let url = "https://\(stage.authority.host):\(stage.address.port)"
        let pins = stage.authority.pins.map { "sha256//\($0.base64)" }.joined(separator: ";")
        lines = [
            "",
            "The server runs until you press Ctrl-C.",
            "  curl --cacert \(ShellWord(root)) \(url)/api/chat/config",
            "  with pins: curl --cacert \(ShellWord(root)) --pinnedpubkey '\(pins)' \(url)/api/chat/config",
            "  its pins: holdfast pin \(stage.authority.host):\(stage.address.port)",
        ]
    }
}
