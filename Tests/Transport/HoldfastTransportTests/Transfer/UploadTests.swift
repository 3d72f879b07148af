import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Synchronization
import Testing

/// Files that are sent in one request.
@Suite(.timeLimit(.minutes(1))) struct UploadTests {
    private static let payload = RangeServer.payload(300_000)

    @Test(arguments: Wire.allCases)
    func aFileIsSent(wire: Wire) async throws {
        let world = try PinnedWorld()
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", Self.payload)
            try await ScriptedServer.with(tls: wire.server(world), version: wire.version) { _ in
                [.respond("thanks")]
            } _: { server in
                let client = HTTPClient(configuration: wire.configuration(world))
                let progress = Mutex<[Int64]>([])
                var options = UploadOptions(digests: [.content, .representation])
                options.request.onProgress = { value in progress.withLock { $0.append(value.sent) } }
                let answer = try await client.upload(
                    wire.request(.put, port: server.port), from: path, options: options)
                #expect(answer.text == "thanks")
                let request = try #require(server.requests.first)
                #expect(request.body == Self.payload)
                #expect(request.field("repr-digest") == request.field("content-digest"))
                #expect(request.field("content-digest")?.hasPrefix("sha-256=:") == true)
                let sent = progress.withLock(\.self)
                #expect(sent == sent.sorted() && sent.contains(300_000))
            }
        }
    }

    /// The digest matches the one that other programs compute.
    @Test func theDigestIsCorrect() async throws {
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", Array("abc".utf8))
            try await ScriptedServer.with { _ in
                [.respond()]
            } _: { server in
                let client = HTTPClient(configuration: .forPlainServers)
                _ = try await client.upload(
                    .plain(.put, port: server.port), from: path, options: UploadOptions(digests: .representation))
                // FIPS 180-4's own example.
                #expect(
                    server.requests.first?.field("repr-digest")
                        == "sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:")
                #expect(server.requests.first?.field("content-digest") == nil)
            }
        }
    }

    /// If the file grows, shrinks or is written during the upload, the upload fails with that error.
    @Test(arguments: Wire.allCases, ["grows", "shrinks", "is written"])
    func aFileThatChanges(wire: Wire, how: String) async throws {
        let world = try PinnedWorld()
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", Array(repeating: 1, count: 3_000_000))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path)
            try await ScriptedServer.with(tls: wire.server(world), version: wire.version) { _ in
                [.respond()]
            } _: { server in
                let client = HTTPClient(configuration: wire.configuration(world))
                let isChanged = Mutex(false)
                var options = UploadOptions()
                options.request.onProgress = { progress in
                    // On the event loop, which reads the next part after this.
                    isChanged.withLock { isChanged in
                        guard !isChanged, progress.sent > 0, let file = FileHandle(forUpdatingAtPath: path) else {
                            return
                        }
                        isChanged = true
                        switch how {
                        case "grows":
                            _ = try? file.seekToEnd()
                            try? file.write(contentsOf: Data([1]))
                        case "shrinks": try? file.truncate(atOffset: 2_999_999)
                        default: try? file.write(contentsOf: Data([2]))
                        }
                        try? file.close()
                    }
                }
                let error = try await transferError { [options] in
                    _ = try await client.upload(wire.request(.put, port: server.port), from: path, options: options)
                }
                #expect(error.code == .fileChanged)
                // In HTTP/2, only the stream has ended. The connection would stay open for a further request.
                await client.shutdown()
                #expect(server.requests.isEmpty)
            }
        }
    }

    @Test func aMissingFile() async throws {
        let client = HTTPClient(configuration: .forPlainServers)
        let error = try await transportError {
            _ = try await client.upload(.plain(.put, port: 1), from: "/nowhere/at/all")
        }
        #expect(error.code == .bodyFailed && error.phase == .preparing)
    }

    /// A zero byte would end the path in the system call, which would open a different file.
    @Test func aPathWithAZeroByte() async throws {
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", [1])
            let client = HTTPClient(configuration: .forPlainServers)
            let error = try await transportError {
                _ = try await client.upload(.plain(.put, port: 1), from: path + "\0.txt")
            }
            #expect(error.code == .bodyFailed && error.phase == .preparing)
        }
    }

    /// The client does not replace a digest that the caller sets.
    @Test func aDigestOfTheCallers() async throws {
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", [1])
            let name = try #require(HTTPField.Name("Content-Digest"))
            let client = HTTPClient(configuration: .forPlainServers)
            let error = try await transferError {
                _ = try await client.upload(
                    .plain(.put, port: 1, [name: "x"]), from: path, options: UploadOptions(digests: .content))
            }
            #expect(error.code == .invalidRequest)
        }
    }

    /// Nothing is sent twice: a reset fails the upload at once, whatever the network options are.
    @Test(arguments: Wire.allCases)
    func aResetFailsAtOnce(wire: Wire) async throws {
        let world = try PinnedWorld()
        try await TransferFolder.with { folder in
            let path = try folder.write("up.bin", Self.payload)
            try await ScriptedServer.with(tls: wire.server(world), version: wire.version) { _ in
                [.respond()]
            } _: { server in
                let plan = FaultPlan(toServer: [InjectedFault(.reset, after: 100_000)])
                try await FaultProxy.with(to: server.port, plan: { _ in plan }) { proxy in
                    let client = HTTPClient(configuration: wire.configuration(world))
                    let error = try await transportError {
                        _ = try await client.upload(wire.request(.put, port: proxy.port), from: path)
                    }
                    #expect(error.code == .connectionClosed)
                    #expect(proxy.connectionCount == 1)
                }
            }
        }
    }
}
