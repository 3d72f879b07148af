import ChatCenterCore
import ChatWire
import Foundation
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import ChatCenter

/// Interrupted downloads of a message's file.
@Suite(.timeLimit(.minutes(1))) struct ResumedDownloadTests {
    static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Sends half of the file and cuts the connection the first time; sends the rest to a request for it.
    private static func answer(_ request: ScriptedRequest) -> [ScriptedAction] {
        guard let range = request.field("range") else {
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\nETag: \"v1\"\r\n\r\n"
            return [.send(Array(head.utf8) + bytes.prefix(bytes.count / 2)), .close]
        }
        let start = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
        let head =
            "HTTP/1.1 206 Partial Content\r\nContent-Length: \(bytes.count - start)\r\nETag: \"v1\"\r\n"
            + "Content-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)\r\n\r\n"
        return [.send(Array(head.utf8) + bytes[start...])]
    }

    private func download(
        _ onRequest: @escaping @Sendable (ScriptedRequest) -> [ScriptedAction], key: ChatStorageKey? = nil,
        leaves: Bool = false,
        _ look: @Sendable (Result<RemoteFile, TransportFailure>, ScriptedServer, [Int64]) throws -> Void
    ) async throws {
        let target = UserFolder(root: folder.url, providerUID: "p", appMarker: nil, clientID: "c", key: key)
        try FileManager.default.createDirectory(at: target.url, withIntermediateDirectories: true)
        let asked = Noted<Void>()
        try await ScriptedServer.with(onRequest) { server in
            let base = "http://127.0.0.1:\(server.port)"
            let transport = try ChatTransportConfig(
                validating: base, webSocket: "ws://127.0.0.1:\(server.port)", dataStore: base + "/files")
            let client = HTTPClient(configuration: TransportConfiguration(trust: .system(anchors: .only([]))))
            let log = ChatLog(
                ChatLoggerConfig(), defaultDirectory: URL(fileURLWithPath: "/nowhere"), timestamp: { "" },
                sink: { _ in })
            let progress = Noted<Int64>()
            let sink: @Sendable (NetworkEvent) -> Void = { event in
                if case .progress(_, let count, _) = event { progress.append(count) }
            }
            let transfers = FileTransfers(
                client: client, foreignClient: client,
                addresses: ServerAddresses(
                    endpoints: try #require(transport.endpoints), dialect: .documented, newRoutesEnabled: true,
                    dataStoreHeaders: [:]),
                timeouts: NetworkTimeouts(ChatNetworkConfig()),
                reporter: NetworkReporter(sink: sink, errors: ErrorTable(), log: log, now: { 0 }))
            let plan = DownloadPlan(
                reference: "id", credentials: WireCredentials(), clientID: "client", deviceAddress: nil)
            let result = await transfers.settle {
                try await $0.download(TransferID("t"), plan) {
                    asked.append(())
                    return leaves && asked.values.count > 1 ? nil : target
                }
            }
            try look(result, server, progress.values)
        }
    }

    @Test("after a lost connection the rest is requested")
    func resumed() async throws {
        try await download(Self.answer) { result, server, progress in
            let file = try result.get()
            #expect(file.size == Int64(Self.bytes.count))
            #expect(try Data(contentsOf: URL(fileURLWithPath: file.reference)) == Data(Self.bytes))
            #expect(server.requests.count == 2)
            #expect(server.requests.last?.field("range") != nil)
            #expect(progress.last == Int64(Self.bytes.count))
            #expect(progress == progress.sorted())
        }
    }

    @Test("the server's response for a missing file is reported as its refusal")
    func refused() async throws {
        let body = #"{"error":"file.not-found","errorDetails":"gone"}"#
        try await download({ _ in
            [.send(Array("HTTP/1.1 404 Not Found\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
        }) { result, _, _ in
            guard case .failure(let failure) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(failure.kind == .other || failure.kind == .refused)
            #expect(failure.status == 404)
            #expect(failure.refusal?.code == "file.not-found")
        }
        #expect(try folder.contents().isEmpty, "no partial file is left")
    }

    @Test(
        "no byte of a file remains if its user logs out meanwhile", arguments: [false, true], [false, true])
    func userLeaves(isWhole: Bool, isSealed: Bool) async throws {
        let length = Self.bytes.count
        try await download(
            { _ in
                let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\nETag: \"v1\"\r\n\r\n".utf8)
                return isWhole
                    ? [.send(head + Self.bytes)] : [.send(head + Self.bytes.prefix(length / 2)), .close]
            }, key: isSealed ? .random() : nil, leaves: true
        ) { result, _, _ in
            #expect(throws: TransportFailure.self) { try result.get() }
        }
        #expect(try folder.contents().map(\.path) == [])
    }

    @Test("a file that is announced as too large is not downloaded", arguments: [false, true])
    func tooLarge(isSealed: Bool) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(FileTransfers.downloadLimit + 1)\r\n\r\n"
        try await download({ _ in [.send(Array(head.utf8))] }, key: isSealed ? .random() : nil) { result, _, _ in
            guard case .failure(let failure) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(failure.kind == .file)
        }
        #expect(try folder.contents().isEmpty)
    }

    @Test("an erased folder is not created again for a file")
    func erased() throws {
        let target = UserFolder(root: folder.url, providerUID: "p", appMarker: nil, clientID: "c")
        #expect(throws: (any Error).self) { try target.prepareFiles() }
        try target.prepare()
        try target.prepareFiles()
        try target.prepareFiles()
        target.discardLateFile(target.files.appendingPathComponent("copy"))
        #expect(!FileManager.default.fileExists(atPath: target.files.path))
    }

    @Test("an encrypted folder contains no cleartext, and an interrupted download leaves no file")
    func sealed() async throws {
        let key = ChatStorageKey.random()
        try await download(Self.answer, key: key) { result, _, _ in
            #expect(throws: TransportFailure.self) { try result.get() }
        }
        #expect(try folder.contents().isEmpty)
        try await download(
            { _ in
                [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(Self.bytes.count)\r\n\r\n".utf8) + Self.bytes)]
            }, key: key
        ) { result, _, _ in
            let file = try result.get()
            #expect(file.size == Int64(Self.bytes.count))
        }
        // A repeated download does not create a second copy.
        try await download(
            { _ in
                [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(Self.bytes.count)\r\n\r\n".utf8) + Self.bytes)]
            }, key: key
        ) { result, _, _ in
            let copy = URL(fileURLWithPath: try result.get().reference)
            let target = UserFolder(root: folder.url, providerUID: "p", appMarker: nil, clientID: "c", key: key)
            var reader = try SealedFileReader(copy, keys: target.keys)
            #expect(try reader.next() == Array(Self.bytes.prefix(SealedFile.pieceLength)))
        }
        let contents = try folder.contents()
        #expect(contents.count == 1)
        #expect(contents.allSatisfy { $0.bytes.range(of: Data(Self.bytes.prefix(64))) == nil })
    }
}
