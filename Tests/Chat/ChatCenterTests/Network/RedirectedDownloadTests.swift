import ChatCenterCore
import ChatWire
import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import ChatCenter

/// A file store that redirects a download.
@Suite(.timeLimit(.minutes(1))) struct RedirectedDownloadTests {
    static let storeHost = "files.chat.example"
    static let foreignHost = "cdn.elsewhere.example"
    static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    /// Every header that the chat sends to its file store.
    static let secrets = ["authorization", "x-auth-schema", "x-client-id", "x-device-address", "cookie", "x-api-key"]
    let folder: TemporaryFolder
    let root: Identity
    let store: Identity
    let foreign: Identity

    init() throws {
        let factory = CertificateFactory()
        folder = try TemporaryFolder()
        root = try factory.authority("Root")
        store = try factory.leaf([Self.storeHost], signedBy: root)
        foreign = try factory.leaf([Self.foreignHost], signedBy: root)
    }

    /// The forms of the chat's headers. Together, the variants send every header.
    enum Variant: CaseIterable {
        case headers, cookies, device

        var credentials: WireCredentials {
            let method = self == .cookies ? WireCredentials.Method.cookies : .headers
            return WireCredentials(token: "Bearer s3cret", scheme: "s3cret-jwt", method: method)
        }

        var device: String? { self == .device ? "s3cret-device" : nil }

        var sent: Set<String> {
            switch self {
            case .headers: ["authorization", "x-auth-schema", "x-client-id", "x-api-key"]
            case .cookies: ["cookie", "x-client-id", "x-api-key"]
            case .device: ["authorization", "x-auth-schema", "x-device-address", "x-api-key"]
            }
        }
    }

    private func serve<R: Sendable>(
        _ identity: Identity, _ onRequest: @escaping @Sendable (ScriptedRequest) -> [ScriptedAction],
        _ body: @Sendable (ScriptedServer) async throws -> R
    ) async throws -> R {
        var settings = ScriptedServer.Settings(tls: ServerTLS(identity))
        settings.onRequest = onRequest
        return try await ScriptedServer.with(settings, body)
    }

    /// Downloads the file `id` from the store in the way of the SDK's network.
    private func download(
        from store: ScriptedServer, _ variant: Variant = .headers, reference: String = "id",
        key: ChatStorageKey? = nil, foreignTrust: TrustContext? = nil
    ) async throws -> Result<RemoteFile, TransportFailure> {
        let target = UserFolder(root: folder.url, providerUID: "p", appMarker: nil, clientID: "c", key: key)
        try FileManager.default.createDirectory(at: target.url, withIntermediateDirectories: true)
        let base = "https://\(Self.storeHost):\(store.port)"
        let transport = try ChatTransportConfig(
            validating: base, webSocket: "wss://\(Self.storeHost):\(store.port)", dataStore: base + "/files")
        func client(_ trust: TrustContext) -> HTTPClient {
            var configuration = TransportConfiguration(
                trust: trust, clock: .fixed(CertificateFactory.referenceTime),
                hostOverrides: [Self.storeHost: "127.0.0.1", Self.foreignHost: "127.0.0.1"])
            configuration.refusesLocalAddresses = true
            return HTTPClient(configuration: configuration)
        }
        let log = ChatLog(
            ChatLoggerConfig(), defaultDirectory: URL(fileURLWithPath: "/nowhere"), timestamp: { "" }, sink: { _ in })
        // The chat trusts only the store's key.
        let pinned = TrustContext.pinnedKeysOnly(PinnedKeysOnly(certificates: [self.store.view]))
        let transfers = FileTransfers(
            client: client(pinned), foreignClient: client(foreignTrust ?? .system(anchors: .only([root.view]))),
            addresses: ServerAddresses(
                endpoints: try #require(transport.endpoints), dialect: .documented, newRoutesEnabled: true,
                dataStoreHeaders: ["X-Api-Key": "s3cret-key"]),
            timeouts: NetworkTimeouts(ChatNetworkConfig()),
            reporter: NetworkReporter(sink: { _ in }, errors: ErrorTable(), log: log, now: { 0 }))
        let plan = DownloadPlan(
            reference: reference, credentials: variant.credentials, clientID: "s3cret-client",
            deviceAddress: variant.device)
        return await transfers.settle { try await $0.download(TransferID("t"), plan) { target } }
    }

    private static func redirect(to location: String, _ status: String = "302 Found") -> [ScriptedAction] {
        [.respond(status: status, fields: ["Location: \(location)"])]
    }

    private static func names(_ request: ScriptedRequest) -> Set<String> {
        Set(request.fields.map { $0.name.lowercased() }).intersection(secrets)
    }

    private func contents(_ file: RemoteFile, _ key: ChatStorageKey?) throws -> [UInt8] {
        let target = UserFolder(root: folder.url, providerUID: "p", appMarker: nil, clientID: "c", key: key)
        var reader = try SealedFileReader(URL(fileURLWithPath: file.reference), keys: target.keys)
        var bytes: [UInt8] = []
        while let piece = try reader.next() { bytes += piece }
        return bytes
    }

    @Test(
        "another origin receives no header of the chat, unencrypted and encrypted",
        arguments: Variant.allCases, [false, true])
    func foreignOrigin(variant: Variant, isSealed: Bool) async throws {
        let key: ChatStorageKey? = isSealed ? .random() : nil
        try await serve(foreign, { _ in [.respond("abc")] }) { foreign in
            let location = "https://\(Self.foreignHost):\(foreign.port)/signed?sig=1"
            try await serve(store, { _ in Self.redirect(to: location, "307 Temporary Redirect") }) { store in
                let file = try await download(from: store, variant, key: key).get()
                #expect(try contents(file, key) == Array("abc".utf8))
                #expect(store.requests.map(Self.names) == [variant.sent], "the test must be able to see the headers")
                let request = try #require(foreign.requests.first)
                #expect(request.target == "/signed?sig=1")
                for name in Self.secrets { #expect(request.field(name) == nil, "\(name)") }
                #expect(!request.fields.contains { $0.value.contains("s3cret") })
            }
        }
    }

    @Test("the target is verified as a third-party host, not with the store's own trust", arguments: [false, true])
    func judged(isSealed: Bool) async throws {
        try await serve(foreign, { _ in [.respond("abc")] }) { foreign in
            let location = "https://\(Self.foreignHost):\(foreign.port)/x"
            try await serve(store, { _ in Self.redirect(to: location) }) { store in
                let pinned = TrustContext.pinnedKeysOnly(PinnedKeysOnly(certificates: [self.store.view]))
                let result = try await download(from: store, key: isSealed ? .random() : nil, foreignTrust: pinned)
                guard case .failure(let failure) = result else {
                    Issue.record("\(result)")
                    return
                }
                #expect(failure.kind == .trust)
                #expect(foreign.requests.isEmpty, "no request was sent to it")
            }
        }
        #expect(try folder.contents().allSatisfy(\.bytes.isEmpty), "no file was downloaded")
    }

    /// Sends half of the file and cuts the connection for a request without a range.
    private static func half(_ request: ScriptedRequest) -> [ScriptedAction] {
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

    @Test("a download that resumes at another origin requests the rest without any header of the chat")
    func resumed() async throws {
        try await serve(foreign, Self.half) { foreign in
            let location = "https://\(Self.foreignHost):\(foreign.port)/x"
            try await serve(store, { _ in Self.redirect(to: location) }) { store in
                let file = try await download(from: store).get()
                #expect(try contents(file, nil) == Self.bytes)
                #expect(foreign.requests.count == 2)
                #expect(foreign.requests.last?.field("range") != nil)
                #expect(foreign.requests.allSatisfy { Self.names($0).isEmpty })
            }
        }
    }

    @Test("the next call continues a partial download from another origin")
    func resumedLater() async throws {
        let isBroken = Noted<Void>()
        let answer: @Sendable (ScriptedRequest) -> [ScriptedAction] = { request in
            // An error response ends the first call.
            if request.field("range") != nil, isBroken.values.isEmpty {
                isBroken.append(())
                return [.respond(status: "503 Service Unavailable")]
            }
            return Self.half(request)
        }
        try await serve(foreign, answer) { foreign in
            let location = "https://\(Self.foreignHost):\(foreign.port)/x"
            try await serve(store, { _ in Self.redirect(to: location) }) { store in
                let first = try await download(from: store)
                #expect(throws: TransportFailure.self) { try first.get() }
                let before = foreign.requests.count
                let file = try await download(from: store).get()
                #expect(try contents(file, nil) == Self.bytes)
                let later = foreign.requests.dropFirst(before)
                #expect(later.count == 1)
                #expect(later.first?.field("range") != nil)
                #expect(foreign.requests.allSatisfy { Self.names($0).isEmpty })
            }
        }
    }

    @Test("a redirect back to the store does not restore the headers", arguments: [false, true])
    func back(isSealed: Bool) async throws {
        let key: ChatStorageKey? = isSealed ? .random() : nil
        let port = Noted<Int>()
        try await serve(
            foreign,
            { _ in
                Self.redirect(to: "https://\(Self.storeHost):\(port.values.last ?? 0)/other")
            }
        ) { foreign in
            let location = "https://\(Self.foreignHost):\(foreign.port)/x"
            try await serve(
                store,
                { request in
                    request.target == "/other" ? [.respond("abc")] : Self.redirect(to: location)
                }
            ) { store in
                port.append(Int(store.port))
                let file = try await download(from: store, key: key).get()
                #expect(try contents(file, key) == Array("abc".utf8))
                #expect(store.requests.map(Self.names) == [Variant.headers.sent, []])
            }
        }
    }

    @Test("a redirect within the store keeps the headers", arguments: [false, true])
    func sameOrigin(isSealed: Bool) async throws {
        let key: ChatStorageKey? = isSealed ? .random() : nil
        try await serve(
            store,
            { request in
                request.target == "/other" ? [.respond("abc")] : Self.redirect(to: "/other", "301 Moved Permanently")
            }
        ) { store in
            let file = try await download(from: store, key: key).get()
            #expect(try contents(file, key) == Array("abc".utf8))
            #expect(store.requests.map(Self.names) == [Variant.headers.sent, Variant.headers.sent])
        }
    }

    @Test(
        "a redirect to cleartext, to this machine or to its network is refused",
        arguments: [
            "http://cdn.elsewhere.example/x", "https://127.0.0.1/x", "https://localhost/x", "https://[::1]/x",
            "https://169.254.169.254/latest", "https://[::ffff:10.0.0.1]/x", "//192.168.1.1/x", "ftp://cdn.example/x",
        ], [false, true])
    func refused(location: String, isSealed: Bool) async throws {
        try await serve(store, { _ in Self.redirect(to: location) }) { store in
            let result = try await download(from: store, key: isSealed ? .random() : nil)
            #expect(throws: TransportFailure.self) { try result.get() }
            #expect(store.requests.count == 1)
        }
        #expect(try folder.contents().allSatisfy(\.bytes.isEmpty), "no file was downloaded")
    }

    @Test("endless redirects are an error", arguments: [false, true])
    func endless(isSealed: Bool) async throws {
        let count = Noted<Void>()
        try await serve(
            store,
            { _ in
                count.append(())
                return Self.redirect(to: "/\(count.values.count)")
            }
        ) { store in
            let result = try await download(from: store, key: isSealed ? .random() : nil)
            #expect(throws: TransportFailure.self) { try result.get() }
            #expect(store.requests.count == 11)
        }
    }
}
