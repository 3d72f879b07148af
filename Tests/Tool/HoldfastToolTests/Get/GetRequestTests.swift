import Foundation
import HoldfastTestSupport
import HoldfastTransportTestSupport
import Testing

@testable import HoldfastTool

/// What `holdfast get` sends, and how it prints responses.
@Suite("Tool: get, requests", .timeLimit(.minutes(1))) struct GetRequestTests {
    private let stage: GetStage

    init() throws { stage = try GetStage() }

    @Test func printsTheBodyOnly() async throws {
        try await ScriptedServer.with { _ in
            [.respond("Hello\n", fields: ["X-Y: z"])]
        } _: { server in
            let outcome = await GetStage.run(server, "/path?a=b")
            #expect(outcome.status == .success && outcome.output == "Hello\n" && outcome.notes.isEmpty)
            let request = try #require(server.requests.first)
            #expect(request.method == "GET" && request.target == "/path?a=b")
            #expect(request.field("User-Agent") == "holdfast" && request.field("Accept") == "*/*")
        }
    }

    @Test func methodsAndFields() async throws {
        let fields = try stage.folder.file("fields", "Authorization: Bearer hunter2\n")
        try await ScriptedServer.with { _ in
            [.respond()]
        } _: { server in
            let outcome = await GetStage.run(
                server, "/", "--method", "PURGE", "--header", "@" + fields, "--header", "Accept: text/plain",
                "--header", "A: b", "--header", "A: c", "--user-agent", "me/1")
            #expect(outcome.status == .success, "\(outcome.notes)")
            let request = try #require(server.requests.first)
            #expect(request.method == "PURGE" && request.field("Authorization") == "Bearer hunter2")
            #expect(request.field("Accept") == "text/plain" && request.field("User-Agent") == "me/1")
            #expect(request.fields.filter { $0.name == "A" }.map(\.value) == ["b", "c"])
            _ = await GetStage.run(server, "/", "--user-agent", "")
            #expect(server.requests.last?.field("User-Agent") == nil)
        }
    }

    /// Each body, its method and the announced length.
    @Test func bodies() async throws {
        let file = try stage.folder.file("body", "from a file")
        try await ScriptedServer.with { _ in
            [.respond()]
        } _: { server in
            let runs: [(arguments: [String], body: String, method: String, length: String?)] = [
                (["--data", "text"], "text", "POST", "4"),
                (["--data", "", "--method", "PUT"], "", "PUT", "0"),
                (["--data", "@" + file], "from a file", "POST", "11"),
                (["--data-file", file, "--method", "PATCH"], "from a file", "PATCH", "11"),
                (["--data", "@-"], "from a pipe", "POST", nil),
                (["--data-file", "-"], "from a pipe", "POST", nil),
            ]
            for run in runs {
                let outcome = await GetStage.run(
                    ["http://127.0.0.1:\(server.port)/"] + run.arguments, input: Array("from a pipe".utf8))
                let request = try #require(server.requests.last)
                #expect(outcome.status == .success, "\(outcome.notes)")
                #expect(String(decoding: request.body, as: UTF8.self) == run.body, "\(run.arguments)")
                #expect(request.method == run.method && request.field("Content-Length") == run.length)
                // The command does not guess what the text is.
                #expect(request.field("Content-Type") == nil)
            }
        }
    }

    /// The response comes while the input is still open: the command ends.
    @Test func anEarlyResponseDoesNotWaitForTheInput() async throws {
        var settings = ScriptedServer.Settings()
        settings.onHead = { _ in [.respond("no", status: "401 Unauthorized", fields: ["Connection: close"]), .close] }
        try await ScriptedServer.with(settings) { server in
            let transcript = Transcript()
            let base = transcript.console
            let input = TypedInput()
            defer { input.end() }
            let console = Console(output: base.output, notes: base.notes, input: { input.read($0) })
            let status = await ToolRun(console: console).run(
                ["get", "http://127.0.0.1:\(server.port)/", "--data-file", "-"])
            #expect(status == .errorResponse && transcript.output == "no", "\(transcript.notes)")
        }
    }

    /// The fields are read once. A second reading would find nothing, and print the credentials.
    @Test func fieldsFromAPipeAreSecret() async throws {
        let pipe = stage.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        DispatchQueue(label: "writer").async {
            let writer = open(pipe, O_WRONLY)
            let text = Array("Authorization: Bearer hunter2\n".utf8)
            _ = write(writer, text, text.count)
            close(writer)
        }
        try await ScriptedServer.with { _ in
            [.respond("body")]
        } _: { server in
            let outcome = await GetStage.run(server, "/", "--header", "@" + pipe, "--verbose")
            #expect(outcome.status == .success, "\(outcome.notes)")
            #expect(server.requests.first?.field("Authorization") == "Bearer hunter2")
            #expect(outcome.notes.contains("> Authorization") && !outcome.notes.contains("hunter2"))
        }
    }

    /// `--max-time` includes waiting for the writers of pipes: at standard input, and under a path.
    @Test(arguments: ["a body at standard input", "a body from a pipe", "a policy", "header fields", "the output"])
    func aSilentPipeTimesOut(what: String) async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let input = TypedInput()
        // Ends the threads that wait for the pipe.
        defer {
            input.end()
            for mode in [O_RDONLY, O_RDWR] { close(open(pipe, mode | O_NONBLOCK)) }
        }
        try await ScriptedServer.with(ScriptedServer.Settings()) { server in
            let (scheme, arguments): (String, [String]) =
                switch what {
                case "a body at standard input": ("http", ["--data-file", "-"])
                case "a body from a pipe": ("http", ["--data-file", pipe])
                case "a policy": ("https", ["--policy", "-"])
                case "header fields": ("http", ["--header", "@" + pipe])
                default: ("http", ["--output", pipe])
                }
            let transcript = Transcript()
            let base = transcript.console
            let console = Console(output: base.output, notes: base.notes, input: { input.read($0) })
            let status = await ToolRun(console: console).run(
                ["get", "\(scheme)://127.0.0.1:\(server.port)/", "--max-time", "1"] + arguments)
            #expect(status == .exchangeFailed && transcript.notes.contains("[timedOut]"), "\(transcript.notes)")
        }
    }

    @Test func inputThatCannotBeRead() async throws {
        try await ScriptedServer.with { _ in
            [.respond()]
        } _: { server in
            let transcript = Transcript()
            let base = transcript.console
            let console = Console(
                output: base.output, notes: base.notes, input: { _ in throw ToolError("Input/output error") })
            let status = await ToolRun(console: console).run(
                ["get", "http://127.0.0.1:\(server.port)/", "--data-file", "-"])
            #expect(status == .unusableInput)
            #expect(transcript.notes == "holdfast: standard input: Input/output error\n")
        }
    }

    @Test(arguments: ["--head", "--include"]) func printsTheHead(option: String) async throws {
        try await ScriptedServer.with { request in
            let fields = "HTTP/1.1 200 OK\nX-Y: z\nContent-Length: 4\n\n"
            return [.text(request.method == "HEAD" ? fields : fields + "body")]
        } _: { server in
            let outcome = await GetStage.run(server, "/", option)
            #expect(outcome.status == .success, "\(outcome.notes)")
            let body = option == "--head" ? "" : "body"
            #expect(outcome.output == "HTTP/1.1 200\nX-Y: z\nContent-Length: 4\n\n" + body)
            #expect(server.requests.first?.method == (option == "--head" ? "HEAD" : "GET"))
        }
    }

    @Test func json() async throws {
        let payload: [UInt8] = [0xFF, 0x00, 0x01]
        try await ScriptedServer.with { request in
            switch request.target {
            case "/text": [.respond("Grüße", fields: ["Set-Cookie: a=b"])]
            case "/moved?hunter2": [.respond(status: "302 Found", fields: ["Location: /text?hunter2"])]
            case "/bytes": [.text("HTTP/1.1 200 OK\nContent-Length: 3\n\n"), .send(payload)]
            default: [.respond("gone", status: "410 Gone")]
            }
        } _: { server in
            let text = try GetStage.object(await GetStage.run(server, "/text", "--json"))
            #expect(text.exitCode == 0 && text.status == 200 && text.body == "Grüße" && text.bytes == 7)
            #expect(text.version == "HTTP/1.1" && text.method == "GET" && text.failure == nil && text.probe == nil)
            #expect(text.fields?.map(\.name) == ["Content-Length", "Set-Cookie"])
            let bytes = try GetStage.object(await GetStage.run(server, "/bytes", "--json"))
            #expect(bytes.body == nil && bytes.base64 == Data(payload).base64EncodedString())
            let moved = await GetStage.run(server, "/moved?hunter2", "--json")
            let object = try GetStage.object(moved)
            #expect(object.redirects.map(\.status) == [302] && object.url.hasSuffix("/text?…"), "\(moved.output)")
            #expect(object.failure?.code == "status" && object.exitCode == 4)
            let gone = try GetStage.object(await GetStage.run(server, "/gone", "--json"))
            #expect(gone.exitCode == 4 && gone.status == 410 && gone.failure?.code == "status" && gone.body == "gone")
        }
    }

    /// `--verbose` prints names of fields, but no credential.
    @Test func verbose() async throws {
        try await ScriptedServer.with(tls: ServerTLS(stage.tls.leaf)) { _ in
            [.respond("body", fields: ["Set-Cookie: session=hunter2", "X-Y: z\u{9B}"])]
        } _: { server in
            let outcome = await stage.runTLS(
                server, "/a?token=hunter2", "--verbose", "--header", "Authorization: hunter2", "--pin",
                "\(stage.tls.leaf.spkiDigest)")
            #expect(outcome.status == .success && outcome.output == "body", "\(outcome.notes)")
            for line in [
                "> GET /a?…", "> Authorization: (not shown)", "> User-Agent: holdfast", "< 200\n",
                "< Set-Cookie: (not shown)", "  --pin: allow", "    pinMatched: ",
            ] {
                #expect(outcome.notes.contains(line), "\(line)\n\(outcome.notes)")
            }
            #expect(outcome.notes.contains("connected to 127.0.0.1:\(server.port), TLSv1.3 TLS_"))
            #expect(!outcome.notes.contains("hunter2") && !outcome.notes.contains("\u{9B}"), "\(outcome.notes)")
        }
    }

    @Test func http2() async throws {
        var settings = ScriptedServer.Settings(tls: ServerTLS(stage.tls.leaf), version: .http2)
        settings.onRequest = { _ in [.respond("two")] }
        try await ScriptedServer.with(settings) { server in
            let outcome = await stage.runTLS(server, "/", "--http2", "--include")
            #expect(outcome.status == .success, "\(outcome.notes)")
            #expect(outcome.output.hasPrefix("HTTP/2 200") && outcome.output.hasSuffix("\n\ntwo"), "\(outcome.output)")
            let refused = await stage.runTLS(server, "/", "--http1")
            #expect(refused.status == .exchangeFailed || refused.status == .unreachable, "\(refused.notes)")
        }
        try await ScriptedServer.with(tls: ServerTLS(stage.tls.leaf)) { _ in
            [.respond("one")]
        } _: { server in
            let outcome = await stage.runTLS(server, "/", "--http2")
            #expect(outcome.status == .exchangeFailed && outcome.notes.contains("[noCommonProtocol]"))
            #expect(outcome.notes.contains("hint: without --http1 and --http2"), "\(outcome.notes)")
            #expect(await stage.runTLS(server, "/", "--http1").output == "one")
        }
    }

    /// The name of the URL remains that of the certificate and of the `Host` field.
    @Test func resolve() async throws {
        try await ScriptedServer.with(tls: ServerTLS(stage.tls.leaf)) { request in
            [.respond(request.field("Host") ?? "")]
        } _: { server in
            let entry = "\(ProbeStage.host):\(server.port):127.0.0.1"
            let outcome = await stage.runTLS(port: server.port, "/", ["--resolve", entry])
            #expect(outcome.output == "\(ProbeStage.host):\(server.port)" && outcome.notes.isEmpty, "\(outcome.notes)")
            let unused = await stage.runTLS(
                port: server.port, "/", ["--resolve", entry, "--resolve", "b.example:1:127.0.0.1"])
            #expect(unused.status == .success)
            #expect(unused.notes == "warning: --resolve had no effect: no connection went to b.example:1\n")
        }
    }

    /// The server is verified behind the proxy as without it.
    @Test func proxies() async throws {
        try await ScriptedServer.with(tls: ServerTLS(stage.tls.leaf)) { _ in
            [.respond("tunnelled")]
        } _: { server in
            let steps: [ScriptedProxyStep] = [
                .awaitHead, .text("HTTP/1.1 200 OK\r\n\r\n"), .tunnel(to: server.port),
            ]
            try await ScriptedProxy.with(steps) { proxy in
                let option = ["--proxy", "http://user:hunter2@127.0.0.1:\(proxy.port)"]
                let outcome = await stage.runTLS(port: server.port, "/", option + ["--verbose"])
                #expect(outcome.status == .success && outcome.output == "tunnelled", "\(outcome.notes)")
                let head = String(decoding: proxy.heard.first ?? [], as: UTF8.self)
                #expect(head.hasPrefix("CONNECT \(ProbeStage.host):\(server.port) "), "\(head)")
                #expect(!outcome.notes.contains("hunter2"))
                let pin = ["--pin", "\(stage.tls.backup.spkiDigest)"]
                #expect(await stage.runTLS(port: server.port, "/", option + pin).status == .failure)
            }
        }
    }

    @Test func compressedBodies() async throws {
        let text = String(repeating: "All work and no play. ", count: 1_000)
        let coded = try Compressed.gzip(Array(text.utf8))
        try await ScriptedServer.with { request in
            guard request.field("Accept-Encoding") != nil else { return [.respond("plain")] }
            let head = "HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: \(coded.count)\n\n"
            return [.text(head), .send(coded)]
        } _: { server in
            #expect(await GetStage.run(server).output == "plain")
            #expect(await GetStage.run(server, "/", "--compressed").output == text)
            let outcome = await GetStage.run(server, "/", "--compressed", "--output", stage.path("text"))
            #expect(outcome.status == .success && stage.contents("text") == Array(text.utf8), "\(outcome.notes)")
        }
    }
}
