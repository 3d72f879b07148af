import ChatCenterCore
import ChatWire
import Foundation
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import ChatCenter

/// `HTTPConfig` with real sockets: a server that accepts a request and never responds. In each test, one timeout is
/// short and its error must name it. A request with another timeout would hang until the suite's time limit.
@Suite(.timeLimit(.minutes(1))) struct FileTimeoutTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func with(
        _ http: HTTPConfig,
        _ body:
            @Sendable (HTTPClient, ServerAddresses, NetworkTimeouts, NetworkReporter) async throws
            -> Void
    ) async throws {
        try await ScriptedServer.with({ _ in [] }) { server in
            let base = "http://127.0.0.1:\(server.port)"
            let transport = try ChatTransportConfig(
                validating: base, webSocket: "ws://127.0.0.1:\(server.port)", dataStore: base + "/files")
            let endpoints = try #require(transport.endpoints)
            let log = ChatLog(
                ChatLoggerConfig(), defaultDirectory: URL(fileURLWithPath: "/nowhere"), timestamp: { "" },
                sink: { _ in })
            try await body(
                HTTPClient(configuration: TransportConfiguration(trust: .system(anchors: .only([])))),
                ServerAddresses(
                    endpoints: endpoints, dialect: .documented, newRoutesEnabled: true, dataStoreHeaders: [:]),
                NetworkTimeouts(ChatNetworkConfig(httpConfig: http)),
                NetworkReporter(sink: { _ in }, errors: ErrorTable(), log: log, now: { 0 }))
        }
    }

    private func kind<Value>(_ result: Result<Value, TransportFailure>) -> TransportFailure.Kind? {
        if case .failure(let failure) = result { failure.kind } else { nil }
    }

    private func upload(timeout: Int64 = 120_000) throws -> UploadPlan {
        let file = try folder.write("file", [1, 2, 3])
        return UploadPlan(
            file: LocalFile(path: file.path, name: "a.txt", type: "text/plain", size: 3), resume: nil,
            timeoutMilliseconds: timeout, credentials: WireCredentials(), clientID: "client", deviceAddress: nil)
    }

    @Test("seed 0.3: connectionTimeout ends a REST call, and no other timeout does")
    func connectionTimeout() async throws {
        try await with(HTTPConfig(connectionTimeout: 0.2, downloadTimeout: 600, uploadTimeout: 600)) {
            client, addresses, timeouts, reporter in
            let caller = RESTCaller(client: client, addresses: addresses, timeout: timeouts.rest, reporter: reporter)
            let call = RESTCall(.unread, credentials: WireCredentials(), clientID: "client", deviceAddress: nil)
            #expect(kind(await caller.run(call)) == .timedOut)
        }
    }

    @Test("seed 0.5: downloadTimeout ends a download")
    func downloadTimeout() async throws {
        let target = UserFolder(root: folder.url, providerUID: "p", appMarker: nil, clientID: "c")
        try FileManager.default.createDirectory(at: target.url, withIntermediateDirectories: true)
        try await with(HTTPConfig(connectionTimeout: 600, downloadTimeout: 0.2, uploadTimeout: 600)) {
            client, addresses, timeouts, reporter in
            let transfers = FileTransfers(
                client: client, foreignClient: client, addresses: addresses, timeouts: timeouts, reporter: reporter)
            let plan = DownloadPlan(
                reference: "id", credentials: WireCredentials(), clientID: "client", deviceAddress: nil)
            let result = await transfers.settle { try await $0.download(TransferID("t"), plan) { target } }
            #expect(kind(result) == .timedOut)
        }
        #expect(
            try folder.contents().allSatisfy { $0.path.split(separator: "/").last?.hasPrefix(".") == true },
            "only a partial file is left")
    }

    @Test("a download with one byte in each response fails, unless minimumDownloadProgress is 0")
    func minimumDownloadProgress() async throws {
        let size = 40
        for (minimum, requests) in [(HTTPConfig().minimumDownloadProgress, 17), (0, size)] {
            let target = UserFolder(root: folder.url, providerUID: "p", appMarker: nil, clientID: "c\(minimum)")
            try FileManager.default.createDirectory(at: target.url, withIntermediateDirectories: true)
            try await ScriptedServer.with { request in
                let start = request.field("Range").flatMap { Int($0.dropFirst(6).dropLast()) }
                guard let start else {
                    return [.text("HTTP/1.1 200 OK\nETag: \"1\"\nContent-Length: \(size)\n\na"), .cut]
                }
                let range = "Content-Range: bytes \(start)-\(start)/\(size)"
                return [.text("HTTP/1.1 206 P\nETag: \"1\"\n\(range)\nContent-Length: 1\n\nb")]
            } _: { server in
                let base = "http://127.0.0.1:\(server.port)"
                let transport = try ChatTransportConfig(
                    validating: base, webSocket: "ws://127.0.0.1:\(server.port)", dataStore: base + "/files")
                let log = ChatLog(
                    ChatLoggerConfig(), defaultDirectory: URL(fileURLWithPath: "/nowhere"), timestamp: { "" },
                    sink: { _ in })
                let client = HTTPClient(configuration: TransportConfiguration(trust: .system(anchors: .only([]))))
                let http = HTTPConfig(minimumDownloadProgress: minimum)
                let transfers = FileTransfers(
                    client: client, foreignClient: client,
                    addresses: ServerAddresses(
                        endpoints: try #require(transport.endpoints), dialect: .documented, newRoutesEnabled: true,
                        dataStoreHeaders: [:]),
                    timeouts: NetworkTimeouts(ChatNetworkConfig(httpConfig: http)),
                    reporter: NetworkReporter(sink: { _ in }, errors: ErrorTable(), log: log, now: { 0 }))
                let plan = DownloadPlan(
                    reference: "id", credentials: WireCredentials(), clientID: "client", deviceAddress: nil)
                let result = await transfers.settle { try await $0.download(TransferID("t"), plan) { target } }
                #expect((kind(result) == nil) == (minimum == 0))
                #expect(server.requests.count == requests)
            }
        }
    }

    @Test(
        "a download that is too slow fails, unencrypted and encrypted",
        arguments: [nil, ChatStorageKey.random()])
    func slowBody(key: ChatStorageKey?) async throws {
        let target = UserFolder(root: folder.url, providerUID: "p", appMarker: nil, clientID: "c", key: key)
        try FileManager.default.createDirectory(at: target.files, withIntermediateDirectories: true)
        try await ScriptedServer.with { _ in
            [.text("HTTP/1.1 200 OK\nETag: \"1\"\nContent-Length: 40\n\na")]
        } _: { server in
            let base = "http://127.0.0.1:\(server.port)"
            let transport = try ChatTransportConfig(
                validating: base, webSocket: "ws://127.0.0.1:\(server.port)", dataStore: base + "/files")
            let log = ChatLog(
                ChatLoggerConfig(), defaultDirectory: URL(fileURLWithPath: "/nowhere"), timestamp: { "" },
                sink: { _ in })
            let client = HTTPClient(configuration: TransportConfiguration(trust: .system(anchors: .only([]))))
            var timeouts = NetworkTimeouts(ChatNetworkConfig(httpConfig: HTTPConfig(downloadTimeout: 600)))
            timeouts.downloadProgress = MinimumProgress(bytes: 2, interval: .nanoseconds(1))
            let transfers = FileTransfers(
                client: client, foreignClient: client,
                addresses: ServerAddresses(
                    endpoints: try #require(transport.endpoints), dialect: .documented, newRoutesEnabled: true,
                    dataStoreHeaders: [:]),
                timeouts: timeouts,
                reporter: NetworkReporter(sink: { _ in }, errors: ErrorTable(), log: log, now: { 0 }))
            let plan = DownloadPlan(
                reference: "id", credentials: WireCredentials(), clientID: "client", deviceAddress: nil)
            let result = await transfers.settle { try await $0.download(TransferID("t"), plan) { target } }
            #expect(kind(result) != nil && kind(result) != .timedOut)
        }
    }

    @Test("seed 0.6: uploadTimeout ends an upload")
    func uploadTimeout() async throws {
        let plan = try upload()
        try await with(HTTPConfig(connectionTimeout: 600, downloadTimeout: 600, uploadTimeout: 0.2)) {
            client, addresses, timeouts, reporter in
            let transfers = FileTransfers(
                client: client, foreignClient: client, addresses: addresses, timeouts: timeouts, reporter: reporter)
            #expect(kind(await transfers.settle { try await $0.upload(TransferID("t"), plan, keys: nil) }) == .timedOut)
        }
    }

    @Test("seed 0.6: the remaining uploadTimeout ends an upload whose idle timeout is longer")
    func remainingUploadTimeout() async throws {
        let plan = try upload(timeout: 200)
        try await with(HTTPConfig(uploadTimeout: 600)) {
            client, addresses, timeouts, reporter in
            let transfers = FileTransfers(
                client: client, foreignClient: client, addresses: addresses, timeouts: timeouts, reporter: reporter)
            #expect(kind(await transfers.settle { try await $0.upload(TransferID("t"), plan, keys: nil) }) == .timedOut)
        }
    }
}
