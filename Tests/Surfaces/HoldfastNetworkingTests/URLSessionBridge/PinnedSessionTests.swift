#if canImport(FoundationNetworking)
import Foundation
import HoldfastNetworking
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// How a pinned session performs the tasks that it supports.
@Suite struct PinnedSessionTests {
    @Test func aPinnedServerAnswersEveryKindOfDataTask() async throws {
        let scene = try BridgeScene()
        let session = try scene.session()
        try await ScriptedServer.with(tls: ServerTLS(scene.pinned)) { _ in
            [.respond("ok")]
        } _: { server in
            let url = try BridgeScene.url(server)
            let (data, response) = try await session.data(for: URLRequest(url: url))
            #expect(data == Data("ok".utf8))
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            #expect(try await session.data(from: url).0 == Data("ok".utf8))
            let handled: Data? = await withCheckedContinuation { continuation in
                session.dataTask(with: url) { data, _, _ in continuation.resume(returning: data) }.resume()
            }
            #expect(handled == Data("ok".utf8))
            #expect(server.connectionCount == 1)
        }
    }

    /// FoundationNetworking alone keeps only the last part.
    @Test func aBodyInManyPartsIsComplete() async throws {
        try await ScriptedServer.with { _ in
            [.text("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n")]
                + (0..<50).map { .text("3\n\(100 + $0)\n") } + [.text("0\n\n")]
        } _: { server in
            let (data, _) = try await BridgeScene.plain().data(from: BridgeScene.cleartext(server))
            #expect(String(decoding: data, as: UTF8.self) == (0..<50).map { "\(100 + $0)" }.joined())
        }
    }

    @Test func aDelegateGetsResponsePartsAndEndInOrderOnItsQueue() async throws {
        let next = Trigger()
        try await ScriptedServer.with { _ in
            [
                .text("HTTP/1.1 200 OK\nContent-Length: 6\n\none"), .wait(next), .text("two"),
            ]
        } _: { server in
            let delegate = RecordingDelegate()
            let queue = OperationQueue()
            queue.name = "delegates"
            queue.maxConcurrentOperationCount = 1
            let session = BridgeScene.plain(delegate, queue: queue)
            session.dataTask(with: try BridgeScene.cleartext(server)).resume()
            await delegate.events.wait(for: "data one")
            next.fire()
            await delegate.events.wait(for: "end")
            #expect(delegate.events.all == ["response 200", "data one", "data two", "end ok"])
            #expect(delegate.queues == ["delegates"])
            session.invalidateAndCancel()
        }
    }

    @Test func requestsAreSentUnchangedWithTheConfigurationsFields() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-App": "1"]
        let session = BridgeScene.plain(configuration: configuration)
        try await ScriptedServer.with { _ in
            [.respond("ok")]
        } _: { server in
            var request = URLRequest(url: try BridgeScene.cleartext(server, path: "/a?b=c"))
            request.httpMethod = "PUT"
            request.httpBody = Data("body".utf8)
            request.setValue("2", forHTTPHeaderField: "X-Own")
            _ = try await session.data(for: request)
            let seen = try #require(server.requests.first)
            #expect(seen.method == "PUT")
            #expect(seen.target == "/a?b=c")
            #expect(seen.body == Array("body".utf8))
            #expect(seen.field("X-App") == "1")
            #expect(seen.field("X-Own") == "2")
        }
    }

    @Test func uploadTasksWithBytesAndFilesSendThem() async throws {
        let delegate = RecordingDelegate()
        let session = BridgeScene.plain(delegate)
        try await TemporaryFolder.use { folder in
            let file = URL(fileURLWithPath: try folder.write("from a file", to: "body"))
            try await ScriptedServer.with { _ in
                [.respond("ok")]
            } _: { server in
                var request = URLRequest(url: try BridgeScene.cleartext(server))
                request.httpMethod = "POST"
                // The body of the upload is sent, not this one.
                request.httpBody = Data("of the request".utf8)
                session.uploadTask(with: request, from: Data("bytes".utf8)) { _, _, _ in }.resume()
                await server.waitForRequests(1)
                session.uploadTask(with: request, fromFile: file) { _, _, _ in }.resume()
                await server.waitForRequests(2)
                session.uploadTask(with: request, from: nil) { _, _, _ in }.resume()
                await server.waitForRequests(3)
                session.uploadTask(with: request, from: Data("with delegate".utf8)).resume()
                await server.waitForRequests(4)
                session.uploadTask(with: request, fromFile: file).resume()
                await server.waitForRequests(5)
                #expect(
                    server.requests.map { String(decoding: $0.body, as: UTF8.self) }
                        == ["bytes", "from a file", "", "with delegate", "from a file"])
            }
        }
        session.invalidateAndCancel()
    }

    @Test func bodiesAreDecompressed() async throws {
        // gzip of "holdfast", with a stored block (RFC 1951, 3.2.4).
        let coded: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 8, 0, 0xF7, 0xFF, 0x68, 0x6F, 0x6C, 0x64, 0x66, 0x61, 0x73, 0x74,
            0x1F, 0xD0, 0x74, 0x0C, 8, 0, 0, 0,
        ]
        try await ScriptedServer.with { request in
            guard request.field("Accept-Encoding") == "gzip, deflate" else { return [.respond("not asked for")] }
            return [.text("HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: \(coded.count)\n\n"), .send(coded)]
        } _: { server in
            let (data, _) = try await BridgeScene.plain().data(from: BridgeScene.cleartext(server))
            #expect(String(decoding: data, as: UTF8.self) == "holdfast")
        }
    }

    @Test func aPinnedSessionsConfigurationCreatesAnother() async throws {
        let scene = try BridgeScene()
        let session = try scene.session(configuration: try scene.session().configuration)
        try await ScriptedServer.with(tls: ServerTLS(scene.pinned)) { _ in
            [.respond("ok")]
        } _: { server in
            let (data, _) = try await session.data(from: BridgeScene.url(server))
            #expect(data == Data("ok".utf8))
        }
    }

    @Test func aSessionIsAcceptedByURLSessionTransport() async throws {
        let scene = try BridgeScene()
        let session = try scene.session(RecordingDelegate())
        let transport = URLSessionTransport(session: session)
        try await ScriptedServer.with(tls: ServerTLS(scene.pinned)) { _ in
            [.respond("ok")]
        } _: { server in
            let (data, _) = try await transport.data(for: URLRequest(url: try BridgeScene.url(server)))
            #expect(data == Data("ok".utf8))
        }
        try await ScriptedServer.with(tls: ServerTLS(scene.wrongKey)) { _ in
            [.respond("ok")]
        } _: { server in
            let request = URLRequest(url: try BridgeScene.url(server))
            let error = await #expect(throws: TransportError.self) { try await transport.data(for: request) }
            #expect(error?.code == .trustRefused)
            #expect(server.requests.isEmpty)
        }
        session.invalidateAndCancel()
    }
}
#endif
