import ChatCenterCore
import ChatDevServer
import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import ChatCenter

/// A file on a third-party host.
@Suite(.timeLimit(.minutes(1))) struct ForeignOriginTests {
    static let host = "cdn.elsewhere.example"
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(
        "a third-party host must match the chat's certificates or, on request, the system; it gets no secret",
        arguments: ChatForeignOriginTrust.allCases, ChatAuthMethod.allCases)
    func trust(foreignOriginTrust: ChatForeignOriginTrust, method: ChatAuthMethod) async throws {
        try await LiveServer.with { live in
            let identity = try CertificateFactory().leaf([Self.host], signedBy: live.authority.root)
            var settings = ScriptedServer.Settings(tls: ServerTLS(identity))
            settings.onRequest = { _ in [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc".utf8))] }
            try await ScriptedServer.with(settings) { server in
                var pinning = try live.pins()
                pinning.foreignOriginTrust = foreignOriginTrust
                let (sdk, _) = try live.chat(in: folder, pinning: pinning, hosts: [Self.host: "127.0.0.1"])
                let auth = ChatAuth(token: "Bearer s3cret-token", scheme: "s3cret-scheme", method: method)
                try await sdk.authorize(ChatUser(identifier: "s3cret-client"), auth: auth)
                let screen = try sdk.getChat()
                screen.viewDidAppear()
                try await screen.wait { $0.connection == .ready }
                let address = "https://\(Self.host):\(server.port)/file?id=1"
                switch foreignOriginTrust {
                case .sameCertificates:
                    let error = await #expect(throws: ChatNetworkError.self) {
                        try await screen.download(reference: address)
                    }
                    #expect(error?.verdict?.finding.code == .pinMismatch)
                    #expect(server.requests.isEmpty, "no request was sent to it")
                case .system:
                    let copy = try await screen.download(reference: address)
                    #expect(try screen.contents(of: copy) == Data("abc".utf8))
                    let request = try #require(server.requests.first)
                    #expect(request.target == "/file?id=1")
                    let names = request.fields.map { $0.name.lowercased() }
                    for name in ["authorization", "cookie", "x-auth-schema", "x-client-id", "x-device-address"] {
                        #expect(!names.contains(name), "\(name)")
                    }
                    #expect(!request.fields.contains { $0.value.contains("s3cret") })
                }
                // The option does not change the trust for the chat's own servers.
                #expect(sdk.connectionState.security == .pinnedKeys(certificates: 2))
            }
        }
    }
}
