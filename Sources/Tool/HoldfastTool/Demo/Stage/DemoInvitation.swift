import ChatDevServer
import HoldfastTestSupport
import HoldfastTrust

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
        let pins = stage.authority.pins.map { "sha256//\($0.digest.base64)" }.joined(separator: ";")
        lines = [
            "",
            "The server goes on until you interrupt it (Ctrl-C).",
            "  curl --cacert \(ShellWord(root)) \(url)/api/chat/config",
            "  the same with pins: curl --cacert \(ShellWord(root)) --pinnedpubkey '\(pins)' \(url)/api/chat/config",
            "  its pins: holdfast pin \(stage.authority.host):\(stage.address.port)",
        ]
    }
}
