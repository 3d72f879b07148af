import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Synchronization
import Testing

/// Uploads over several connections, to the server of swift-nio-extras.
@Suite(.timeLimit(.minutes(1))) struct ResumableUploadTests {
    private static let payload = RangeServer.payload(500_000)

    /// Records the events of the upload.
    private final class Tokens: Sendable {
        private let values = Mutex<[ResumeToken]>([])
        /// Fires when there is a token.
        let told = Trigger()
        var all: [ResumeToken] { values.withLock(\.self) }
        func add(_ token: ResumeToken) {
            values.withLock { $0.append(token) }
            told.fire()
        }

        /// Returns a plan that cuts the connection after this number of request bytes, but not before the client knows
        /// the upload's URL. Otherwise the two events would race.
        func cut(after offset: Int, _ kind: InjectedFault.Kind = .close) -> FaultPlan {
            FaultPlan(toServer: [InjectedFault(.hold(told), after: offset), InjectedFault(kind, after: offset)])
        }
    }

    private static func options(
        attempts: Int = 4, _ tokens: Tokens? = nil, _ change: (inout ResumableUploadOptions) -> Void = { _ in }
    ) -> ResumableUploadOptions {
        var options = ResumableUploadOptions(retry: TransferRetry(attempts: attempts, firstDelay: .zero))
        options.onToken = { tokens?.add($0) }
        change(&options)
        return options
    }

    @Test(arguments: UploadInteropVersion.allCases)
    func anUploadWithoutLoss(version: UploadInteropVersion) async throws {
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", Self.payload)
            try await ResumableServer.with { server in
                let client = HTTPClient(configuration: .forPlainServers)
                let tokens = Tokens()
                let progress = Mutex<[TransferProgress]>([])
                let result = try await client.uploadResumably(
                    .plain(.post, port: server.port, path: "/files", [.authorization: "secret"]), from: path,
                    options: Self.options(tokens) {
                        $0.version = version
                        $0.announcesDigest = true
                        $0.onProgress = { value in progress.withLock { $0.append(value) } }
                    })
                #expect(result.answer?.text == "500000" && result.wasResumable && result.attempts == 1)
                let upload = try #require(server.uploads.last)
                #expect(upload.body == Self.payload && upload.path == "/files")
                let name = try #require(HTTPField.Name("Repr-Digest"))
                #expect(upload.fields[name]?.hasPrefix("sha-256=:") == true)
                #expect(progress.withLock(\.last) == TransferProgress(sent: 500_000, toSend: 500_000))
                #expect(tokens.all.count == 1)
            }
        }
    }

    /// The connection is cut during the upload: the server receives every byte once.
    @Test(arguments: [200, 700, 40_000, 300_000, 500_050], UploadInteropVersion.allCases)
    func aLostConnection(offset: Int, version: UploadInteropVersion) async throws {
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", Self.payload)
            try await ResumableServer.with { server in
                let tokens = Tokens()
                try await FaultProxy.with(
                    to: server.port, plan: { $0 == 0 ? tokens.cut(after: offset) : .none }
                ) { proxy in
                    let client = HTTPClient(configuration: .forPlainServers)
                    let result = try await client.uploadResumably(
                        .plain(.post, port: proxy.port), from: path,
                        options: Self.options(tokens) {
                            $0.version = version
                            $0.fallback = .plain
                        })
                    #expect(server.uploads.map(\.body) == [Self.payload])
                    #expect(server.uploads.map(\.isComplete) == [true])
                    #expect(result.attempts == 2 && result.answer?.text == "500000")
                }
            }
        }
    }

    /// The same over TLS and HTTP/2, with a pinned root. The offsets are after the handshake.
    @Test(arguments: Wire.allCases, [20_000, 300_000])
    func aLostConnectionOnEveryWire(wire: Wire, offset: Int) async throws {
        let world = try PinnedWorld()
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", Self.payload)
            try await ResumableServer.with(wire, world) { server in
                let tokens = Tokens()
                try await FaultProxy.with(
                    to: server.port, plan: { $0 == 0 ? tokens.cut(after: offset, .reset) : .none }
                ) { proxy in
                    let client = HTTPClient(configuration: wire.configuration(world))
                    let result = try await client.uploadResumably(
                        wire.request(.post, port: proxy.port), from: path,
                        options: Self.options(tokens) { $0.fallback = .plain })
                    #expect(server.uploads.map(\.body) == [Self.payload])
                    #expect(result.attempts == 2 && result.answer?.text == "500000")
                    #expect(proxy.connectionCount == 2)
                    await client.shutdown()
                }
            }
        }
    }

    /// The response is lost. This server forgets a finished upload, so it cannot report that it has all bytes.
    @Test func aLostResponse() async throws {
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", Self.payload)
            try await ResumableServer.with { server in
                let plan = FaultPlan(toClient: [InjectedFault(.close, after: 200)])
                try await FaultProxy.with(to: server.port, plan: { $0 == 0 ? plan : .none }) { proxy in
                    let client = HTTPClient(configuration: .forPlainServers)
                    let error = try await transferError {
                        _ = try await client.uploadResumably(
                            .plain(.post, port: proxy.port), from: path,
                            options: Self.options { $0.fallback = .plain })
                    }
                    #expect(error.code == .uploadGone)
                    #expect(server.uploads.map(\.body) == [Self.payload])
                }
            }
        }
    }

    /// Each connection transfers some bytes and closes. Progress resets the number of attempts.
    @Test func manyLostConnections() async throws {
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", Self.payload)
            try await ResumableServer.with { server in
                let tokens = Tokens()
                try await FaultProxy.with(to: server.port, plan: { _ in tokens.cut(after: 100_000, .reset) }) { proxy in
                    let client = HTTPClient(configuration: .forPlainServers)
                    let result = try await client.uploadResumably(
                        .plain(.post, port: proxy.port), from: path,
                        options: Self.options(attempts: 2, tokens) { $0.fallback = .plain })
                    #expect(server.uploads.map(\.body) == [Self.payload])
                    #expect(result.attempts > 5)
                    let offsets = tokens.all.map(\.acknowledged)
                    #expect(offsets == offsets.sorted() && Set(offsets).count == offsets.count)
                }
            }
        }
    }

    /// A new client resumes with only the token's bytes, as a new process would.
    @Test func aRestart() async throws {
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", Self.payload)
            try await ResumableServer.with { server in
                let tokens = Tokens()
                let plan = tokens.cut(after: 200_000)
                try await FaultProxy.with(to: server.port, plan: { $0 == 0 ? plan : .none }) { proxy in
                    let request = HTTPRequest.plain(.post, port: proxy.port)
                    let first = HTTPClient(configuration: .forPlainServers)
                    let error = try await transportError {
                        _ = try await first.uploadResumably(
                            request, from: path, options: Self.options(attempts: 0, tokens) { $0.fallback = .plain })
                    }
                    #expect(error.code == .connectionClosed)
                    await first.shutdown()
                    let archive = try JSONEncoder().encode(try #require(tokens.all.last))
                    let token = try JSONDecoder().decode(ResumeToken.self, from: archive)
                    #expect(token.size == 500_000 && !token.description.contains("/"))
                    let second = HTTPClient(configuration: .forPlainServers)
                    let result = try await second.uploadResumably(
                        request, from: path, resuming: token, options: Self.options())
                    #expect(result.answer?.text == "500000")
                    #expect(server.uploads.map(\.body) == [Self.payload])
                }
            }
        }
    }

    /// The file is sent in parts, as the caller or the server requires.
    @Test(arguments: UploadInteropVersion.allCases)
    func parts(version: UploadInteropVersion) async throws {
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", Self.payload)
            try await ResumableServer.with { server in
                let client = HTTPClient(configuration: .forPlainServers)
                let tokens = Tokens()
                let result = try await client.uploadResumably(
                    .plain(.post, port: server.port), from: path,
                    options: Self.options(tokens) {
                        $0.version = version
                        $0.partSize = 120_000
                    })
                #expect(server.uploads.last?.body == Self.payload)
                #expect(result.answer?.text == "500000")
                #expect(tokens.all.map(\.acknowledged) == [0, 120_000, 240_000, 360_000, 480_000])
            }
        }
    }

    @Test(arguments: [0, 1]) func smallFiles(size: Int) async throws {
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", Array(repeating: 7, count: size))
            try await ResumableServer.with { server in
                let client = HTTPClient(configuration: .forPlainServers)
                let result = try await client.uploadResumably(
                    .plain(.post, port: server.port), from: path, options: Self.options())
                #expect(result.answer?.text == "\(size)")
                #expect(server.uploads.last?.isComplete == true)
            }
        }
    }

    /// A cancelled upload no longer exists: resuming it fails with that error.
    @Test func cancelling() async throws {
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", Self.payload)
            try await ResumableServer.with { server in
                let tokens = Tokens()
                let plan = tokens.cut(after: 200_000)
                try await FaultProxy.with(to: server.port, plan: { $0 == 0 ? plan : .none }) { proxy in
                    let request = HTTPRequest.plain(.post, port: proxy.port)
                    let client = HTTPClient(configuration: .forPlainServers)
                    _ = try await transportError {
                        _ = try await client.uploadResumably(
                            request, from: path, options: Self.options(attempts: 0, tokens) { $0.fallback = .plain })
                    }
                    let token = try #require(tokens.all.last)
                    for other in [HTTPRequest.plain(.put, port: proxy.port), .plain(.post, port: server.port)] {
                        let error = try await transferError { try await client.cancelUpload(token, of: other) }
                        #expect(error.code == .tokenRefused)
                    }
                    try await client.cancelUpload(token, of: request)
                    try await client.cancelUpload(token, of: request)
                    let error = try await transferError {
                        _ = try await client.uploadResumably(
                            request, from: path, resuming: token, options: Self.options())
                    }
                    #expect(error.code == .uploadGone)
                }
            }
        }
    }

    /// A token belongs to its file and to its request.
    @Test func anotherFileOrRequest() async throws {
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", Self.payload)
            try await ResumableServer.with { server in
                let tokens = Tokens()
                let plan = tokens.cut(after: 200_000)
                try await FaultProxy.with(to: server.port, plan: { $0 == 0 ? plan : .none }) { proxy in
                    let request = HTTPRequest.plain(.post, port: proxy.port)
                    let client = HTTPClient(configuration: .forPlainServers)
                    _ = try await transportError {
                        _ = try await client.uploadResumably(
                            request, from: path, options: Self.options(attempts: 0, tokens) { $0.fallback = .plain })
                    }
                    let token = try #require(tokens.all.last)
                    for other in [
                        HTTPRequest.plain(.put, port: proxy.port), .plain(.post, port: proxy.port, path: "/other"),
                        .plain(.post, port: server.port),
                    ] {
                        let error = try await transferError {
                            _ = try await client.uploadResumably(other, from: path, resuming: token)
                        }
                        #expect(error.code == .tokenRefused)
                    }
                    // The same size and date, but different bytes.
                    let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
                    var changed = Self.payload
                    changed[300_000] ^= 1
                    try folder.write("up.bin", changed)
                    try FileManager.default.setAttributes([.modificationDate: try #require(date)], ofItemAtPath: path)
                    let error = try await transferError {
                        _ = try await client.uploadResumably(request, from: path, resuming: token)
                    }
                    #expect(error.code == .fileChanged)
                }
            }
        }
    }
}
