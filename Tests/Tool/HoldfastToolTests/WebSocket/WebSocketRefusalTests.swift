import HoldfastTestSupport
import HoldfastTrust
import HoldfastWebSocket
import Testing

@testable import HoldfastTool

/// TLS servers: which are accepted, which are refused, and with what messages.
@Suite("Tool: ws, trust", .timeLimit(.minutes(1))) struct WebSocketRefusalTests {
    private let stage: ProbeStage

    init() throws { stage = try ProbeStage() }

    /// Runs the command with a server that presents this identity (default: the genuine one).
    private func run(_ identity: Identity? = nil, _ arguments: [String]) async throws -> ToolOutcome {
        try await WebSocketPeer.with(identity: identity ?? stage.leaf) { peer in
            await run("wss://\(ProbeStage.host):\(peer.port)/chat?token=hunter2", arguments)
        }
    }

    private func run(_ url: String, _ arguments: [String]) async -> ToolOutcome {
        let transcript = Transcript(input: Array("Hello\n".utf8))
        // With this option, only the folder's certificates are trusted.
        let isComplete = arguments.contains("--trusted-certificates")
        let anchors = isComplete ? [] : ["--trust-anchors", stage.folder.path + "/root.pem"]
        let status = await ToolRun(console: transcript.console).run(
            ["ws", url, "--connect-to", "127.0.0.1", "--at", "\(ProbeStage.now)", "--count", "1"] + anchors + arguments)
        #expect(!(transcript.output + transcript.notes).contains("hunter2"))
        return ToolOutcome(status: status, output: transcript.output, notes: transcript.notes)
    }

    @Test func theRightPinIsAccepted() async throws {
        let pin = stage.leaf.spkiDigest
        for text in ["\(pin)", pin.base64, "sha256//\(pin.base64)"] {
            let outcome = try await run(nil, ["--pin", "sha256/" + SPKIDigest(hashing: [1]).base64, "--pin", text])
            #expect(outcome.status == .success && outcome.output == "Hello\n", "\(outcome.notes)")
            #expect(outcome.notes.contains("TLSv1.3 TLS_") && outcome.notes.contains("accepted (pinMatched)"))
        }
        // An authority's key is also a key of the chain.
        #expect(try await run(nil, ["--pin", "\(stage.root.spkiDigest)"]).status == .success)
    }

    @Test func anotherPinIsRefusedWithTheRemedy() async throws {
        let outcome = try await run(nil, ["--pin", "\(stage.backup.spkiDigest)"])
        #expect(outcome.status == .failure && outcome.output.isEmpty)
        let notes = outcome.notes
        #expect(notes.contains("--pin: block") && notes.contains("pinMismatch"), "\(notes)")
        #expect(notes.contains("expected one of:\n  \(stage.backup.spkiDigest)\n"), "\(notes)")
        #expect(notes.contains("to the command line:\n  --pin \(stage.leaf.spkiDigest)\n"), "\(notes)")
        #expect(notes.contains(ProbeAdvice.caution) && notes.contains("holdfast probe \(ProbeStage.host):"))
        #expect(notes.contains("[pinMismatch]\n"))
        // The printed line is the remedy.
        let remedied = try await run(nil, ["--pin", "\(stage.leaf.spkiDigest)"])
        #expect(remedied.status == .success, "\(remedied.notes)")
    }

    @Test func aPolicyDecides() async throws {
        let wrong = try stage.policy(stage.backup.spkiDigest, try Key(.p256).spkiDigest)
        let refused = try await run(nil, ["--policy", wrong, "--json"])
        #expect(refused.status == .failure)
        let failed = try #require(try WebSocketRun.events(refused).first)
        #expect(failed.event == "failed" && failed.code == .name("pinMismatch"))
        #expect(failed.probe?.result == "block")
        #expect(failed.probe?.advice?.place.contains("policy.json:5") == true, "\(refused.output)")
        #expect(failed.probe?.advice?.line == "\"\(stage.leaf.spkiDigest)\"")
        let right = try stage.policy(stage.leaf.spkiDigest, stage.backup.spkiDigest)
        #expect(try await run(nil, ["--policy", right]).status == .success)
        let other = try stage.folder.file(
            "other.json",
            """
            {"holdfast": 1, "name": "other", "domains": [{"host": "other.example", \
            "pins": ["\(stage.leaf.spkiDigest)", "\(stage.backup.spkiDigest)"]}]}
            """)
        let unpinned = try await run(nil, ["--policy", other])
        #expect(unpinned.notes.contains("warning: the policy has no rule for \(ProbeStage.host)\n"))
    }

    @Test func certificatesOfAFolder() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("server.cer", stage.leaf.certificateDER)
        #expect(try await run(nil, ["--trusted-certificates", folder.path]).status == .success)
        let impostor = try stage.factory.leaf([ProbeStage.host], signedBy: stage.intermediate)
        let outcome = try await run(impostor, ["--trusted-certificates", folder.path])
        #expect(outcome.status == .failure)
        #expect(outcome.notes.contains("openssl s_client -connect 127.0.0.1:"), "\(outcome.notes)")
        let empty = try TemporaryFolder()
        #expect(try await run(nil, ["--trusted-certificates", empty.path]).status == .unusableInput)
    }

    /// A pinned key under an unknown authority is not accepted.
    @Test func anUnknownAuthorityIsRefused() async throws {
        let rogue = try stage.factory.leaf([ProbeStage.host], signedBy: stage.factory.authority("Rogue"))
        for arguments in [[], ["--pin", "\(rogue.spkiDigest)"]] {
            let outcome = try await run(rogue, arguments)
            #expect(outcome.status == .failure && outcome.notes.contains("[unknownIssuer]"), "\(outcome.notes)")
        }
    }

    @Test func aServerWithoutTLSHasNoVerdict() async throws {
        try await WebSocketPeer.with { peer in
            let outcome = await run("wss://\(ProbeStage.host):\(peer.port)/", [])
            #expect(outcome.status == .unreachable && outcome.notes.contains("[tls."), "\(outcome.notes)")
        }
    }
}
