#if canImport(FoundationNetworking)
import Foundation
import HoldfastNetworking
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization
import Testing

/// The methods that replace the tasks that a pinned session refuses.
@Suite struct PinnedTransferTests {
    private let scene: BridgeScene

    init() throws {
        scene = try BridgeScene()
    }

    @Test func uploadsSendBytesAndFiles() async throws {
        let session = try scene.session()
        try await TemporaryFolder.use { folder in
            let file = URL(fileURLWithPath: try folder.write("from a file", to: "body"))
            try await ScriptedServer.with(tls: ServerTLS(scene.pinned)) { _ in
                [.respond("ok")]
            } _: { server in
                var request = URLRequest(url: try BridgeScene.url(server))
                request.httpMethod = "POST"
                request.httpBody = Data("of the request".utf8)
                let sent = Mutex<Int64>(0)
                let progress: @Sendable (TransferProgress) -> Void = { now in sent.withLock { $0 = now.sent } }
                let (data, response) = try await session.holdfastUpload(
                    for: request, from: Data("bytes".utf8), onProgress: progress)
                #expect(data == Data("ok".utf8))
                #expect(response.statusCode == 200)
                #expect(sent.withLock { $0 } == 5)
                _ = try await session.holdfastUpload(for: request, fromFile: file)
                #expect(
                    server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["bytes", "from a file"])
            }
        }
    }

    @Test func aDownloadWritesTheWholeFile() async throws {
        let session = try scene.session()
        try await TemporaryFolder.use { folder in
            let destination = URL(fileURLWithPath: try folder.write("old", to: "file"))
            let text = String(repeating: "new", count: 100_000)
            try await ScriptedServer.with(tls: ServerTLS(scene.pinned)) { request in
                request.target == "/missing" ? [.respond("no", status: "404 N")] : [.respond(text)]
            } _: { server in
                let request = URLRequest(url: try BridgeScene.url(server))
                func contents() throws -> String { try String(contentsOf: destination, encoding: .utf8) }
                let tooLarge = await #expect(throws: URLError.self) {
                    try await session.holdfastDownload(for: request, to: destination, upTo: 299_999)
                }
                #expect((tooLarge?.holdfastError as? TransferError)?.code == .tooLarge)
                #expect(tooLarge?.code == .dataLengthExceedsMaximum)
                let missing = URLRequest(url: try BridgeScene.url(server, path: "/missing"))
                let none = await #expect(throws: URLError.self) {
                    try await session.holdfastDownload(for: missing, to: destination, upTo: 1000)
                }
                #expect(none?.holdfastError as? NetworkError == .httpStatusError(.notFound))
                #expect(try contents() == "old")
                let response = try await session.holdfastDownload(for: request, to: destination, upTo: 300_000)
                #expect(response.statusCode == 200)
                #expect(try contents() == text)
                let elsewhere = destination.appendingPathComponent("no folder")
                let unwritable = await #expect(throws: URLError.self) {
                    try await session.holdfastDownload(for: request, to: elsewhere, upTo: 300_000)
                }
                #expect((unwritable?.holdfastError as? TransferError)?.code == .fileUnusable)
                #expect(unwritable?.code == .cannotWriteToFile)
                // Failed downloads leave nothing behind.
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root) == ["file"])
            }
        }
    }

    /// The rules of `HTTPClient.download`: an incomplete file is not accepted.
    @Test(arguments: [
        "200 OK\nContent-Encoding: gzip", "201 Created", "202 Accepted", "203 Non-Authoritative", "205 Reset",
        "206 Partial\nContent-Range: bytes 5-8/100", "206 Partial\nContent-Range: bytes 0-3/4", "206 Partial",
    ])
    func onlyTheWholeFileIsAccepted(head: String) async throws {
        try await TemporaryFolder.use { folder in
            let destination = URL(fileURLWithPath: try folder.write("old", to: "file"))
            try await ScriptedServer.with { _ in
                [.text("HTTP/1.1 \(head)\nContent-Length: 4\n\npart")]
            } _: { server in
                let request = URLRequest(url: try BridgeScene.cleartext(server))
                let error = await #expect(throws: URLError.self) {
                    try await BridgeScene.plain().holdfastDownload(for: request, to: destination, upTo: 100)
                }
                #expect(error?.code == .badServerResponse)
                #expect(try String(contentsOf: destination, encoding: .utf8) == "old")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root) == ["file"])
            }
        }
    }

    @Test func aResponseWithoutContentIsNotAnEmptyFile() async throws {
        try await TemporaryFolder.use { folder in
            let destination = URL(fileURLWithPath: folder.path("file"))
            try await ScriptedServer.with { _ in
                [.text("HTTP/1.1 204 No Content\n\n")]
            } _: { server in
                let request = URLRequest(url: try BridgeScene.cleartext(server))
                let error = await #expect(throws: URLError.self) {
                    try await BridgeScene.plain().holdfastDownload(for: request, to: destination, upTo: 100)
                }
                #expect(error?.holdfastError as? NetworkError == .invalidStatusCode(204))
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root).isEmpty)
            }
        }
    }

    /// An interrupted download resumes through the session's own redirect, and the delegate is asked about the
    /// redirect.
    @Test func anInterruptedDownloadResumes() async throws {
        try await TemporaryFolder.use { folder in
            let destination = URL(fileURLWithPath: folder.path("file"))
            try await ScriptedServer.with { request in
                if request.target == "/" { return [.respond(status: "302 F", fields: ["Location: /file"])] }
                if request.field("Range") == "bytes=4-" {
                    return [
                        .text("HTTP/1.1 206 P\nETag: \"1\"\nContent-Range: bytes 4-7/8\nContent-Length: 4\n\nhalf")
                    ]
                }
                return [.text("HTTP/1.1 200 OK\nETag: \"1\"\nContent-Length: 8\n\none "), .close]
            } _: { server in
                let delegate = RecordingDelegate()
                let session = BridgeScene.plain(delegate)
                let request = URLRequest(url: try BridgeScene.cleartext(server))
                let error = await #expect(throws: URLError.self) {
                    try await session.holdfastDownload(for: request, to: destination, upTo: 100)
                }
                #expect(error?.code == .networkConnectionLost)
                let response = try await session.holdfastDownload(for: request, to: destination, upTo: 100)
                #expect(response.statusCode == 206 && response.url?.path == "/file")
                #expect(try String(contentsOf: destination, encoding: .utf8) == "one half")
                #expect(delegate.events.all == ["redirect 302 to /file", "redirect 302 to /file"])
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root) == ["file"])
                session.invalidateAndCancel()
            }
        }
    }

    /// A different key, a delegate that refuses, an invalidated session, and a session that is not pinned.
    @Test func serversAreVerifiedAsForTasks() async throws {
        let cancelling = ScriptedDelegate(
            session: PinnedSessionTrustTests.leaving, task: PinnedSessionTrustTests.cancelling)
        let pinned = try scene.session()
        let refusing = try scene.session(cancelling)
        let invalid = try scene.session()
        invalid.invalidateAndCancel()
        let cases: [(ServerTLS, URLSession, URLError.Code)] = [
            (ServerTLS(scene.wrongKey), pinned, .serverCertificateUntrusted),
            (ServerTLS(scene.pinned), refusing, .cancelled),
            (ServerTLS(scene.pinned), invalid, .cancelled),
            (ServerTLS(scene.pinned), URLSession(configuration: .ephemeral), .unsupportedURL),
        ]
        for (tls, session, code) in cases {
            try await ScriptedServer.with(tls: tls) { _ in
                [.respond("ok")]
            } _: { server in
                let request = URLRequest(url: try BridgeScene.url(server))
                let upload = await #expect(throws: URLError.self) {
                    try await session.holdfastUpload(for: request, from: Data([1]))
                }
                #expect(upload?.code == code)
                let file = FileManager.default.temporaryDirectory.appendingPathComponent("never-written")
                let download = await #expect(throws: URLError.self) {
                    try await session.holdfastDownload(for: request, to: file, upTo: 10)
                }
                #expect(download?.code == code)
                #expect(server.requests.isEmpty)
            }
        }
        #expect(cancelling.methods.map { $0.prefix(7) } == ["session", "task on", "session", "task on"])
    }

    @Test func aTransferEndsWithItsSession() async throws {
        try await ScriptedServer.with { _ in
            []
        } _: { server in
            let session = BridgeScene.plain(RecordingDelegate())
            let request = URLRequest(url: try BridgeScene.cleartext(server))
            let upload = Task {  // reason: it is waited for when the session is gone
                try await session.holdfastUpload(for: request, from: Data([1])).1.statusCode
            }
            await server.waitForRequests(1)
            session.invalidateAndCancel()
            await server.waitForClosed(1)
            let error = await #expect(throws: URLError.self) { try await upload.value }
            #expect(error?.code == .cancelled)
        }
    }
}
#endif
