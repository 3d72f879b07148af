import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import NIOCore
import Synchronization
import Testing

/// Servers that lie about ranges, lengths and digests: a typed error each time, no trap, and never wrong bytes at the
/// destination.
@Suite(.timeLimit(.minutes(1))) struct HostileDownloadTests {
    private static let payload = RangeServer.payload(1000)

    /// The server's response to a request for the bytes from 400 on, and the expected result.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var head: String
        var body: Int
        var code: TransferError.Code
        var testDescription: String { name }
    }

    private static func partial(
        _ name: String, _ range: String, _ body: Int = 600, _ more: String = "",
        _ code: TransferError.Code = .rangeMismatch
    ) -> Row {
        Row(
            name: name,
            head: "206 Partial Content\nETag: \"v1\"\nContent-Length: \(body)\nContent-Range: \(range)\n\(more)",
            body: body,
            code: code)
    }

    static let lies: [Row] = [
        partial("an overlapping range", "bytes 399-999/1000", 601),
        partial("a range after the requested one", "bytes 401-999/1000", 599),
        partial("a range from the beginning", "bytes 0-999/1000", 1000),
        partial("no range", "bytes */1000"),
        partial("another length", "bytes 400-999/1001"),
        partial("a shorter file", "bytes 400-998/999", 599),
        partial("a body shorter than the range", "bytes 400-999/1000", 500),
        partial("a body longer than the range", "bytes 400-999/1000", 601),
        partial("a range after the end of the file", "bytes 400-1000/1000", 601, "", .malformedField),
        partial("a range that ends before it begins", "bytes 400-399/1000", 0, "", .malformedField),
        partial("a number of 63 bits", "bytes 400-9223372036854775807/*", 600, "", .malformedField),
        partial("a number of 64 bits", "bytes 400-18446744073709551615/18446744073709551616", 600, "", .malformedField),
        partial("a number of 400 digits", "bytes 400-" + String(repeating: "9", count: 400), 600, "", .malformedField),
        partial("a negative number", "bytes -400-999/1000", 600, "", .malformedField),
        partial("a sign", "bytes +400-999/1000", 600, "", .malformedField),
        partial("another unit", "lines 400-999/1000", 600, "", .malformedField),
        partial("nothing known", "bytes */*", 600, "", .malformedField),
        partial("an empty value", "", 600, "", .malformedField),
        partial("two ranges", "bytes 400-999/1000", 600, "Content-Range: bytes 400-999/1000\n"),
        partial("several parts", "bytes 400-999/1000", 600, "Content-Type: Multipart/ByteRanges; boundary=x\n"),
        partial("a coded range", "bytes 400-999/1000", 600, "Content-Encoding: gzip\n", .codedBody),
        partial(
            "an invalid digest", "bytes 400-999/1000", 600, "Repr-Digest: sha-256=:AAAA:\n", .malformedField),
        partial(
            "a digest of other bytes", "bytes 400-999/1000", 600,
            "Content-Digest: sha-256=:\(String(repeating: "A", count: 43))=:\n", .checksumMismatch),
        Row(
            name: "no Content-Range", head: "206 Partial Content\nETag: \"v1\"\nContent-Length: 600\n", body: 600,
            code: .rangeMismatch),
        Row(
            name: "a coded complete file", head: "200 OK\nContent-Length: 600\nContent-Encoding: br\n", body: 600,
            code: .codedBody),
    ]

    /// Downloads 400 bytes until the connection is cut, and then receives the false response.
    @Test(arguments: lies)
    func aFalseResponse(row: Row) async throws {
        try await TransferFolder.with { folder in
            try await ScriptedServer.with { request in
                if request.field("range") == nil { return RangeServer(payload: Self.payload, cut: 400)(request) }
                return [.text("HTTP/1.1 \(row.head)\n"), .send(Array(repeating: 7, count: row.body)), .close]
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                let error = try await transferError {
                    _ = try await client.download(
                        .plain(port: server.port), to: folder.file, options: DownloadTests.options())
                }
                #expect(error.code == row.code, "\(error)")
                #expect(server.requests.count == 2)
                #expect(folder.names.isEmpty, "a part that would fail again was kept")
            }
        }
    }

    /// The body of a chunked 206 continues after its range.
    @Test(arguments: ["bytes 400-999/1000", "bytes 400-499/1000"])
    func aBodyThatExceedsItsRange(range: String) async throws {
        try await TransferFolder.with { folder in
            try await ScriptedServer.with { request in
                if request.field("range") == nil { return RangeServer(payload: Self.payload, cut: 400)(request) }
                let chunk = "64\n" + String(repeating: "x", count: 100) + "\n"
                return [
                    .text(
                        "HTTP/1.1 206 Partial Content\nETag: \"v1\"\nTransfer-Encoding: chunked\n"
                            + "Content-Range: \(range)\n\n"
                            + String(repeating: chunk, count: 7) + "0\n\n")
                ]
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                let error = try await transferError {
                    _ = try await client.download(
                        .plain(port: server.port), to: folder.file, options: DownloadTests.options())
                }
                #expect(error.code == .rangeMismatch)
                #expect(folder.names.isEmpty)
            }
        }
    }

    /// The attack: a server that sends one byte in each response would get endless requests.
    @Test func rangesOfOneByteAreLimited() async throws {
        try await TransferFolder.with { folder in
            try await ScriptedServer.with { request in
                guard let start = request.field("range").flatMap({ Int($0.dropFirst(6).dropLast()) }) else {
                    return RangeServer(payload: Self.payload, cut: 400)(request)
                }
                let head =
                    "HTTP/1.1 206 Partial Content\r\nETag: \"v1\"\r\nContent-Length: 1\r\n"
                    + "Content-Range: bytes \(start)-\(start)/1000\r\n\r\n"
                return [.send(Array(head.utf8) + [Self.payload[start]])]
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                let request = HTTPRequest.plain(port: server.port)
                let error = await #expect(throws: TransferError.self) {
                    _ = try await client.download(request, to: folder.file, options: DownloadTests.options())
                }
                #expect(error?.code == .tooLittleProgress)
                // The part from the cut connection is the first of seventeen.
                #expect(server.requests.count == 17)
                // The received bytes are kept, and the caller can resume.
                #expect(folder.bytes(folder.part)?.count == 416)
                var patient = DownloadTests.options()
                patient.minimumProgress = .none
                _ = try await client.download(request, to: folder.file, options: patient)
                #expect(folder.bytes(folder.file) == Self.payload)
            }
        }
    }

    /// The same with connections that are cut after each byte.
    @Test func connectionsWithOneByteAreLimited() async throws {
        try await TransferFolder.with { folder in
            try await ScriptedServer.with {
                RangeServer(payload: Self.payload, cut: 1)($0)
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                let error = await #expect(throws: TransferError.self) {
                    _ = try await client.download(
                        .plain(port: server.port), to: folder.file, options: DownloadTests.options())
                }
                #expect(error?.code == .tooLittleProgress)
                #expect(server.requests.count == 17)
            }
        }
    }

    /// A server that sends byte by byte: each byte restarts the idle timeout, and the minimum rate per minute ends the
    /// download.
    @Test(.timeLimit(.minutes(1)), arguments: ScriptedVersion.allCases)
    func aDrippingServerEnds(version: ScriptedVersion) async throws {
        let world = VirtualWorld(version)
        let client = world.client()
        try await TransferFolder.with { folder in
            let arrived = Mutex<Int64>(0)
            let ended = Trigger()
            var options = DownloadOptions(retry: .never)
            options.onProgress = { progress in arrived.withLock { $0 = progress.received } }
            let task = Task { [options] in  // reason: the test moves time while the download is in progress
                defer { ended.fire() }
                return try await client.download(.plain(port: 80), to: folder.file, options: options)
            }
            try await world.request()
            try await world.respond("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            var sent: Int64 = 0
            while !ended.hasFired, !Task.isCancelled, sent < 10 {
                await world.pass(.seconds(20))
                try await world.respond("a")
                sent += 1
                while !ended.hasFired, !Task.isCancelled, arrived.withLock({ $0 }) < sent { await Task.yield() }
            }
            let error = await #expect(throws: TransferError.self) { _ = try await task.value }
            #expect(error?.code == .tooLittleProgress)
            #expect((2...4).contains(sent))
        }
    }

    /// A server may send less than the requested range. The client then requests the rest.
    @Test func smallRanges() async throws {
        try await TransferFolder.with { folder in
            try await ScriptedServer.with { request in
                guard let start = request.field("range").flatMap({ Int($0.dropFirst(6).dropLast()) }) else {
                    return RangeServer(payload: Self.payload, cut: 400)(request)
                }
                let end = min(start + 100, 1000)
                let head =
                    "HTTP/1.1 206 Partial Content\r\nETag: \"v1\"\r\nContent-Length: \(end - start)\r\n"
                    + "Content-Range: bytes \(start)-\(end - 1)/1000\r\n\r\n"
                return [.send(Array(head.utf8) + Self.payload[start..<end])]
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                let result = try await client.download(
                    .plain(port: server.port), to: folder.file, options: DownloadTests.options())
                #expect(folder.bytes(folder.file) == Self.payload)
                #expect(server.requests.count == 7 && result.attempts == 2)
            }
        }
    }

    /// The validator differs from the requested one: the part is discarded, and the complete file is requested.
    @Test(arguments: ["ETag: \"v2\"", "ETag: W/\"v1\"", "X: no tag"])
    func anotherValidator(field: String) async throws {
        try await TransferFolder.with { folder in
            let other = RangeServer.payload(1000, seed: 2)
            try await ScriptedServer.with { request in
                if request.connection == 0 { return RangeServer(payload: Self.payload, cut: 400)(request) }
                if request.field("range") == nil { return RangeServer(payload: other, validator: field)(request) }
                let head =
                    "HTTP/1.1 206 Partial Content\r\n\(field)\r\nContent-Length: 600\r\n"
                    + "Content-Range: bytes 400-999/1000\r\n\r\n"
                return [.send(Array(head.utf8) + other[400...])]
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                _ = try await client.download(
                    .plain(port: server.port), to: folder.file, options: DownloadTests.options())
                #expect(folder.bytes(folder.file) == other, "bytes of two files were mixed")
                #expect(server.requests.count == 3)
            }
        }
    }

    /// A file that has changed is downloaded completely, with a 200.
    @Test func aChangedFileIsDownloadedCompletely() async throws {
        try await TransferFolder.with { folder in
            let other = RangeServer.payload(900, seed: 3)
            try await ScriptedServer.with { request in
                request.connection == 0
                    ? RangeServer(payload: Self.payload, cut: 400)(request)
                    : RangeServer(payload: other, validator: "ETag: \"v2\"")(request)
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                let result = try await client.download(
                    .plain(port: server.port), to: folder.file, options: DownloadTests.options())
                #expect(folder.bytes(folder.file) == other)
                #expect(result.attempts == 2)
            }
        }
    }

    /// The same tag at a different URL belongs to a different file: a tag is unique only for its URL.
    @Test func aRedirectToAnotherURL() async throws {
        try await TransferFolder.with { folder in
            let other = RangeServer.payload(1000, seed: 4)
            try await ScriptedServer.with { request in
                switch request.target {
                case "/": [.respond(status: "302 Found", fields: ["Location: /\(request.connection)"])]
                case "/0": RangeServer(payload: Self.payload, cut: 400)(request)
                default: RangeServer(payload: other)(request)
                }
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                _ = try await client.download(
                    .plain(port: server.port), to: folder.file, options: DownloadTests.options())
                #expect(folder.bytes(folder.file) == other)
            }
        }
    }

    /// A file that changes at each attempt, and one whose ranges never match: the download ends.
    @Test(arguments: [true, false])
    func aFileThatKeepsChanging(cuts: Bool) async throws {
        try await TransferFolder.with { folder in
            let count = Mutex(0)
            try await ScriptedServer.with { request in
                let number = count.withLock { value in
                    value += 1
                    return value
                }
                if cuts {
                    return RangeServer(payload: Self.payload, validator: "ETag: \"\(number)\"", cut: 100 + number)(
                        request)
                }
                return request.field("range") == nil
                    ? RangeServer(payload: Self.payload, cut: 400)(request)
                    : [.respond(status: "416 Range Not Satisfiable", fields: ["Content-Range: bytes */400"])]
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                let error = try await transferError {
                    _ = try await client.download(
                        .plain(port: server.port), to: folder.file, options: DownloadTests.options(attempts: 100))
                }
                #expect(error.code == .contentChanged)
                #expect(folder.names.isEmpty)
            }
        }
    }

    /// An unrequested 206 or 416.
    @Test func anUnrequestedPartialResponse() async throws {
        try await TransferFolder.with { folder in
            try await ScriptedServer.with { request in
                request.target == "/a"
                    ? [.respond("x", status: "206 Partial Content", fields: ["Content-Range: bytes 0-0/2"])]
                    : [.respond(status: "416 Range Not Satisfiable", fields: ["Content-Range: bytes */0"])]
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                for (path, code) in [("/a", TransferError.Code.rangeMismatch), ("/b", .unexpectedStatus)] {
                    let error = try await transferError {
                        _ = try await client.download(
                            .plain(port: server.port, path: path), to: folder.file, options: DownloadTests.options())
                    }
                    #expect(error.code == code)
                }
            }
        }
    }

    /// An error response is cut: its status is reported, and the request is not retried.
    @Test func anErrorResponseThatIsCut() async throws {
        try await TransferFolder.with { folder in
            try await ScriptedServer.with { _ in
                [.text("HTTP/1.1 403 Forbidden\nContent-Length: 100\n\nno"), .close]
            } _: { server in
                let error = try await transferError {
                    _ = try await HTTPClient(configuration: .forPlainServers).download(
                        .plain(port: server.port), to: folder.file, options: DownloadTests.options())
                }
                #expect(error.code == .unexpectedStatus && error.response?.status.code == 403)
                #expect(String(decoding: error.body, as: UTF8.self) == "no")
                #expect(server.requests.count == 1)
            }
        }
    }

    /// An endless body without a length ends at the limit.
    @Test func anEndlessBody() async throws {
        try await TransferFolder.with { folder in
            try await ScriptedServer.with { _ in
                let chunk = "10000\n" + String(repeating: "x", count: 65_536) + "\n"
                return [.text("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n" + String(repeating: chunk, count: 40))]
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                let error = try await transferError {
                    _ = try await client.download(
                        .plain(port: server.port), to: folder.file, options: DownloadTests.options(limit: 1_000_000))
                }
                #expect(error.code == .tooLarge)
                #expect(folder.names.isEmpty)
            }
        }
    }
}
