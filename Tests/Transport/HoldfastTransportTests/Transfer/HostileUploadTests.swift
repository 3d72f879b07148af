import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Synchronization
import Testing

/// Servers that lie about resumable uploads, and servers without the protocol.
@Suite(.timeLimit(.minutes(1))) struct HostileUploadTests {
    private static let payload = RangeServer.payload(200_000)

    /// Uploads to a scripted server. A 104 with `location` answers the head of the upload. Then the connection is cut.
    private func upload(
        location: String = "/up/1", version: String = "6", informational: Int = 1, attempts: Int = 4,
        _ wire: Wire = .plain,
        _ answer: @escaping @Sendable (ScriptedRequest) -> [ScriptedAction]
    ) async throws -> ResumableUploadResult {
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", Self.payload)
            let world = try PinnedWorld()
            var settings = ScriptedServer.Settings(tls: wire.server(world), version: wire.version)
            settings.onHead = { request in
                guard request.method == "POST" else { return [] }
                let head =
                    "HTTP/1.1 104 Upload Resumption Supported\nUpload-Draft-Interop-Version: \(version)\n"
                    + "Location: \(location)\n\n"
                return [.text(String(repeating: head, count: informational))]
            }
            settings.onRequest = { $0.method == "POST" ? [.cut] : answer($0) }
            return try await ScriptedServer.with(settings) { server in
                let client = HTTPClient(configuration: wire.configuration(world))
                var options = ResumableUploadOptions(
                    fallback: .plain, retry: TransferRetry(attempts: attempts, firstDelay: .zero))
                options.version = .six
                let fields: HTTPFields = [
                    .authorization: "Bearer x", .ifNoneMatch: "*", .ifMatch: "\"x\"", .range: "bytes=0-1",
                    .contentType: "text/plain",
                ]
                return try await client.uploadResumably(
                    wire.request(.post, port: server.port, fields), from: path, options: options)
            }
        }
    }

    private static func offset(_ value: String, complete: String = "?0") -> [ScriptedAction] {
        [.respond(fields: ["Upload-Offset: \(value)", "Upload-Complete: \(complete)"])]
    }

    /// Values for the URL at which the upload continues.
    @Test(arguments: [
        "https://evil.example/up", "//evil.example/up", "http://127.0.0.1:1/up", "https://127.0.0.1/up",
        "ftp://127.0.0.1/",
        "http://user@127.0.0.1/up", "\\\\evil.example\\up", "http:up", "/" + String(repeating: "u", count: 9000),
    ])
    func aForeignLocation(location: String) async throws {
        let asked = Mutex(0)
        let error = try await transferError {
            _ = try await upload(location: location) { _ in
                asked.withLock { $0 += 1 }
                return Self.offset("0")
            }
        }
        #expect(error.code == .locationRefused)
        #expect(asked.withLock(\.self) == 0)
        #expect(!error.reason.contains("evil"))
    }

    /// Impossible numbers.
    @Test(arguments: [
        ("200001", "?0", TransferError.Code.offsetRefused), ("999999999999999", "?0", .offsetRefused),
        ("9999999999999999", "?0", .malformedField), ("18446744073709551616", "?0", .malformedField),
        ("-1", "?0", .malformedField), ("+1", "?0", .malformedField), ("1.0", "?0", .malformedField),
        ("", "?0", .malformedField), ("10", "true", .malformedField), ("10", "?1", .offsetRefused),
    ])
    func anImpossibleOffset(value: String, complete: String, code: TransferError.Code) async throws {
        let error = try await transferError {
            _ = try await upload { _ in Self.offset(value, complete: complete) }
        }
        #expect(error.code == code, "\(error)")
    }

    @Test func noOffset() async throws {
        let error = try await transferError { _ = try await upload { _ in [.respond()] } }
        #expect(error.code == .offsetRefused)
    }

    /// The server's offset decreases: its bytes may now be different ones.
    @Test func aDecreasingOffset() async throws {
        let count = Mutex(0)
        let error = try await transferError {
            _ = try await upload { request in
                guard request.method == "HEAD" else { return [.cut] }
                let number = count.withLock { value in
                    value += 1
                    return value
                }
                return Self.offset(number == 1 ? "100000" : "99999")
            }
        }
        #expect(error.code == .offsetRefused)
        #expect(error.reason.contains("99999"))
    }

    /// The server's offset never increases: conflicts, lost connections, or responses without progress. The upload
    /// ends each time.
    @Test(arguments: ["conflict", "lost", "nothing"])
    func noProgress(kind: String) async throws {
        let requests = Mutex(0)
        await #expect(throws: (any Error).self) {
            _ = try await upload { request in
                requests.withLock { $0 += 1 }
                if request.method == "HEAD" { return Self.offset("1000") }
                switch kind {
                case "conflict":
                    return [.respond(status: "409 Conflict", fields: ["Upload-Offset: 1000", "Upload-Complete: ?0"])]
                case "lost": return [.cut]
                default: return Self.offset("1000")
                }
            }
        }
        #expect((4...20).contains(requests.withLock(\.self)))
    }

    /// Endless 104 responses are limited like every informational response.
    @Test(arguments: Wire.allCases)
    func endlessInformationalResponses(wire: Wire) async throws {
        let error = try await transportError { _ = try await upload(informational: 1000, wire) { _ in [] } }
        #expect(error.code == .tooManyInformationalResponses)
    }

    /// A version that was not requested.
    @Test func anotherVersion() async throws {
        let error = try await transferError { _ = try await upload(version: "3") { _ in Self.offset("0") } }
        #expect(error.code == .resumptionNotSupported)
    }

    /// The URL changes: the upload at the new URL could belong to a different client.
    @Test func anotherLocation() async throws {
        let error = try await transferError {
            _ = try await upload(
                location: "/up/1\nX: y\n\nHTTP/1.1 104 X\nUpload-Draft-Interop-Version: 6\nLocation: /up/2"
            ) { _ in
                Self.offset("0")
            }
        }
        #expect(error.code == .locationRefused)
    }

    /// Redirects are not followed: the rest of the file is not sent to a different URL.
    @Test func aRedirect() async throws {
        let error = try await transferError {
            _ = try await upload { _ in [.respond(status: "307 Temporary Redirect", fields: ["Location: /elsewhere"])] }
        }
        #expect(error.code == .unexpectedStatus && error.response?.status.code == 307)
    }

    /// The server has all bytes, and its response is lost.
    @Test func theResponseIsLost() async throws {
        let result = try await upload { _ in Self.offset("200000", complete: "?1") }
        #expect(result.answer == nil && result.wasResumable)
    }

    /// Offset requests carry credentials. They omit the fields about the body and conditions for the original URL.
    @Test(arguments: Wire.allCases)
    func theFieldsOfOffsetRequests(wire: Wire) async throws {
        let seen = Mutex<[ScriptedRequest]>([])
        let result = try await upload(wire) { request in
            seen.withLock { $0.append(request) }
            if request.method == "HEAD" { return Self.offset("150000") }
            return [.respond("done")]
        }
        #expect(result.answer?.text == "done")
        let requests = seen.withLock(\.self)
        #expect(requests.map(\.method) == ["HEAD", "PATCH"])
        #expect(requests.allSatisfy { $0.field("authorization") == "Bearer x" && $0.target == "/up/1" })
        for name in ["if-none-match", "if-match", "range"] {
            #expect(requests.allSatisfy { $0.field(name) == nil }, "\(name)")
        }
        #expect(requests.first?.field("upload-offset") == nil && requests.first?.field("content-type") == nil)
        #expect(requests.last?.field("upload-offset") == "150000")
        #expect(requests.last?.field("content-type") == "application/partial-upload")
        #expect(requests.last?.body == Array(Self.payload[150_000...]))
    }

    // MARK: Servers without the protocol

    private func plainUpload(
        _ fallback: ResumableUploadOptions.Fallback,
        _ answer: @escaping @Sendable (ScriptedRequest) -> [ScriptedAction],
        _ body: @Sendable (HTTPClient, HTTPRequest, String, ResumableUploadOptions, ScriptedServer) async throws -> Void
    ) async throws {
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", Self.payload)
            try await ScriptedServer.with(answer) { server in
                try await body(
                    HTTPClient(configuration: .forPlainServers), .plain(.post, port: server.port), path,
                    ResumableUploadOptions(fallback: fallback, retry: TransferRetry(firstDelay: .zero)), server)
            }
        }
    }

    /// By default such a server receives nothing.
    @Test(arguments: [404, 200, 501])
    func aServerWithoutTheProtocolIsRefused(status: Int) async throws {
        try await plainUpload(.refuse) { _ in
            [.respond(status: "\(status) X")]
        } _: { client, request, path, options, server in
            let error = try await transferError {
                _ = try await client.uploadResumably(request, from: path, options: options)
            }
            #expect(error.code == .resumptionNotSupported)
            #expect(server.requests.map(\.method) == ["OPTIONS"])
        }
    }

    /// With the option it receives a plain upload. The client ignores the `Location` of its response.
    @Test func withTheOptionAPlainUploadIsSent() async throws {
        try await plainUpload(.plain) { _ in
            [.respond("ok", status: "201 Created", fields: ["Location: https://elsewhere.example/"])]
        } _: { client, request, path, options, server in
            let result = try await client.uploadResumably(request, from: path, options: options)
            #expect(result.answer?.text == "ok" && !result.wasResumable)
            #expect(server.requests.first?.body == Self.payload)
        }
    }

    /// A plain upload is not repeated after a lost connection.
    @Test func aLostPlainUpload() async throws {
        try await plainUpload(.plain) { _ in
            [.cut]
        } _: { client, request, path, options, server in
            let error = try await transportError {
                _ = try await client.uploadResumably(request, from: path, options: options)
            }
            #expect(error.code == .connectionClosed)
            #expect(server.requests.count == 1)
        }
    }

    /// The server's own limit ends an upload before a byte is sent, or splits it.
    @Test(arguments: [
        ("max-size=199999", true), ("min-size=0, max-size=200000;x=1", nil),
        ("max-size=200000, max-append-size=90000", false),
    ])
    func limitsOfTheServer(value: String, fails: Bool?) async throws {
        let bytes = Mutex(0)
        try await plainUpload(.refuse) { request in
            if request.method == "OPTIONS" { return [.respond(fields: ["Upload-Limit: \(value)"])] }
            let there = bytes.withLock { total in
                total += request.body.count
                return total
            }
            let isLast = request.field("upload-complete") == "?1"
            return [
                .respond(
                    status: "201 Created",
                    fields: ["Upload-Draft-Interop-Version: 6", "Location: /up/1", "Upload-Offset: \(there)"]
                        + ["Upload-Complete: \(isLast ? "?1" : "?0")"])
            ]
        } _: { client, request, path, options, server in
            guard fails == false else {
                let error = try await transferError {
                    _ = try await client.uploadResumably(request, from: path, options: options)
                }
                // The known limits have no parameters, so this limit is invalid and the upload fails.
                #expect(error.code == (fails == true ? .tooLarge : .malformedField))
                #expect(server.requests.map(\.method) == ["OPTIONS"])
                return
            }
            _ = try await client.uploadResumably(request, from: path, options: options)
            #expect(server.requests.map(\.method) == ["OPTIONS", "POST", "PATCH", "PATCH"])
            #expect(Array(server.requests.dropFirst().map(\.body).joined()) == Self.payload)
        }
    }
}
