#if canImport(FoundationNetworking)
import Foundation
import HoldfastNetworking
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// A pinned session follows redirects itself: FoundationNetworking traps on one.
@Suite struct PinnedSessionRedirectTests {
    private static let answers: @Sendable (ScriptedRequest) -> [ScriptedAction] = { request in
        switch request.target {
        case "/a": [.respond(status: "302 F", fields: ["Location: /b"])]
        case "/loop": [.respond(status: "302 F", fields: ["Location: /loop"])]
        default: [.respond("at \(request.target) \(request.field("X-Added") ?? "")")]
        }
    }

    @Test func redirectsAreFollowed() async throws {
        try await ScriptedServer.with {
            Self.answers($0)
        } _: { server in
            let (data, response) = try await BridgeScene.plain().data(from: BridgeScene.cleartext(server, path: "/a"))
            #expect(String(decoding: data, as: UTF8.self) == "at /b ")
            #expect(response.url?.path == "/b")
        }
    }

    @Test func theDelegateMayFollowStopOrAddFields() async throws {
        let (same, stop, added):
            (
                @Sendable (URLRequest) -> URLRequest?, @Sendable (URLRequest) -> URLRequest?,
                @Sendable (URLRequest) -> URLRequest?
            ) = (
                { $0 }, { _ in nil },
                { request in
                    var request = request
                    request.setValue("1", forHTTPHeaderField: "X-Added")
                    return request
                }
            )
        for (redirect, text, status) in [(same, "at /b ", 200), (stop, "", 302), (added, "at /b 1", 200)] {
            try await ScriptedServer.with {
                Self.answers($0)
            } _: { server in
                let delegate = RecordingDelegate(redirect: redirect)
                let session = BridgeScene.plain(delegate)
                let (data, response) = try await session.data(from: BridgeScene.cleartext(server, path: "/a"))
                #expect(String(decoding: data, as: UTF8.self) == text)
                #expect((response as? HTTPURLResponse)?.statusCode == status)
                #expect(delegate.events.all == ["redirect 302 to /b"])
                session.invalidateAndCancel()
            }
        }
    }

    @Test func anotherAddressIsNotTheDelegatesToChoose() async throws {
        try await ScriptedServer.with {
            Self.answers($0)
        } _: { server in
            let delegate = RecordingDelegate { request in
                var request = request
                request.url = URL(string: "http://127.0.0.1:1/elsewhere")
                return request
            }
            let session = BridgeScene.plain(delegate)
            let url = try BridgeScene.cleartext(server, path: "/a")
            let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
            #expect(error?.holdfastError is UnsupportedRequestError)
            #expect(server.requests.count == 1)
            session.invalidateAndCancel()
        }
    }

    @Test func loopsEnd() async throws {
        try await ScriptedServer.with {
            Self.answers($0)
        } _: { server in
            let url = try BridgeScene.cleartext(server, path: "/loop")
            let error = await #expect(throws: URLError.self) { try await BridgeScene.plain().data(from: url) }
            #expect(error?.code == .httpTooManyRedirects)
            #expect(error?.transportError?.code == .redirectLoop)
        }
    }

    /// From a pinned server to cleartext, and to a host that the policy does not let pass.
    @Test func aRedirectLeadsNeitherToCleartextNorAroundThePins() async throws {
        let scene = try BridgeScene()
        try await ScriptedServer.with { _ in
            [.respond("cleartext")]
        } _: { cleartext in
            try await ScriptedServer.with(tls: ServerTLS(scene.wrongKey)) { _ in
                [.respond("wrong key")]
            } _: { wrong in
                let targets = [try BridgeScene.cleartext(cleartext), try BridgeScene.url(wrong)]
                let codes = [URLError.Code.appTransportSecurityRequiresSecureConnection, .serverCertificateUntrusted]
                for (target, code) in zip(targets, codes) {
                    try await ScriptedServer.with(tls: ServerTLS(scene.pinned)) { _ in
                        [.respond(status: "307 T", fields: ["Location: \(target.absoluteString)"])]
                    } _: { server in
                        let session = try scene.session()
                        let url = try BridgeScene.url(server)
                        let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
                        #expect(error?.code == code)
                    }
                }
                #expect(cleartext.connectionCount == 0)
                #expect(wrong.requests.isEmpty)
            }
        }
    }
}
#endif
