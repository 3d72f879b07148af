import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import NIOCore
import Synchronization
import Testing

/// A connection with an unsent part of a body carries no other request, and bytes that TLS still buffers do not count
/// as sent.
@Suite(.timeLimit(.minutes(1))) struct UnsentBodyTests {
    /// More than the socket buffers of both sides hold.
    private static let size = 16 << 20

    enum Kind: CaseIterable {
        case bytes, file, stream, chunks
    }

    private static func body(_ kind: Kind, _ path: String) -> HTTPBody {
        let bytes = [UInt8](repeating: 65, count: size)
        switch kind {
        case .bytes: return .bytes(bytes)
        case .file: return .file(path: path)
        case .stream: return .stream(length: Int64(size)) { try await $0.write(bytes) }
        case .chunks: return .stream(length: nil) { try await $0.write(bytes) }
        }
    }

    /// The server refuses the body, stops reading, and wants to keep the connection. The rest of the body must not
    /// precede the next request.
    @Test(arguments: Kind.allCases, [true, false])
    func anEarlyResponseEndsTheConnection(kind: Kind, isSecure: Bool) async throws {
        let world = try PinnedWorld()
        let path = NSTemporaryDirectory() + "holdfast-\(UUID())"
        if kind == .file { try Data(count: Self.size).write(to: URL(fileURLWithPath: path)) }
        defer { try? FileManager.default.removeItem(atPath: path) }
        var settings = ScriptedServer.Settings(tls: isSecure ? ServerTLS(world.leaf) : nil)
        settings.onHead = {
            $0.method == "POST" ? [.stopReading, .respond("no", status: "413 Content Too Large")] : []
        }
        settings.onRequest = { _ in [.respond("second")] }
        let most = Mutex<Int64>(0)
        try await ScriptedServer.with(settings) { server in
            let client = HTTPClient(configuration: isSecure ? world.configuration() : .forPlainServers)
            let request = { (method: HTTPRequest.Method) in
                isSecure ? HTTPRequest(method, port: server.port) : .plain(method, port: server.port)
            }
            let options = RequestOptions(onProgress: { progress in most.withLock { $0 = max($0, progress.sent) } })
            let first = try await client.collect(
                request(.post), body: Self.body(kind, path), upTo: 9, options: options)
            #expect(first.response.status.code == 413)
            let second = try await client.collect(request(.get), upTo: 9)
            #expect(second.text == "second")
            #expect(server.requests.map(\.connection) == [1])
            #expect(most.withLock { $0 } < Int64(Self.size))
        }
    }

    /// Progress reports the sent bytes part by part, also over TLS. Each part restarts the idle timeout.
    @Test(arguments: [Kind.bytes, .stream])
    func progressOverTLSGrows(kind: Kind) async throws {
        let world = try PinnedWorld()
        let sent = Mutex<[Int64]>([])
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond()]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            let options = RequestOptions(onProgress: { progress in sent.withLock { $0.append(progress.sent) } })
            for _ in 0..<2 {
                _ = try await client.collect(
                    HTTPRequest(.post, port: server.port), body: Self.body(kind, ""), upTo: 9, options: options)
            }
            #expect(server.requests.allSatisfy { $0.body.count == Self.size })
            // The response can arrive before the stream's writer has ended. Until then the connection is in use.
            #expect(server.connectionCount <= (kind == .stream ? 2 : 1))
        }
        let values = sent.withLock { $0 }
        #expect(values.count > 2 * 5)
        #expect(values.filter { $0 == Int64(Self.size) }.count == 2)
    }

    /// A part of any size is sent in smaller parts, so that the event loop can run other work. Each is a chunk in
    /// chunked coding.
    @Test(arguments: [nil, 150_000])
    func aLargePartIsSplit(length: Int64?) async throws {
        let world = VirtualWorld()
        let client = world.client()
        let body = HTTPBody.stream(length: length) { try await $0.write([UInt8](repeating: 65, count: 150_000)) }
        async let answer = client.collect(.plain(.put, port: 1), body: body, upTo: 9)
        try await world.request()
        for size in [65_536, 65_536, 18_928] {
            let part = try await world.request()
            let head = length == nil ? String(size, radix: 16) + "\r\n" : ""
            #expect(part.hasPrefix(head + "A"))
            #expect(part.utf8.filter { $0 == 65 }.count == size)
        }
        if length == nil { #expect(try await world.request() == "0\r\n\r\n") }
        try await world.respond("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        #expect(try await answer.text == "x")
        #expect(client.live.count == 1)
    }
}
