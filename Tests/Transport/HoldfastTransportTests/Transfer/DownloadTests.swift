import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Synchronization
import Testing

/// A download ends with the complete file at its destination, or with a part that the next call resumes.
@Suite(.timeLimit(.minutes(1))) struct DownloadTests {
    private static let payload = RangeServer.payload(300_000)

    /// Options without delays.
    static func options(attempts: Int = 4, checksum: Checksum? = nil, limit: Int64 = 1 << 30) -> DownloadOptions {
        DownloadOptions(
            maximumBytes: limit, checksum: checksum, retry: TransferRetry(attempts: attempts, firstDelay: .zero))
    }

    @Test(arguments: Wire.allCases)
    func aFileIsDownloaded(wire: Wire) async throws {
        let world = try PinnedWorld()
        try await TransferFolder.with { folder in
            try await ScriptedServer.with(tls: wire.server(world), version: wire.version) {
                RangeServer(payload: Self.payload)($0)
            } _: { server in
                let client = HTTPClient(configuration: wire.configuration(world))
                try folder.write("file.bin", [1, 2, 3])
                let progress = Mutex<[TransferProgress]>([])
                var options = Self.options()
                options.onProgress = { value in progress.withLock { $0.append(value) } }
                let result = try await client.download(
                    wire.request(port: server.port), to: folder.file, options: options)
                #expect(folder.bytes(folder.file) == Self.payload)
                #expect(folder.names == ["file.bin"], "other files were left")
                #expect(folder.mode(folder.file) == 0o600)
                #expect(result.size == 300_000 && result.resumedAt == 0 && result.attempts == 1)
                #expect(server.requests.first?.field("accept-encoding") == "identity")
                #expect(server.requests.first?.field("range") == nil)
                let values = progress.withLock(\.self)
                #expect(values.map(\.received) == values.map(\.received).sorted())
                #expect(values.last == TransferProgress(received: 300_000, toReceive: 300_000))
            }
        }
    }

    /// The connection is lost several times. Each time the client requests the rest, with the validator.
    @Test(arguments: Wire.allCases, ["ETag: \"v1\"", modified])
    func aLostConnectionIsResumed(wire: Wire, validator: String) async throws {
        let world = try PinnedWorld()
        // A tag counts with any `Vary`. A date counts only if `Vary` lists fields that a download does not send.
        let fields = [Self.date, validator == Self.modified ? "Vary: Accept-Encoding, origin" : "Vary: Cookie"]
        try await TransferFolder.with { folder in
            try await ScriptedServer.with(tls: wire.server(world), version: wire.version) {
                RangeServer(payload: Self.payload, validator: validator, fields: fields, cut: 70_000)($0)
            } _: { server in
                let client = HTTPClient(configuration: wire.configuration(world))
                let result = try await client.download(
                    wire.request(port: server.port), to: folder.file, options: Self.options(attempts: 1))
                #expect(folder.bytes(folder.file) == Self.payload)
                #expect(result.attempts == server.requests.count && result.attempts >= 5)
                let starts = server.requests.dropFirst().map { $0.field("range") ?? "" }
                #expect(starts.allSatisfy { $0.hasPrefix("bytes=") })
                #expect(Set(starts).count == starts.count, "the same bytes were requested twice")
                let value = String(validator.drop { $0 != ":" }.dropFirst(2))
                #expect(server.requests.dropFirst().allSatisfy { $0.field("if-range") == value })
                await client.shutdown()
            }
        }
    }

    private static let modified = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"
    private static let date = "Date: Mon, 07 Nov 1994 08:49:37 GMT"

    /// A weak validator does not count: a weak tag, a date of the last minute, a date with a weak tag, an invalid
    /// value.
    @Test(arguments: [
        "ETag: W/\"v1\"", "Last-Modified: Mon, 07 Nov 1994 08:49:00 GMT", "ETag: W/\"1\"\r\n" + modified,
        "ETag: v1", "ETag: \"a\"\r\nETag: \"b\"", "Last-Modified: yesterday", "X: y",
        // A date is not sufficient if the bytes depend on more than the URL.
        modified + "\r\nVary: Cookie", modified + "\r\nVary: Origin, Accept-Language", modified + "\r\nVary: *",
    ])
    func nothingIsResumedByAWeakValidator(validator: String) async throws {
        try await TransferFolder.with { folder in
            let payload = Array(Self.payload.prefix(1000))
            try await ScriptedServer.with { request in
                // The third request gets the complete file.
                RangeServer(
                    payload: payload, validator: validator, fields: [Self.date], cut: request.connection < 2 ? 400 : nil
                )(
                    request)
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                _ = try await client.download(.plain(port: server.port), to: folder.file, options: Self.options())
                #expect(folder.bytes(folder.file) == payload)
                #expect(server.requests.count == 3)
                #expect(server.requests.allSatisfy { $0.field("range") == nil && $0.field("if-range") == nil })
            }
        }
    }

    /// The disk contains everything that a new client or a new process needs.
    @Test(arguments: Wire.allCases)
    func aNewClientResumes(wire: Wire) async throws {
        let world = try PinnedWorld()
        try await TransferFolder.with { folder in
            try await ScriptedServer.with(tls: wire.server(world), version: wire.version) { request in
                RangeServer(payload: Self.payload, cut: request.field("range") == nil ? 100_000 : nil)(request)
            } _: { server in
                let request = wire.request(port: server.port)
                let first = HTTPClient(configuration: wire.configuration(world))
                let error = try await transportError {
                    _ = try await first.download(request, to: folder.file, options: Self.options(attempts: 0))
                }
                #expect(error.code == .connectionClosed)
                await first.shutdown()
                let there = try #require(folder.bytes(folder.part))
                #expect(!there.isEmpty && there == Array(Self.payload.prefix(there.count)))
                #expect(folder.mode(folder.part) == 0o600 && folder.mode(folder.record) == 0o600)
                #expect(folder.bytes(folder.file) == nil, "an incomplete file has the destination's name")
                let second = HTTPClient(configuration: wire.configuration(world))
                let result = try await second.download(request, to: folder.file, options: Self.options())
                #expect(folder.bytes(folder.file) == Self.payload)
                #expect(result.resumedAt == Int64(there.count))
                #expect(server.requests.last?.field("range") == "bytes=\(there.count)-")
                #expect(folder.names == ["file.bin"])
            }
        }
    }

    /// A record contains no URL, because a URL can contain credentials.
    @Test func theRecordContainsNoURL() async throws {
        try await TransferFolder.with { folder in
            try await ScriptedServer.with {
                RangeServer(payload: Self.payload, cut: 1000)($0)
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                _ = try await transportError {
                    _ = try await client.download(
                        .plain(port: server.port, path: "/s3cret?sig=k3y"), to: folder.file,
                        options: Self.options(attempts: 0))
                }
                let text = String(decoding: try #require(folder.bytes(folder.record)), as: UTF8.self)
                #expect(!text.contains("s3cret") && !text.contains("k3y") && !text.contains("127.0.0.1"))
            }
        }
    }

    /// A download that is cancelled in the middle leaves a part.
    @Test(arguments: ScriptedVersion.allCases)
    func cancellationKeepsThePart(version: ScriptedVersion) async throws {
        try await TransferFolder.with { folder in
            let go = Trigger()
            try await ScriptedServer.with(version: version) { request in
                guard request.field("range") == nil else { return RangeServer(payload: Self.payload)(request) }
                let head = "HTTP/1.1 200 OK\r\nContent-Length: 300000\r\nETag: \"v1\"\r\n\r\n"
                return [.send(Array(head.utf8) + Self.payload.prefix(50_000)), .wait(go)]
            } _: { server in
                let client = HTTPClient(configuration: .plain(version))
                let begun = Trigger()
                var options = Self.options()
                options.onProgress = { if $0.received == 50_000 { begun.fire() } }
                let task = Task { [options] in  // reason: it is cancelled
                    try await client.download(.plain(port: server.port), to: folder.file, options: options)
                }
                await begun.wait()
                task.cancel()
                let error = try await transportError { _ = try await task.value }
                #expect(error.code == .cancelled)
                #expect(folder.bytes(folder.part)?.count == 50_000)
                let result = try await client.download(
                    .plain(port: server.port), to: folder.file, options: Self.options())
                #expect(result.resumedAt == 50_000)
                #expect(folder.bytes(folder.file) == Self.payload)
                go.fire()
            }
        }
    }

    /// The part of a different URL is not used.
    @Test func anotherURLStartsAgain() async throws {
        try await TransferFolder.with { folder in
            let other = RangeServer.payload(2000, seed: 9)
            try await ScriptedServer.with { request in
                request.target == "/a"
                    ? RangeServer(payload: Self.payload, cut: 1000)(request) : RangeServer(payload: other)(request)
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                _ = try await transportError {
                    _ = try await client.download(
                        .plain(port: server.port, path: "/a"), to: folder.file, options: Self.options(attempts: 0))
                }
                let reasons = Mutex<[String]>([])
                var options = Self.options()
                options.onEvent = { event in
                    if case .startedOver(let reason) = event { reasons.withLock { $0.append(reason) } }
                }
                _ = try await client.download(
                    .plain(port: server.port, path: "/b"), to: folder.file, options: options)
                #expect(folder.bytes(folder.file) == other)
                #expect(server.requests.last?.field("range") == nil)
                #expect(reasons.withLock(\.count) == 1)
            }
        }
    }

    /// The number of attempts without progress is limited. A received byte resets it.
    @Test func attemptsAreLimited() async throws {
        try await TransferFolder.with { folder in
            try await ScriptedServer.with { request in
                RangeServer(payload: Self.payload, cut: request.field("range") == nil ? 10 : 0)(request)
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                let error = try await transportError {
                    _ = try await client.download(
                        .plain(port: server.port), to: folder.file, options: Self.options(attempts: 3))
                }
                #expect(error.code == .connectionClosed)
                // The first attempt received ten bytes. Three more received none, and the fourth is the last.
                #expect(server.requests.count == 4)
            }
        }
    }

    /// A file of exactly the limit is accepted, and one more byte is not, whether announced or not.
    @Test(arguments: [true, false])
    func theLimitIsExact(isAnnounced: Bool) async throws {
        try await TransferFolder.with { folder in
            let body = String(repeating: "x", count: 1000)
            try await ScriptedServer.with { _ in
                isAnnounced
                    ? [.respond(body)]
                    : [.text("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3e8\n\(body)\n0\n\n")]
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                let request = HTTPRequest.plain(port: server.port)
                let result = try await client.download(request, to: folder.file, options: Self.options(limit: 1000))
                #expect(result.size == 1000)
                let error = try await transferError {
                    _ = try await client.download(request, to: folder.path("b"), options: Self.options(limit: 999))
                }
                #expect(error.code == .tooLarge)
                #expect(folder.names == ["file.bin"])
            }
        }
    }

    @Test func anEmptyFile() async throws {
        try await TransferFolder.with { folder in
            try await ScriptedServer.with { _ in
                [.respond(fields: ["ETag: \"e\""])]
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                let result = try await client.download(.plain(port: server.port), to: folder.file)
                #expect(result.size == 0 && folder.bytes(folder.file) == [])
            }
        }
    }

    /// A response without a file is an error that contains the response. The existing bytes are kept.
    @Test func anErrorStatusIsReportedAndKeepsThePart() async throws {
        try await TransferFolder.with { folder in
            try await ScriptedServer.with { request in
                request.connection == 0
                    ? RangeServer(payload: Self.payload, cut: 5000)(request)
                    : [.respond("who are you?", status: "401 Unauthorized")]
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                let request = HTTPRequest.plain(port: server.port)
                let error = try await transferError {
                    _ = try await client.download(request, to: folder.file, options: Self.options())
                }
                #expect(error.code == .unexpectedStatus && error.response?.status.code == 401)
                #expect(String(decoding: error.body, as: UTF8.self) == "who are you?")
                #expect(folder.bytes(folder.part)?.count == 5000)
            }
        }
    }

    /// The caller cannot set the fields that the download sets.
    @Test func fieldsThatTheDownloadSets() async throws {
        try await TransferFolder.with { folder in
            let client = HTTPClient(configuration: .forPlainServers)
            for name in [HTTPField.Name.range, .ifRange, .acceptEncoding, .ifNoneMatch] {
                let error = try await transferError {
                    _ = try await client.download(
                        .plain(port: 1, [name: "x"]), to: folder.file, options: Self.options())
                }
                #expect(error.code == .invalidRequest)
            }
            let error = try await transferError {
                _ = try await client.download(.plain(.post, port: 1), to: folder.file)
            }
            #expect(error.code == .invalidRequest)
            #expect(folder.names.isEmpty)
        }
    }
}
