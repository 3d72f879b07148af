import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

/// Refused servers and responses, and the exit code of each.
@Suite("Tool: get, refusals", .timeLimit(.minutes(1))) struct GetRefusalTests {
    private let stage: GetStage

    init() throws { stage = try GetStage() }

    private func serving<R: Sendable>(
        _ identity: Identity? = nil, _ body: @Sendable (ScriptedServer) async throws -> R
    ) async throws -> R {
        try await ScriptedServer.with(tls: ServerTLS(identity ?? stage.tls.leaf)) { _ in
            [.respond("secret")]
        } _: { server in
            try await body(server)
        }
    }

    /// The server has a certificate of the right authority, but another key. The printed line is the remedy.
    @Test func anotherKeyIsRefusedWithTheRemedy() async throws {
        try await serving { server in
            let outcome = await stage.runTLS(server, "/", "--pin", "\(stage.tls.backup.spkiDigest)")
            #expect(outcome.status == .failure && outcome.output.isEmpty && server.requests.isEmpty)
            let notes = outcome.notes
            #expect(notes.contains("--pin: block") && notes.contains("pinMismatch"), "\(notes)")
            #expect(notes.contains("  \(stage.tls.leaf.spkiDigest) "), "\(notes)")
            #expect(notes.contains("expected one of:\n  \(stage.tls.backup.spkiDigest)\n"), "\(notes)")
            #expect(notes.contains("to the command line:\n  --pin \(stage.tls.leaf.spkiDigest)\n"), "\(notes)")
            #expect(notes.contains(ProbeAdvice.caution))
            #expect(notes.contains("\(ProbeStage.host):\(server.port) was refused: "), "\(notes)")
            #expect(notes.hasSuffix("[pinMismatch]\n"))
            let remedied = await stage.runTLS(server, "/", "--pin", "\(stage.tls.leaf.spkiDigest)")
            #expect(remedied.status == .success && remedied.output == "secret", "\(remedied.notes)")
        }
    }

    @Test func aPolicyDecides() async throws {
        let wrong = try stage.tls.policy(stage.tls.backup.spkiDigest, try Key(.p256).spkiDigest)
        try await serving { server in
            let outcome = await stage.runTLS(server, "/", "--policy", wrong, "--json")
            let object = try GetStage.object(outcome)
            #expect(outcome.status == .failure && object.exitCode == 1 && object.failure?.code == "pinMismatch")
            #expect(object.probe?.result == "block" && object.status == nil)
            #expect(object.probe?.advice?.place.contains("policy.json:5") == true, "\(outcome.output)")
            let right = try stage.tls.policy(stage.tls.leaf.spkiDigest, stage.tls.backup.spkiDigest)
            let accepted = await stage.runTLS(server, "/", "--policy", right, "--json")
            #expect(try GetStage.object(accepted).probe?.result == "allow", "\(accepted.output)")
        }
    }

    /// A report-only policy accepts the server; the command says that no pin matches.
    @Test func aReportOnlyMismatchIsPrinted() async throws {
        let policy = try stage.tls.policy(
            stage.tls.backup.spkiDigest, try Key(.p256).spkiDigest, more: ", \"enforcement\": \"reportOnly\"")
        try await serving { server in
            let outcome = await stage.runTLS(server, "/", "--policy", policy)
            #expect(outcome.status == .success && outcome.output == "secret", "\(outcome.notes)")
            #expect(outcome.notes.contains("but the policy only reports that\n"), "\(outcome.notes)")
        }
    }

    @Test func anUnknownAuthorityIsRefused() async throws {
        let rogue = try stage.tls.factory.leaf([ProbeStage.host], signedBy: stage.tls.factory.authority("Rogue"))
        try await serving(rogue) { server in
            for arguments in [[], ["--pin", "\(rogue.spkiDigest)"]] {
                let outcome = await stage.runTLS(port: server.port, "/", ["--connect-to", "127.0.0.1"] + arguments)
                #expect(outcome.status == .failure && outcome.notes.contains("[unknownIssuer]"), "\(outcome.notes)")
            }
        }
    }

    @Test func certificatesOfAFolder() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("server.cer", stage.tls.leaf.certificateDER)
        let impostor = try stage.tls.factory.leaf([ProbeStage.host], signedBy: stage.tls.intermediate)
        @Sendable func run(_ server: ScriptedServer) async -> ToolOutcome {
            await GetStage.run([
                "https://\(ProbeStage.host):\(server.port)/", "--connect-to", "127.0.0.1", "--trusted-certificates",
                folder.path,
            ])
        }
        try await serving { #expect(await run($0).output == "secret") }
        try await serving(impostor) { server in
            let outcome = await run(server)
            #expect(outcome.status == .failure && outcome.notes.contains("openssl s_client"), "\(outcome.notes)")
        }
    }

    @Test func aServerWithoutTLSHasNoVerdict() async throws {
        try await ScriptedServer.with { _ in
            [.respond()]
        } _: { server in
            let outcome = await stage.runTLS(server)
            #expect(outcome.status == .unreachable && outcome.notes.contains("[tls."), "\(outcome.notes)")
        }
    }

    @Test func unreachableServer() async throws {
        let outcome = try await RefusingPort.with { await GetStage.run(["http://127.0.0.1:\($0)/", "--json"]) }
        #expect(outcome.status == .unreachable)
        let object = try GetStage.object(outcome)
        #expect(object.exitCode == 3 && object.failure?.code == "connectionRefused" && object.status == nil)
    }

    @Test func proxyThatNeedsACredential() async throws {
        let answer = "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
        try await ScriptedProxy.with([.awaitHead, .text(answer)]) { proxy in
            let outcome = await GetStage.run(["https://a.example/", "--proxy", "http://127.0.0.1:\(proxy.port)"])
            #expect(outcome.status == .unreachable && outcome.notes.contains("[proxyFailed]"), "\(outcome.notes)")
            #expect(outcome.notes.contains("hint: give the proxy's credentials"), "\(outcome.notes)")
        }
    }

    // MARK: Redirects

    @Test func redirects() async throws {
        try await ScriptedServer.with { request in
            switch request.target {
            case "/a": [.respond("moved", status: "302 Found", fields: ["Location: /b"])]
            case "/loop": [.respond(status: "302 Found", fields: ["Location: /loop"])]
            case "/again": [.respond(status: "307 Temporary Redirect", fields: ["Location: /b"])]
            default: [.respond("\(request.method) \(request.body.count)")]
            }
        } _: { server in
            #expect(await GetStage.run(server, "/a").output == "GET 0")
            // 302 changes a POST to a GET; 307 repeats it with its body.
            #expect(await GetStage.run(server, "/a", "--data", "x").output == "GET 0")
            #expect(await GetStage.run(server, "/again", "--data", "x").output == "POST 1")
            let returned = await GetStage.run(server, "/a", "--max-redirects", "0")
            #expect(returned.status == .success && returned.output == "moved")
            let loop = await GetStage.run(server, "/loop")
            #expect(loop.status == .redirectRefused && loop.notes.contains("[redirectLoop]"), "\(loop.notes)")
            let pipe = await GetStage.run(server, "/again", "--data-file", "-", input: [1, 2])
            #expect(pipe.status == .redirectRefused && pipe.notes.contains("[bodyNotRepeatable]"), "\(pipe.notes)")
        }
        try await ScriptedServer.with { request in
            [.respond(status: "302 Found", fields: ["Location: \(request.target)x"])]
        } _: { server in
            let outcome = await GetStage.run(server, "/", "--max-redirects", "3")
            #expect(outcome.status == .redirectRefused && outcome.notes.contains("[tooManyRedirects]"))
            #expect(server.requests.count == 4)
        }
    }

    /// An attacker who controls the content of a site cannot move a request to an unencrypted connection.
    @Test func aRedirectToHTTPIsRefused() async throws {
        try await ScriptedServer.with { _ in
            [.respond("intercepted")]
        } _: { attacker in
            try await ScriptedServer.with(tls: ServerTLS(stage.tls.leaf)) { _ in
                [.respond(status: "302 Found", fields: ["Location: http://127.0.0.1:\(attacker.port)/"])]
            } _: { server in
                for arguments in [[], ["--dangerously-allow-cleartext"], ["--output", stage.path("f")]] {
                    let outcome = await stage.runTLS(port: server.port, "/", ["--connect-to", "127.0.0.1"] + arguments)
                    #expect(outcome.status == .redirectRefused && outcome.output.isEmpty, "\(outcome.notes)")
                    #expect(outcome.notes.contains("[redirectRefused]"), "\(outcome.notes)")
                }
                #expect(attacker.requests.isEmpty && stage.contents("f") == nil)
            }
        }
    }

    /// Without this rule, a redirect would lead from a pinned server to one that any authority can vouch for.
    @Test func aRedirectToAHostWithoutPinIsRefused() async throws {
        try await ScriptedServer.with(tls: ServerTLS(stage.tls.leaf)) { _ in
            [.respond(status: "302 Found", fields: ["Location: https://other.example/"])]
        } _: { server in
            let outcome = await stage.runTLS(server, "/", "--pin", "\(stage.tls.leaf.spkiDigest)")
            #expect(outcome.status == .redirectRefused && outcome.notes.contains("other.example:443"))
            #expect(outcome.notes.contains("[redirectRefused]"), "\(outcome.notes)")
        }
    }

    /// A redirect must not choose who receives the client's certificate.
    @Test func aRedirectToAnotherHostIsRefusedWithAClientCertificate() async throws {
        let cert = try stage.folder.file("c.pem", stage.tls.leaf.chainPEM)
        let key = try stage.folder.file("k.pem", stage.tls.leaf.privateKeyPEM)
        try await ScriptedServer.with(tls: ServerTLS(stage.tls.leaf)) { _ in
            [.respond(status: "302 Found", fields: ["Location: https://other.example/"])]
        } _: { server in
            let outcome = await stage.runTLS(server, "/", "--cert", cert, "--key", key)
            #expect(outcome.status == .redirectRefused, "\(outcome.notes)")
            #expect(outcome.notes.contains("other.example:443"), "\(outcome.notes)")
        }
    }

    /// Another origin gets no field of the user that may be a credential.
    @Test func credentialsStayWithTheOrigin() async throws {
        try await ScriptedServer.with { _ in
            [.respond("end")]
        } _: { other in
            try await ScriptedServer.with { _ in
                [.respond(status: "302 Found", fields: ["Location: http://127.0.0.1:\(other.port)/"])]
            } _: { server in
                let outcome = await GetStage.run(
                    server, "/", "--header", "Authorization: hunter2", "--header", "X-Key: hunter2", "--header",
                    "Accept: text/plain")
                #expect(outcome.output == "end", "\(outcome.notes)")
                #expect(server.requests.first?.field("X-Key") == "hunter2")
                let request = try #require(other.requests.first)
                #expect(!request.fields.contains { $0.value == "hunter2" })
                #expect(request.field("Accept") == "text/plain")
            }
        }
    }

    // MARK: Responses

    @Test func errorResponses() async throws {
        try await ScriptedServer.with { request in
            request.target == "/busy"
                ? [.respond(status: "503 Service Unavailable", fields: ["Retry-After: 7"])]
                : [.respond("no such page\u{1B}[2J\n", status: "404 Not Found")]
        } _: { server in
            let outcome = await GetStage.run(server)
            #expect(outcome.status == .errorResponse && outcome.output == "no such page\u{1B}[2J\n")
            #expect(outcome.notes == "holdfast: the server responded with status 404 [status]\n")
            let omitted = await GetStage.run(server, "/", "--fail")
            #expect(omitted.status == .errorResponse && omitted.output.isEmpty && omitted.notes == outcome.notes)
            let busy = await GetStage.run(server, "/busy")
            #expect(busy.notes.contains("hint: the server asks to wait: Retry-After: 7\n"), "\(busy.notes)")
            // A file is not created. The beginning of the body is printed, without its control characters.
            for arguments in [[], ["--data", "x"], ["--compressed"]] {
                let saved = await GetStage.run(
                    ["http://127.0.0.1:\(server.port)/", "--output", stage.path("f")] + arguments)
                #expect(saved.status == .errorResponse && saved.output.isEmpty)
                #expect(saved.notes.contains("  no such page\\u{1b}[2J\n"), "\(saved.notes)")
                #expect(stage.names.isEmpty)
            }
        }
    }

    /// A server that announces more bytes than it sends: the output is incomplete, and the exit code says so.
    @Test func aTruncatedBodyIsAFailure() async throws {
        try await ScriptedServer.with { _ in
            let turn = Trigger()
            turn.fire()
            return [.text("HTTP/1.1 200 OK\nContent-Length: 100\n\nabc"), .wait(turn), .cut]
        } _: { server in
            let outcome = await GetStage.run(server)
            #expect(outcome.status == .exchangeFailed && outcome.output == "abc", "\(outcome.notes)")
            #expect(outcome.notes.contains("[connectionClosed]"), "\(outcome.notes)")
            let posted = await GetStage.run(server, "/", "--data", "x", "--output", stage.path("f"))
            #expect(posted.status == .exchangeFailed, "\(posted.notes)")
            #expect(stage.names.isEmpty)
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\nContent-Length: 1\nContent-Length: 2\n\na", "malformedResponse.repeatedContentLength"),
        ("HTTP/1.1 200 OK\nA : b\n\n", "malformedResponse.spaceBeforeColon"),
        ("hello\n\n", "malformedResponse.statusLine"),
    ])
    func ambiguousResponses(text: String, code: String) async throws {
        try await ScriptedServer.with { _ in
            [.text(text), .close]
        } _: { server in
            let outcome = await GetStage.run(server)
            #expect(outcome.status == .exchangeFailed && outcome.notes.contains("[\(code)]"), "\(outcome.notes)")
        }
    }

    @Test func aDecompressionBombIsRefused() async throws {
        let bomb = try Compressed.gzip([UInt8](repeating: 0, count: 16 << 20))
        try await ScriptedServer.with { _ in
            [.text("HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: \(bomb.count)\n\n"), .send(bomb)]
        } _: { server in
            let outcome = await GetStage.run(server, "/", "--compressed", "--output", stage.path("f"))
            #expect(outcome.status == .exchangeFailed && outcome.notes.contains("[decompressedTooLarge]"))
            #expect(stage.names.isEmpty)
            // Without decompression, the bomb is a small file. A download does not accept a coding that it did not
            // request, but standard output gets the bytes as they are.
            #expect(await GetStage.run(server).status == .success)
        }
    }

    @Test func limits() async throws {
        try await ScriptedServer.with { _ in
            [.respond(String(repeating: "x", count: 2_000))]
        } _: { server in
            for arguments in [[], ["--output", stage.path("f")], ["--data", "x", "--output", stage.path("f")]] {
                let outcome = await GetStage.run(
                    ["http://127.0.0.1:\(server.port)/", "--max-size", "1999"] + arguments)
                #expect(outcome.status == .exchangeFailed && outcome.notes.contains("[tooLarge]"), "\(outcome.notes)")
                #expect(stage.names.isEmpty)
            }
            #expect(await GetStage.run(server, "/", "--max-size", "2000").status == .success)
        }
        let large = [UInt8](repeating: 0x78, count: MemorySink.limit + 1)
        try await ScriptedServer.with { _ in
            [.text("HTTP/1.1 200 OK\nContent-Length: \(large.count)\n\n"), .send(large)]
        } _: { server in
            let object = try GetStage.object(await GetStage.run(server, "/", "--json"))
            #expect(object.exitCode == 9 && object.failure?.code == "responseTooLarge" && object.body == nil)
        }
    }

    @Test func aSilentServerTimesOut() async throws {
        try await ScriptedServer.with(ScriptedServer.Settings()) { server in
            let idle = await GetStage.run(server, "/", "--idle-timeout", "1")
            #expect(idle.status == .exchangeFailed && idle.notes.contains("[timedOut]"), "\(idle.notes)")
            let total = await GetStage.run(server, "/", "--max-time", "1")
            #expect(total.status == .exchangeFailed && total.notes.contains("[timedOut]"), "\(total.notes)")
        }
    }
}
