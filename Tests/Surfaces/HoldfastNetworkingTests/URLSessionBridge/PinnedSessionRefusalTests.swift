#if canImport(FoundationNetworking)
import Foundation
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastNetworking

/// A request that a pinned session does not support fails with a typed error before anything is sent.
@Suite struct PinnedSessionRefusalTests {
    private func expect(
        _ kind: UnsupportedTaskError.Kind, _ sourceLocation: SourceLocation = #_sourceLocation,
        _ work: @Sendable (URLSession, URL) async throws -> Void
    ) async throws {
        try await ScriptedServer.with { _ in
            [.respond("ok")]
        } _: { server in
            let session = BridgeScene.plain()
            let url = try BridgeScene.cleartext(server)
            let error = await #expect(throws: URLError.self, sourceLocation: sourceLocation) {
                try await work(session, url)
            }
            #expect(error?.holdfastError as? UnsupportedTaskError == UnsupportedTaskError(kind))
            #expect(server.connectionCount == 0)
        }
    }

    @Test func downloadTasks() async throws {
        try await expect(.download) { _ = try await $0.download(for: URLRequest(url: $1)) }
        try await expect(.download) { _ = try await $0.download(from: $1) }
        try await expect(.download) { session, url in
            let error: (any Error)? = await withCheckedContinuation { continuation in
                session.downloadTask(with: url) { _, _, error in continuation.resume(returning: error) }.resume()
            }
            throw try #require(error)
        }
        try await expect(.download) { session, _ in
            let error: (any Error)? = await withCheckedContinuation { continuation in
                session.downloadTask(withResumeData: Data([1])) { _, _, error in
                    continuation.resume(returning: error)
                }.resume()
            }
            throw try #require(error)
        }
    }

    @Test func uploadsWithAnUnreadableBody() async throws {
        try await expect(.uploadBody) { _ = try await $0.upload(for: URLRequest(url: $1), from: Data([1])) }
        try await expect(.uploadBody) { session, url in
            var request = URLRequest(url: url)
            // This body must not be sent in place of the unreadable one.
            request.httpBody = Data("of the request".utf8)
            _ = try await session.upload(for: request, from: Data([1]))
        }
        try await expect(.uploadBody) {
            _ = try await $0.upload(for: URLRequest(url: $1), fromFile: URL(fileURLWithPath: #filePath))
        }
    }

    /// The session's delegate gets the error instead of a handler.
    @Test func tasksWithADelegateAreRefusedToo() async throws {
        let cases: [(UnsupportedTaskError.Kind, @Sendable (URLSession, URL) -> URLSessionTask)] = [
            (.uploadBody, { $0.uploadTask(withStreamedRequest: URLRequest(url: $1)) }),
            (.download, { $0.downloadTask(with: $1) }),
            (.download, { session, _ in session.downloadTask(withResumeData: Data([1])) }),
        ]
        for (kind, make) in cases {
            try await ScriptedServer.with { _ in
                [.respond("ok")]
            } _: { server in
                let delegate = RecordingDelegate()
                let session = BridgeScene.plain(delegate)
                make(session, try BridgeScene.cleartext(server)).resume()
                await delegate.events.wait(for: "end")
                #expect(delegate.error?.code == .unsupportedURL)
                #expect(delegate.error?.holdfastError as? UnsupportedTaskError == UnsupportedTaskError(kind))
                #expect(server.connectionCount == 0)
                session.invalidateAndCancel()
            }
        }
    }

    /// The attack: code changes the session's own configuration.
    @Test func changingTheSessionsConfigurationChangesNothing() async throws {
        let scene = try BridgeScene()
        let session = try scene.session()
        session.configuration.protocolClasses = nil
        try await ScriptedServer.with(tls: ServerTLS(scene.wrongKey)) { _ in
            [.respond("ok")]
        } _: { server in
            let url = try BridgeScene.url(server)
            let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
            #expect(error?.trustVerdict?.finding.code == .pinMismatch)
            #expect(server.requests.isEmpty)
        }
    }

    /// A task that has ended is not in the session's list of tasks, so that its delegate is unknown.
    @Test(.timeLimit(.minutes(1))) func aTaskUnknownToItsSessionIsRefused() async throws {
        try await ScriptedServer.with { _ in
            [.respond("ok")]
        } _: { server in
            let delegate = RecordingDelegate()
            let session = BridgeScene.plain(delegate)
            let task = session.dataTask(with: try BridgeScene.cleartext(server))
            let queue = try #require(URLSessionTaskReflection(task).workQueue)
            #expect(queue.sync { URLSessionTaskReflection(task).isKnown })
            task.resume()
            await delegate.events.wait(for: "end")
            // The session removes its record a little later, on that queue.
            while queue.sync(execute: { URLSessionTaskReflection(task).isKnown }), !Task.isCancelled {
                await Task.yield()
            }
            #expect(!queue.sync { URLSessionTaskReflection(task).isKnown })
            let client = RecordingClient()
            let loader = PinnedURLProtocol(task: task, cachedResponse: nil, client: client)
            queue.sync { loader.startLoading() }
            #expect((client.error as? URLError)?.holdfastError as? UnsupportedTaskError == UnsupportedTaskError(.other))
            #expect(server.requests.count == 1)
            session.invalidateAndCancel()
        }
    }

    /// FoundationNetworking refuses first if its libcurl does not support WebSocket. Otherwise Holdfast refuses.
    @Test func webSocketTasks() async throws {
        try await ScriptedServer.with { _ in
            [.respond("ok")]
        } _: { server in
            let session = BridgeScene.plain()
            let url = try #require(URL(string: "ws://127.0.0.1:\(server.port)/"))
            let task = session.webSocketTask(with: url)
            task.resume()
            await #expect(throws: (any Error).self) { _ = try await task.receive() }
            let client = RecordingClient()
            let loader = PinnedURLProtocol(task: session.webSocketTask(with: url), cachedResponse: nil, client: client)
            loader.startLoading()
            #expect(
                (client.error as? URLError)?.holdfastError as? UnsupportedTaskError == UnsupportedTaskError(.webSocket))
            #expect(server.connectionCount == 0)
        }
    }

    @Test func everyRequestIsHandled() throws {
        for scheme in ["http", "https", "ws", "wss", "ftp", "HTTPS"] {
            let request = URLRequest(url: try #require(URL(string: "\(scheme)://example.com/")))
            #expect(PinnedURLProtocol.canInit(with: request))
        }
    }

    @Test func otherSchemesAndCleartext() async throws {
        let session = BridgeScene.plain()
        for (text, code) in [
            ("ftp://127.0.0.1/x", TransportError.Code.invalidURL), ("http://example.com/", .cleartextRefused),
        ] {
            let url = try #require(URL(string: text))
            let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
            #expect(error?.transportError?.code == code)
        }
    }

    /// The attack: the configuration of a pinned session is used without its trust.
    @Test func aSessionWithACopiedConfigurationIsRefused() async throws {
        let scene = try BridgeScene()
        let session = try scene.session()
        let copies = [
            URLSession(configuration: session.configuration),
            URLSession(configuration: session.configuration, delegate: RecordingDelegate(), delegateQueue: nil),
        ]
        for identity in [scene.pinned, scene.selfSigned] {
            try await ScriptedServer.with(tls: ServerTLS(identity)) { _ in
                [.respond("ok")]
            } _: { server in
                for copy in copies {
                    let url = try BridgeScene.url(server, host: "127.0.0.1")
                    let error = await #expect(throws: URLError.self) { try await copy.data(from: url) }
                    #expect(error?.holdfastError as? UnsupportedTaskError == UnsupportedTaskError(.unknownSession))
                }
                #expect(server.connectionCount == 0)
            }
        }
    }

    @Test func unsupportedSettings() async throws {
        try await ScriptedServer.with { _ in
            [.respond("ok")]
        } _: { server in
            let configuration = URLSessionConfiguration.ephemeral
            configuration.connectionProxyDictionary = ["HTTPSProxy": "proxy.example.com"]
            let url = try BridgeScene.cleartext(server)
            let refusing = BridgeScene.plain(configuration: configuration)
            let error = await #expect(throws: URLError.self) { try await refusing.data(from: url) }
            #expect(
                error?.holdfastError as? UnsupportedConfigurationError
                    == UnsupportedConfigurationError(properties: ["connectionProxyDictionary"]))
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            request.httpBodyStream = InputStream(data: Data([1]))
            let streamed = request
            let session = BridgeScene.plain()
            let refusal = await #expect(throws: URLError.self) { try await session.data(for: streamed) }
            #expect(
                refusal?.holdfastError as? UnsupportedRequestError
                    == UnsupportedRequestError(property: "httpBodyStream"))
            #expect(server.connectionCount == 0)
        }
    }

    @Test func anEndlessBodyEndsAtTheLimit() async throws {
        try await ScriptedServer.with { _ in
            [.text("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n")]
                + (0..<200).map { _ in .text("400\n" + String(repeating: "x", count: 0x400) + "\n") }
        } _: { server in
            let session = BridgeScene.plain(maximumResponseBytes: 64 * 1024)
            let url = try BridgeScene.cleartext(server)
            let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
            #expect(error?.code == .dataLengthExceedsMaximum)
            #expect(error?.transportError?.code == .responseTooLarge)
        }
    }

    /// The attack: the server makes the native client repeat the request, unpinned and with a credential.
    @Test func aRequestForAuthenticationCausesNoSecondRequest() async throws {
        try await ScriptedServer.with { _ in
            [
                .respond(
                    "who?", status: "401 U",
                    fields: [
                        "WWW-Authenticate: Basic realm=\"x\"", "Holdfast-WWW-Authenticate: forged",
                    ])
            ]
        } _: { server in
            let configuration = URLSessionConfiguration.default
            let space = URLProtectionSpace(
                host: "127.0.0.1", port: Int(server.port), protocol: "http", realm: "x",
                authenticationMethod: "Basic")
            configuration.urlCredentialStorage?.set(
                URLCredential(user: "user", password: "secret", persistence: .forSession), for: space)
            for delegate in [nil, RecordingDelegate()] as [RecordingDelegate?] {
                let session = BridgeScene.plain(delegate, configuration: configuration)
                let (data, response) = try await session.data(from: BridgeScene.cleartext(server))
                #expect(data == Data("who?".utf8))
                let http = try #require(response as? HTTPURLResponse)
                #expect(http.statusCode == 401)
                #expect(http.value(forHTTPHeaderField: "WWW-Authenticate") == nil)
                #expect(http.wwwAuthenticate == "Basic realm=\"x\"")
                session.invalidateAndCancel()
            }
            #expect(server.requests.count == 2)
            #expect(server.requests.allSatisfy { $0.field("Authorization") == nil })
        }
    }
}
#endif
