#if canImport(FoundationNetworking)
import Foundation
import HTTPTypes
import HoldfastNetworking
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization
import Testing

/// A pinned session follows redirects itself, because FoundationNetworking traps on a redirect.
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

    @Test func theDelegateCannotChooseAnotherAddress() async throws {
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

    /// A delegate that retains the handler. Without a deadline its task would never end.
    @Test(.timeLimit(.minutes(1))) func anUnansweredRedirectEndsAtTheDeadline() async throws {
        try await ScriptedServer.with {
            Self.answers($0)
        } _: { server in
            let delegate = SilentDelegate()
            let session = BridgeScene.plain(delegate)
            var request = URLRequest(url: try BridgeScene.cleartext(server, path: "/a"))
            request.timeoutInterval = 1
            let asked = request
            let error = await #expect(throws: URLError.self) { try await session.data(for: asked) }
            #expect(error?.code == .timedOut)
            // This answer is too late.
            for reply in delegate.replies.withLock({ $0 }) { reply(asked) }
            #expect(server.requests.count == 1)
            session.invalidateAndCancel()
        }
    }

    /// A different port is a different origin. Credentials are removed, and with the option also the app's own
    /// credential fields.
    @Test func credentialsAreRemovedForAnotherOrigin() async throws {
        let key = try #require(HTTPField.Name("X-Api-Key"))
        for (redirects, sent) in [
            (RedirectPolicy.follow(), "secret"), (.follow(credentialFields: [key]), nil), (.deliver, nil),
        ] {
            try await ScriptedServer.with { _ in
                [.respond("there")]
            } _: { foreign in
                let location = try BridgeScene.cleartext(foreign).absoluteString
                try await ScriptedServer.with { _ in
                    [.respond(status: "307 T", fields: ["Location: \(location)"])]
                } _: { server in
                    var request = URLRequest(url: try BridgeScene.cleartext(server))
                    request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
                    request.setValue("id=secret", forHTTPHeaderField: "Cookie")
                    request.setValue("secret", forHTTPHeaderField: "X-Api-Key")
                    let (_, response) = try await BridgeScene.plain(redirects: redirects).data(for: request)
                    #expect(server.requests.first?.field("X-Api-Key") == "secret")
                    #expect(server.requests.first?.field("Authorization") == "Bearer secret")
                    #expect((response as? HTTPURLResponse)?.statusCode == (redirects == .deliver ? 307 : 200))
                }
                #expect(foreign.requests.count == (redirects == .deliver ? 0 : 1))
                #expect(foreign.requests.first?.field("X-Api-Key") == sent)
                #expect(foreign.requests.first?.field("Authorization") == nil)
                #expect(foreign.requests.first?.field("Cookie") == nil)
            }
        }
    }

    /// The session's delegate can stop a redirect that the task's own delegate allows.
    @Test func bothDelegatesAreAskedAboutARedirect() async throws {
        try await ScriptedServer.with {
            Self.answers($0)
        } _: { server in
            let (delegate, own) = (RecordingDelegate { _ in nil }, RecordingDelegate())
            let session = BridgeScene.plain(delegate)
            let request = URLRequest(url: try BridgeScene.cleartext(server, path: "/a"))
            let (_, response) = try await session.data(for: request, delegate: own)
            #expect((response as? HTTPURLResponse)?.statusCode == 302)
            // It also receives the response.
            #expect(own.events.all.first == "redirect 302 to /b")
            #expect(delegate.events.all == ["redirect 302 to /b"])
            session.invalidateAndCancel()
        }
    }

    @Test func redirectLoopsEnd() async throws {
        try await ScriptedServer.with {
            Self.answers($0)
        } _: { server in
            let url = try BridgeScene.cleartext(server, path: "/loop")
            let error = await #expect(throws: URLError.self) { try await BridgeScene.plain().data(from: url) }
            #expect(error?.code == .httpTooManyRedirects)
            #expect(error?.transportError?.code == .redirectLoop)
        }
    }

    /// Redirects from a pinned server to cleartext, and to a host that the policy refuses.
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

/// Retains the handlers of redirects.
private final class SilentDelegate: NSObject, URLSessionTaskDelegate, Sendable {
    let replies = Mutex<[@Sendable (URLRequest?) -> Void]>([])

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        replies.withLock { $0.append(completionHandler) }
    }
}
#endif
