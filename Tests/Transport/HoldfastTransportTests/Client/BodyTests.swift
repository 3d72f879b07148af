import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Synchronization
import Testing

/// Bodies of every kind, in both directions, with progress and backpressure.
@Suite struct BodyTests {
    private let plain = TransportConfiguration.forPlainServers

    /// The values that a progress callback received.
    private final class ProgressLog: Sendable {
        private let values = Mutex<[TransferProgress]>([])
        func add(_ progress: TransferProgress) { values.withLock { $0.append(progress) } }
        var all: [TransferProgress] { values.withLock { $0 } }
    }

    private static let sizes = [0, 1, 16_384, 16_385, 65_536, 1_000_003]

    private func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    }

    @Test(arguments: sizes, ScriptedVersion.allCases)
    func bytesArriveUnchanged(size: Int, version: ScriptedVersion) async throws {
        let body = bytes(size)
        try await ScriptedServer.with(version: version) { _ in
            [.respond()]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            for _ in 0..<2 {
                _ = try await client.collect(.plain(.post, port: server.port), body: .bytes(body), upTo: 9)
            }
            #expect(server.requests.allSatisfy { $0.body == body })
            #expect(server.requests[0].field("Content-Length") == "\(size)")
            #expect(server.connectionCount == 1)
        }
    }

    @Test(arguments: sizes, ScriptedVersion.allCases)
    func aStreamOfKnownLength(size: Int, version: ScriptedVersion) async throws {
        let body = bytes(size)
        try await ScriptedServer.with(version: version) { _ in
            [.respond()]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let stream = HTTPBody.stream(length: Int64(size)) { writer in
                for start in stride(from: 0, to: size, by: 10_000) {
                    try await writer.write(Array(body[start..<min(size, start + 10_000)]))
                }
            }
            _ = try await client.collect(.plain(.post, port: server.port), body: stream, upTo: 9)
            #expect(server.requests[0].body == body)
            #expect(server.requests[0].field("Content-Length") == "\(size)")
        }
    }

    @Test(arguments: sizes, ScriptedVersion.allCases)
    func aStreamOfUnknownLength(size: Int, version: ScriptedVersion) async throws {
        let body = bytes(size)
        try await ScriptedServer.with(version: version) { _ in
            [.respond()]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let stream = HTTPBody.stream(length: nil) { writer in
                for start in stride(from: 0, to: size, by: 10_000) {
                    try await writer.write(Array(body[start..<min(size, start + 10_000)]))
                    try await writer.write([])
                }
            }
            for _ in 0..<2 {
                _ = try await client.collect(.plain(.post, port: server.port), body: stream, upTo: 9)
            }
            #expect(server.requests.allSatisfy { $0.body == body })
            #expect(server.requests[0].field("Transfer-Encoding") == (version == .http1 ? "chunked" : nil))
            #expect(server.requests[0].field("Content-Length") == nil)
            #expect(server.connectionCount == 1)
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aStreamOfTheWrongLengthFails(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { _ in
            [.respond()]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            for written in [2, 4] {
                let stream = HTTPBody.stream(length: 3) { try await $0.write(Array(repeating: 1, count: written)) }
                let error = try await transportError {
                    _ = try await client.collect(.plain(.post, port: server.port), body: stream, upTo: 9)
                }
                #expect(error.code == .bodyFailed)
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func theWritersErrorReachesTheCaller(version: ScriptedVersion) async throws {
        struct Own: Error {}
        try await ScriptedServer.with(version: version) { _ in
            [.respond()]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let stream = HTTPBody.stream(length: nil) { writer in
                try await writer.write([1])
                throw Own()
            }
            await #expect(throws: Own.self) {
                try await client.collect(.plain(.post, port: server.port), body: stream, upTo: 9)
            }
            await server.waitForAbandoned(1)
        }
    }

    /// A server may respond before it has received the body. The client stops the writer, returns the response, and
    /// closes the connection or resets the stream.
    @Test(arguments: ScriptedVersion.allCases)
    func anEarlyResponseStopsTheWriter(version: ScriptedVersion) async throws {
        var settings = ScriptedServer.Settings(version: version)
        settings.onHead = { _ in [.respond("no", status: "413 Content Too Large")] }
        try await ScriptedServer.with(settings) { server in
            let client = HTTPClient(configuration: .plain(version))
            let stream = HTTPBody.stream(length: nil) { writer in
                while true { try await writer.write(Array(repeating: 7, count: 10_000)) }
            }
            let answer = try await client.collect(.plain(.post, port: server.port), body: stream, upTo: 9)
            #expect(answer.response.status.code == 413)
            await server.waitForAbandoned(1)
        }
    }

    private func withFile<R>(_ content: [UInt8], _ body: (String) async throws -> R) async throws -> R {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-\(UUID().uuidString)")
        try Data(content).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try await body(url.path)
    }

    @Test(arguments: sizes, ScriptedVersion.allCases)
    func aFile(size: Int, version: ScriptedVersion) async throws {
        let content = bytes(size)
        try await withFile(content) { path in
            try await ScriptedServer.with(version: version) { _ in
                [.respond()]
            } _: { server in
                let client = HTTPClient(configuration: .plain(version))
                _ = try await client.collect(.plain(.put, port: server.port), body: .file(path: path), upTo: 9)
                #expect(server.requests[0].body == content)
            }
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aRangeOfAFile(version: ScriptedVersion) async throws {
        let content = bytes(200_000)
        try await withFile(content) { path in
            try await ScriptedServer.with(version: version) { _ in
                [.respond()]
            } _: { server in
                let client = HTTPClient(configuration: .plain(version))
                let body = HTTPBody.file(path: path, range: 1000..<190_000)
                _ = try await client.collect(.plain(.put, port: server.port), body: body, upTo: 9)
                #expect(server.requests[0].body == Array(content[1000..<190_000]))
                #expect(server.requests[0].field("Content-Length") == "189000")
                let beyond = HTTPBody.file(path: path, range: 0..<200_001)
                let error = try await transportError {
                    _ = try await client.collect(.plain(.put, port: server.port), body: beyond, upTo: 9)
                }
                #expect(error.code == .bodyFailed)
            }
        }
    }

    @Test(arguments: ["/does/not/exist", "/", "/dev/null"])
    func invalidFilesAreErrors(path: String) async throws {
        let client = HTTPClient(configuration: plain)
        let error = try await transportError {
            _ = try await client.collect(.plain(.put, port: 9), body: .file(path: path), upTo: 9)
        }
        #expect(error.code == .bodyFailed)
    }

    @Test(arguments: ScriptedVersion.allCases)
    func progressOfAnUpload(version: ScriptedVersion) async throws {
        let size = 1_000_000
        try await ScriptedServer.with(version: version) { _ in
            [.respond("done")]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let log = ProgressLog()
            let options = RequestOptions(onProgress: { log.add($0) })
            _ = try await client.collect(
                .plain(.post, port: server.port), body: .bytes(bytes(size)), upTo: 9, options: options)
            let sent = log.all.map(\.sent)
            #expect(sent == sent.sorted())
            #expect(sent.last == Int64(size))
            #expect(sent.count > 5)
            #expect(log.all.allSatisfy { $0.toSend == Int64(size) })
            #expect(log.all.last?.received == 4)
            #expect(log.all.last?.toReceive == 4)
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func progressOfADownload(version: ScriptedVersion) async throws {
        let size = 1_000_000
        try await ScriptedServer.with(version: version) { _ in
            [.respond(String(repeating: "x", count: size))]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let log = ProgressLog()
            let options = RequestOptions(onProgress: { log.add($0) })
            _ = try await client.collect(.plain(port: server.port), upTo: size, options: options)
            let received = log.all.map(\.received)
            #expect(received == received.sorted())
            #expect(received.last == Int64(size))
            #expect(log.all.allSatisfy { $0.toReceive == Int64(size) })
        }
    }

    /// If the reader does not read, the server must wait: at most the high-water mark is buffered.
    @Test(arguments: ScriptedVersion.allCases)
    func aSlowReaderStopsTheServer(version: ScriptedVersion) async throws {
        let size = 8 * 1024 * 1024
        let part = String(repeating: "x", count: 1024 * 1024)
        try await ScriptedServer.with(version: version) { _ in
            [.text("HTTP/1.1 200 OK\nContent-Length: \(size)\n\n")]
                + Array(repeating: ScriptedAction.text(part), count: size / part.utf8.count)
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let log = ProgressLog()
            let options = RequestOptions(onProgress: { log.add($0) })
            let count = try await client.execute(.plain(port: server.port), options: options) { _, body in
                var count = try await body.next()?.count ?? 0
                // Nothing reads now. When the number of sent bytes stops growing, it is the number of buffered bytes.
                var seen: Int64 = -1
                while seen != log.all.last?.received {
                    seen = log.all.last?.received ?? 0
                    try await Task.sleep(for: .milliseconds(30))  // reason: the kernel's buffers fill
                }
                // A stream's window is 1 MiB, in addition to the bytes that are buffered for the reader.
                #expect(seen < (version == .http1 ? 1 : 2) * 1024 * 1024)
                while let part = try await body.next() { count += part.count }
                return count
            }
            #expect(count == size)
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func trailersAreDelivered(version: ScriptedVersion) async throws {
        let response = "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nhi\n0\nX-Sum: 7\n\n"
        try await ScriptedServer.with(version: version) { _ in
            [.text(response)]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let answer = try await client.collect(.plain(port: server.port), upTo: 9)
            #expect(answer.trailers?.first?.value == "7")
            let streamed = try await client.execute(.plain(port: server.port)) { _, body in
                while try await body.next() != nil {}
                return body.trailers
            }
            #expect(streamed == answer.trailers)
        }
    }

    /// The connection serves the waiting request before the first caller has its response.
    @Test func trailersAreDeliveredWhileAnotherRequestWaits() async throws {
        let release = Trigger()
        try await ScriptedServer.with { request in
            let answer = "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n0\nX-Target: \(request.target)\n\n"
            return request.number == 0 ? [.wait(release), .text(answer)] : [.text(answer)]
        } _: { server in
            var configuration = plain
            configuration.maximumConnectionsPerHost = 1
            let client = HTTPClient(configuration: configuration)
            async let first = client.collect(.plain(port: server.port, path: "/first"), upTo: 9)
            await server.waitForRequests(1)
            async let second = client.collect(.plain(port: server.port, path: "/second"), upTo: 9)
            while client.waitingCount == 0 { await Task.yield() }
            release.fire()
            let trailers = try await [first.trailers, second.trailers].map { $0?.first?.value }
            #expect(trailers == ["/first", "/second"])
        }
    }
}
