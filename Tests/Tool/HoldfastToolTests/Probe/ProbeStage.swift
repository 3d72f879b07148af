import Foundation
import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust

@testable import HoldfastTool

/// A server with its own certificates, and the tool that probes it.
struct ProbeStage: Sendable {
    static let host = "shop.example"
    static let now = CertificateFactory.referenceTime

    let factory = CertificateFactory()
    let folder: TemporaryFolder
    let root: Identity
    let intermediate: Identity
    let leaf: Identity
    let backup: Key

    init(_ options: CertificateOptions = .init()) throws {
        folder = try TemporaryFolder()
        root = try factory.authority("Root")
        intermediate = try factory.intermediate("Intermediate", signedBy: root)
        leaf = try factory.leaf([Self.host], signedBy: intermediate, options)
        backup = try Key(.p256)
        _ = try folder.file("root.pem", root.certificatePEM)
    }

    /// Starts a server with the identity `tls` (default: the genuine leaf), and passes its port to `body`.
    func serving<R: Sendable>(
        _ tls: ServerTLS? = nil, _ body: @Sendable (UInt16) async throws -> R
    ) async throws -> R {
        var settings = ScriptedServer.Settings(tls: tls ?? ServerTLS(leaf))
        settings.readsRequests = false
        return try await ScriptedServer.with(settings) { try await body($0.port) }
    }

    /// Starts a server and probes it by its name.
    func probe(_ tls: ServerTLS? = nil, _ arguments: String...) async throws -> ToolOutcome {
        try await serving(tls) { port in await run(["\(Self.host):\(port)"] + arguments) }
    }

    /// Runs the tool as if the server's name resolved to loopback.
    func run(_ arguments: [String], at time: Timestamp = ProbeStage.now) async -> ToolOutcome {
        let transcript = Transcript()
        let status = await ToolRun(console: transcript.console).run(
            ["probe", "--connect-to", "127.0.0.1", "--trust-anchors", folder.path + "/root.pem", "--at", "\(time)"]
                + arguments)
        return ToolOutcome(status: status, output: transcript.output, notes: transcript.notes)
    }

    /// Writes a policy in Holdfast's format that pins these keys, and returns its path.
    func policy(_ pins: SPKIDigest..., more: String = "") throws -> String {
        let list = pins.map { "\"\($0)\"" }.joined(separator: ", ")
        return try folder.file(
            "policy.json",
            """
            {
              "holdfast": 1,
              "name": "test",
              "domains": [
                {"host": "\(Self.host)", "pins": [\(list)]\(more)}
              ]
            }
            """)
    }

    /// Returns a policy that pins these keys for a host.
    func trust(_ pins: SPKIDigest..., host: String = ProbeStage.host) throws -> ProbeTrust {
        let list = pins.map { "\"\($0)\"" }.joined(separator: ", ")
        let text = "{\"holdfast\": 1, \"name\": \"test\", \"domains\": [{\"host\": \"\(host)\", \"pins\": [\(list)]}]}"
        return .policy(try ProbePolicy(PolicyDocument(holdfastJSON: Array(text.utf8)), path: "policy.json"))
    }

    /// The settings of a probe in this process.
    var prober: Prober {
        var prober = Prober(trust: .system)
        prober.anchors = .only([root.view])
        prober.connectTo = "127.0.0.1"
        prober.clock = .fixed(Self.now)
        return prober
    }
}
