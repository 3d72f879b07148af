import ChatCenterCore
import ChatDevServer
import ChatWire
import Foundation
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import ChatCenter

/// Interrupted uploads of a message's file.
@Suite(.timeLimit(.minutes(1))) struct ResumedUploadTests {
    static let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The events of one upload.
    private struct Told: Sendable {
        let progress = Noted<Int64>()
        let tokens = Noted<UploadCheckpoint>()
    }

    private func transfers(port: UInt16, _ told: Told) throws -> FileTransfers {
        let base = "http://127.0.0.1:\(port)"
        let transport = try ChatTransportConfig(
            validating: base, webSocket: "ws://127.0.0.1:\(port)", dataStore: base + "/files")
        let client = HTTPClient(configuration: TransportConfiguration(trust: .system(anchors: .only([]))))
        let log = ChatLog(
            ChatLoggerConfig(), defaultDirectory: URL(fileURLWithPath: "/nowhere"), timestamp: { "" }, sink: { _ in })
        let sink: @Sendable (NetworkEvent) -> Void = { event in
            switch event {
            case .progress(_, let count, _): told.progress.append(count)
            case .checkpoint(_, let token): told.tokens.append(token)
            default: Issue.record("\(event)")
            }
        }
        return FileTransfers(
            client: client, foreignClient: client,
            addresses: ServerAddresses(
                endpoints: try #require(transport.endpoints), dialect: .documented, newRoutesEnabled: true,
                dataStoreHeaders: [:]),
            timeouts: NetworkTimeouts(ChatNetworkConfig()),
            reporter: NetworkReporter(sink: sink, errors: ErrorTable(), log: log, now: { 0 }))
    }

    private func plan(_ bytes: [UInt8] = bytes, resume: String? = nil) throws -> UploadPlan {
        let source = try folder.write("source", bytes)
        return UploadPlan(
            file: LocalFile(path: source.path, name: "Größe.bin", type: "image/png", size: Int64(bytes.count)),
            resume: resume.map(UploadCheckpoint.init), timeoutMilliseconds: 120_000,
            credentials: WireCredentials(), clientID: "client", deviceAddress: nil)
    }

    private func withServer(
        cuttingAfter offset: Int? = nil, _ body: @Sendable (UInt16) async throws -> Void
    ) async throws {
        var configuration = ChatDevServerConfiguration()
        configuration.configurationPatch = #"{"attachmentSettings":{"content":{"content":{"fileExtensions":[]}}}}"#
        try await ChatDevServer.with(configuration) { server in
            let port = try #require(UInt16(exactly: try await server.started().port))
            guard let offset else { return try await body(port) }
            try await FaultProxy.with(
                to: port, plan: { $0 == 0 ? FaultPlan(toServer: [InjectedFault(.close, after: offset)]) : .none }
            ) { try await body($0.port) }
        }
    }

    /// Returns the file that the server has stored under this reference.
    private func stored(_ file: RemoteFile, port: UInt16) async throws -> [UInt8] {
        let told = Told()
        let target = UserFolder(root: folder.url, providerUID: "p", appMarker: nil, clientID: "c", key: nil)
        try target.prepare()
        let plan = DownloadPlan(
            reference: file.reference, credentials: WireCredentials(), clientID: "client", deviceAddress: nil)
        let copy = try await transfers(port: port, told).download(TransferID("d"), plan, into: { target })
        return Array(try Data(contentsOf: URL(fileURLWithPath: copy.reference)))
    }

    @Test("a lost connection loses only the part in progress")
    func cut() async throws {
        try await withServer(cuttingAfter: 1_800_000) { port in
            let told = Told()
            let file = try await transfers(port: port, told).upload(TransferID("t"), try plan(), keys: nil)
            #expect(file.name == "Größe.bin")
            #expect(file.size == Int64(Self.bytes.count))
            #expect(try await stored(file, port: port) == Self.bytes)
            #expect(told.progress.values.last == Int64(Self.bytes.count))
            #expect(told.progress.values == told.progress.values.sorted())
            #expect(told.tokens.values.count > 1)
        }
    }

    @Test("the next process continues the upload")
    func nextProcess() async throws {
        try await withServer { port in
            let first = Told()
            let transfers = try transfers(port: port, first)
            let plan = try plan()
            let upload = Task { try await transfers.upload(TransferID("t"), plan, keys: nil) }
            while first.tokens.values.isEmpty { await Task.yield() }
            upload.cancel()
            _ = await upload.result
            let token = try #require(first.tokens.values.first)

            let second = Told()
            var again = plan
            again.resume = token
            let file = try await self.transfers(port: port, second).upload(TransferID("t"), again, keys: nil)
            #expect(try #require(second.progress.values.first) > 1 << 20, "the first part is not sent again")
            #expect(try await stored(file, port: port) == Self.bytes)
        }
    }

    @Test("an upload with an unusable stored token starts again", arguments: ["", "{}", "other file"])
    func uselessToken(kind: String) async throws {
        try await withServer { port in
            var text = kind
            if kind == "other file" {
                let told = Told()
                _ = try await transfers(port: port, told).upload(
                    TransferID("t"), try plan([UInt8](repeating: 1, count: 2_000_000)), keys: nil)
                text = try #require(told.tokens.values.last).text
            }
            let file = try await transfers(port: port, Told()).upload(
                TransferID("t"), try plan(resume: text), keys: nil)
            #expect(try await stored(file, port: port) == Self.bytes)
        }
    }

    /// Tests a server that supports only the documented upload. The SDK asks it once whether it supports parts.
    @Test("a server without support for parts receives the documented form, and is not asked again")
    func plain() async throws {
        try await ScriptedServer.with { request in
            if request.method == "OPTIONS" { return [.respond(status: "405 Method Not Allowed")] }
            return [.respond(#"{"result":"f-1"}"#)]
        } _: { server in
            let transfers = try transfers(port: server.port, Told())
            for _ in 0..<2 {
                let file = try await transfers.upload(TransferID("t"), try plan(), keys: nil)
                #expect(file.reference == "f-1")
            }
            #expect(server.requests.map(\.method) == ["OPTIONS", "PUT", "PUT"])
            #expect(server.requests.last?.field("content-type")?.hasPrefix("multipart/form-data") == true)
        }
    }

    @Test("a small file and an encrypted one are sent in one request")
    func atOnce() async throws {
        try await ScriptedServer.with { _ in
            [.respond(#"{"result":"f-1"}"#)]
        } _: { server in
            let transfers = try transfers(port: server.port, Told())
            _ = try await transfers.upload(TransferID("t"), try plan([1, 2, 3]), keys: nil)
            #expect(server.requests.map(\.method) == ["PUT"])
        }
    }

    @Test("a refusal is reported, and does not disable parts", arguments: [401, 503])
    func refused(status: Int) async throws {
        try await ScriptedServer.with { request in
            [.respond(#"{"error":"NO","errorDetails":"no"}"#, status: "\(status) No")]
        } _: { server in
            let transfers = try transfers(port: server.port, Told())
            for _ in 0..<2 {
                let error = await #expect(throws: ChatServerError.self) {
                    try await transfers.upload(TransferID("t"), try plan(), keys: nil)
                }
                #expect(error?.status == status)
            }
            #expect(server.requests.map(\.method) == ["OPTIONS", "PUT", "OPTIONS", "PUT"])
        }
    }
}
