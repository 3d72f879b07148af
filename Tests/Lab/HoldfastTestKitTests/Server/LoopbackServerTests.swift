import Foundation
import HTTPTypes
import HoldfastTransport
import Testing

@testable import HoldfastTestKit

@Suite("Loopback server", .timeLimit(.minutes(1))) struct LoopbackServerTests {
    let site: PinnedSite
    let client: HTTPClient

    init() throws {
        site = try PinnedSite()
        client = HTTPClient(configuration: TransportConfiguration(trust: site.trust))
    }

    private func send(
        _ path: String = "/", to server: LoopbackServer, method: HTTPRequest.Method = .get, body: HTTPBody? = nil
    ) async throws -> CollectedResponse {
        let request = HTTPRequest(
            method: method, scheme: server.url.scheme, authority: "localhost:\(server.port)", path: path)
        return try await client.collect(request, body: body, upTo: 1 << 20)
    }

    @Test func scriptedAnswersComeInOrderAndTheClosureAnswersTheRest() async throws {
        let configuration = LoopbackServer.Configuration { LoopbackAnswer("for \($0.path)") }
        try await LoopbackServer.with(site, configuration) { server async throws in
            server.enqueue(LoopbackAnswer("first"), LoopbackAnswer("second", status: 503, fields: [.retryAfter: "1"]))
            #expect(try await send(to: server).text == "first")
            let second = try await send(to: server)
            #expect(second.response.status.code == 503)
            #expect(second.response.headerFields[.retryAfter] == "1")
            #expect(second.text == "second")
            #expect(try await send("/path?query", to: server).text == "for /path")
        }
    }

    @Test func requestsAreRecordedCompletely() async throws {
        try await LoopbackServer.with(site) { server async throws in
            #expect(
                try await send("/upload?a=b", to: server, method: .post, body: .bytes(Array("hello".utf8))).text == "ok"
            )
            let request = try await server.nextRequest()
            #expect(request.method == "POST")
            #expect(request.target == "/upload?a=b")
            #expect(request.path == "/upload")
            #expect(request.text == "hello")
            #expect(request.fields[.contentLength] == "5")
            #expect(!request.isWebSocketUpgrade)
            #expect(server.requests == [request])
            let connection = try #require(server.connections.first)
            #expect(connection.startedTLS && connection.completedTLS && connection.applicationBytes > 0)
            #expect(connection.cleartextBytes == 0)
        }
    }

    @Test func testsWaitForRequests() async throws {
        try await LoopbackServer.with(site) { server async throws in
            async let first = server.nextRequest()
            async let both = server.firstRequests(2)
            _ = try await send("/1", to: server)
            #expect(try await first.path == "/1")
            _ = try await send("/2", to: server)
            #expect(try await server.nextRequest().path == "/2")
            #expect(try await both.map(\.path) == ["/1", "/2"])
        }
    }

    @Test func aStoppedServerEndsWaitingCalls() async throws {
        let server = try await LoopbackServer.start(site)
        async let request = server.nextRequest()
        await server.stop()
        do {
            _ = try await request
            Issue.record("there was no request")
        } catch let error as TestKitError {
            #expect(error.code == .stopped)
        }
        await #expect(throws: TransportError.self) { try await send(to: server) }
        await server.stop()
    }

    @Test func aCancelledTaskEndsItsWaitingCall() async throws {
        try await LoopbackServer.with(site) { server async throws in
            let task = Task { try await server.nextRequest() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func endingsCutTheResponse() async throws {
        let body = LoopbackAnswer("0123456789")
        for ending in [LoopbackAnswer.Ending.cut(afterBodyBytes: 3), .reset(afterBodyBytes: 3)] {
            try await LoopbackServer.with(site) { server async throws in
                var answer = body
                answer.ending = ending
                server.enqueue(answer)
                await #expect(throws: TransportError.self, "\(ending)") { try await send(to: server) }
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test func closingEndsTheConnectionAfterTheResponse() async throws {
        try await LoopbackServer.with(site) { server async throws in
            server.enqueue(LoopbackAnswer("bye", ending: .close))
            #expect(try await send(to: server).text == "bye")
            #expect(try await send(to: server).text == "ok")
            #expect(server.connections.count == 2)
        }
    }

    @Test func aGateHoldsTheAnswerBack() async throws {
        let gate = AnswerGate()
        try await LoopbackServer.with(site) { server async throws in
            server.enqueue(LoopbackAnswer("late", gate: gate))
            async let answer = send(to: server)
            #expect(try await server.nextRequest().path == "/")
            gate.open()
            #expect(try await answer.text == "late")
        }
    }

    @Test func silenceLastsUntilTheClientGivesUp() async throws {
        try await LoopbackServer.with(site) { server async throws in
            server.enqueue(.silence)
            let task = Task { try await send(to: server) }
            _ = try await server.nextRequest()
            task.cancel()
            await #expect(throws: TransportError.self) { try await task.value }
        }
    }

    @Test(arguments: ConnectionFault.allCases)
    func faultsEndTheFirstConnection(fault: ConnectionFault) async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.fault = { $0 == 0 ? fault : nil }
        try await LoopbackServer.with(site, configuration) { server async throws in
            var settings = TransportConfiguration(trust: site.trust, tlsTimeout: .milliseconds(300))
            settings.keepAlive = .zero
            let client = HTTPClient(configuration: settings)
            let request = HTTPRequest(
                method: .get, scheme: "https", authority: "localhost:\(server.port)", path: "/")
            await #expect(throws: TransportError.self) { try await client.collect(request, upTo: 100) }
            #expect(server.requests.isEmpty)
        }
    }

    @Test func largeRequestsAreRefused() async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.maximumRequestBytes = 10
        try await LoopbackServer.with(site, configuration) { server async throws in
            let answer = try await send(to: server, method: .post, body: .bytes(Array(repeating: 1, count: 11)))
            #expect(answer.response.status.code == 413)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func headResponsesHaveNoBody() async throws {
        try await LoopbackServer.with(site) { server async throws in
            let answer = try await send(to: server, method: .head)
            #expect(answer.response.headerFields[.contentLength] == "2")
            #expect(answer.body.isEmpty)
            // The connection is still usable.
            #expect(try await send(to: server).text == "ok")
            #expect(server.connections.count == 1)
        }
    }

    @Test func cleartextServersHaveHTTPURLs() async throws {
        let server = try await LoopbackServer.start(host: "127.0.0.1", nil)
        #expect(server.url.absoluteString == "http://127.0.0.1:\(server.port)/")
        #expect(server.webSocketURL.absoluteString == "ws://127.0.0.1:\(server.port)/")
        #expect(try await send(to: server).text == "ok")
        await server.stop()
    }

    @Test(arguments: [(204, false), (304, false), (200, true)])
    func onlyResponsesWithABodyHaveALength(status: Int, hasLength: Bool) {
        let bytes = String(
            decoding: LoopbackAnswer("x", status: status).bytes(omitsBody: false), as: UTF8.self)
        #expect(bytes.contains("Content-Length") == hasLength)
        #expect(bytes.hasSuffix("\r\n\r\n") == !hasLength)
    }
}
