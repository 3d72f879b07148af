import Foundation
import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust

@testable import HoldfastTool

/// Servers for `holdfast get`, and runs of the command in this process.
struct GetStage: Sendable {
    /// The identities of a server with TLS.
    let tls: ProbeStage
    /// A folder for output files.
    let folder: TemporaryFolder

    init() throws {
        tls = try ProbeStage()
        folder = try TemporaryFolder()
    }

    /// Runs the command with this input in a pipe.
    static func run(_ arguments: [String], input: [UInt8] = []) async -> ToolOutcome {
        let transcript = Transcript(input: input)
        let status = await ToolRun(console: transcript.console).run(["get"] + arguments)
        return ToolOutcome(status: status, output: transcript.output, notes: transcript.notes)
    }

    /// Runs the command for a server on loopback without TLS.
    static func run(
        _ server: ScriptedServer, _ path: String = "/", _ arguments: String..., input: [UInt8] = []
    ) async -> ToolOutcome {
        await run(["http://127.0.0.1:\(server.port)\(path)"] + arguments, input: input)
    }

    /// Runs the command for a server with TLS, by the name in its certificate.
    func runTLS(_ server: ScriptedServer, _ path: String = "/", _ arguments: String...) async -> ToolOutcome {
        await runTLS(port: server.port, path, ["--connect-to", "127.0.0.1"] + arguments)
    }

    /// Runs the command for a server with TLS on a port.
    func runTLS(port: UInt16, _ path: String = "/", _ arguments: [String]) async -> ToolOutcome {
        let url = "https://\(ProbeStage.host):\(port)\(path)"
        let trust = ["--trust-anchors", tls.folder.path + "/root.pem", "--at", "\(ProbeStage.now)"]
        return await Self.run([url] + trust + arguments)
    }

    /// Returns the path of an output file.
    func path(_ name: String) -> String { folder.path + "/" + name }

    /// Returns the contents of a file; `nil` if it does not exist.
    func contents(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path(name)).map { Array($0) }
    }

    /// The sorted names in the folder.
    var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? ["(no folder)"]
    }

    /// The output of `--json`.
    struct Output: Decodable {
        struct Field: Decodable {
            var name: String
            var value: String
        }

        struct Redirect: Decodable {
            var status: Int
            var url: String
        }

        struct Digest: Decodable {
            var algorithm: String
            var digest: String
        }

        struct Failure: Decodable {
            var code: String
            var reason: String
            var body: String?
            var remedy: String?
        }

        var exitCode: Int
        var method: String
        var url: String
        var redirects: [Redirect]
        var status: Int?
        var version: String?
        var fields: [Field]?
        var bytes: Int?
        var file: String?
        var resumedAt: Int?
        var verified: [Digest]?
        var body: String?
        var base64: String?
        var failure: Failure?
        var probe: ProbeOutput.Probe?
        var durationMicros: Int
    }

    /// Returns the object in the output of `--json`.
    static func object(_ outcome: ToolOutcome) throws -> Output {
        try JSONDecoder().decode(Output.self, from: Data(outcome.output.utf8))
    }
}

/// A server of one file with range requests, which can cut the connection.
struct GetFileServer: Sendable {
    var payload: [UInt8]
    /// The strong entity tag.
    var tag = "\"v1\""
    /// The number of body bytes after which the connection is cut.
    var cut: Int?
    /// Whether ranges are served.
    var servesRanges = true
    /// Whether a range is served although the client names another tag.
    var ignoresCondition = false
    /// The value of `Content-Range` instead of the right one.
    var wrongRange: String?
    /// Further fields of each response.
    var fields: [String] = []

    func callAsFunction(_ request: ScriptedRequest) -> [ScriptedAction] {
        let start = request.field("range").flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
        guard servesRanges, let start, ignoresCondition || request.field("if-range") == tag else {
            return response("200 OK", payload[...], [])
        }
        let range = "Content-Range: \(wrongRange ?? "bytes \(start)-\(payload.count - 1)/\(payload.count)")"
        return response("206 Partial Content", payload[start...], [range])
    }

    private func response(_ status: String, _ body: ArraySlice<UInt8>, _ more: [String]) -> [ScriptedAction] {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)", "ETag: \(tag)"] + fields + more
        let head = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        guard let cut, cut < body.count else { return [.send(head + body)] }
        // One turn of the event loop sends the bytes before the end.
        let turn = Trigger()
        turn.fire()
        return [.send(head + body.prefix(cut)), .wait(turn), .cut]
    }
}
