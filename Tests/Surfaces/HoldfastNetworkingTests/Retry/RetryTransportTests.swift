import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which requests are retried, how often, and which result the caller gets.
@Suite struct RetryTransportTests {
    private let clock = InstantClock()

    private func transport(_ inner: any HTTPTransportProtocol, _ policy: RetryPolicy = RetryPolicy()) -> RetryTransport
    {
        RetryTransport(inner: inner, policy: policy, clock: clock, wallClock: .fixed(Timestamp(secondsSince1970: 0))) {
            1
        }
    }

    private func request(_ method: String = "GET") throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "https://api.example.com/x")))
        request.httpMethod = method
        return request
    }

    @Test func aFailureIsRetriedUntilSuccess() async throws {
        let inner = FakeTransport { _, number in
            switch number {
            case 0: throw TransportError(.connectionClosed, in: .receiving, "x")
            case 1: FakeTransport.Answer(status: 503)
            default: FakeTransport.Answer(text: "ok")
            }
        }
        let (data, response) = try await transport(inner).data(for: request())
        #expect(data == Data("ok".utf8))
        #expect(response.statusCode == 200)
        #expect(clock.waits == [.seconds(0.5), .seconds(1)])
    }

    @Test func theLastResponseIsReturned() async throws {
        let inner = FakeTransport { _, number in FakeTransport.Answer(text: "\(number)", status: 500) }
        let (data, response) = try await transport(inner).data(for: request())
        #expect(data == Data("3".utf8))
        #expect(response.statusCode == 500)
        #expect(inner.requests.count == 4)
    }

    @Test func theLastErrorIsThrown() async throws {
        let inner = FakeTransport { _, number in
            throw TransportError(.timedOut, in: .awaitingResponse, "\(number)")
        }
        let error = await #expect(throws: TransportError.self) { try await transport(inner).data(for: request()) }
        #expect(error?.reason == "3")
    }

    @Test(arguments: [0, -1, Int.min])
    func withoutRetriesThereIsOneAttempt(count: Int) async throws {
        let inner = FakeTransport { _, _ in FakeTransport.Answer(status: 500) }
        let (_, response) = try await transport(inner, RetryPolicy(maxRetries: count)).data(for: request())
        #expect(response.statusCode == 500)
        #expect(inner.requests.count == 1)
    }

    /// A policy that retries everything does not retry final failures.
    @Test func finalFailuresAreNotRetried() async throws {
        let policy = RetryPolicy(shouldRetry: { _, _ in true }, methods: .all)
        let finals: [any Error] = [
            TransportError(.trustRefused, in: .tls, "x"), TransportError(.cleartextRefused, in: .preparing, "x"),
            CancellationError(), URLError(.cancelled), ServerTrustError.trustEvaluationFailed,
        ]
        for final in finals {
            let inner = FakeTransport { _, _ in throw final }
            await #expect(throws: (any Error).self) { try await transport(inner, policy).data(for: request()) }
            #expect(inner.requests.count == 1, "\(final)")
        }
        #expect(clock.waits.isEmpty)
    }

    /// With a real handshake: the caller gets the verdict, and the server gets one request.
    @Test func aRefusedServerIsContactedOnceAndTheVerdictIsReported() async throws {
        let factory = CertificateFactory()
        let root = try factory.authority("Root")
        let leaf = try factory.leaf(["api.example.com"], signedBy: root)
        let pin = PublicKeyPinningEvaluator(
            pinnedKeyHashes: [Data(root.spkiDigest.bytes.reversed())], anchors: .only([root.view]),
            clock: .fixed(factory.now))
        let pinning = PinningTransport(
            pinnedDomains: ["api.example.com": pin], anchors: .only([root.view]),
            configuration: TransportConfiguration(
                clock: .fixed(factory.now), hostOverrides: ["api.example.com": "127.0.0.1"]))
        let transport = transport(pinning, RetryPolicy(shouldRetry: { _, _ in true }))
        try await ScriptedServer.with(tls: ServerTLS(leaf)) { _ in
            [.respond()]
        } _: { server in
            let url = try #require(URL(string: "https://api.example.com:\(server.port)/"))
            let error = await #expect(throws: TransportError.self) {
                try await transport.data(for: URLRequest(url: url))
            }
            #expect(error?.verdict?.finding.code == .pinMismatch)
            #expect(server.connectionCount == 1)
        }
    }

    // MARK: - Methods and bodies

    @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "get"])
    func idempotentRequestsAreRetried(method: String) async throws {
        let inner = FakeTransport { _, number in FakeTransport.Answer(status: number == 0 ? 503 : 200) }
        #expect(try await transport(inner).data(for: request(method)).1.statusCode == 200)
    }

    /// An order whose response is lost is not placed twice, unless the app asks for the behavior of the modelled
    /// library.
    @Test(arguments: ["POST", "PATCH", "MERGE"])
    func otherRequestsAreNotRetriedAfterSending(method: String) async throws {
        let lost = FakeTransport { _, _ in throw TransportError(.connectionClosed, in: .awaitingResponse, "x") }
        await #expect(throws: TransportError.self) { try await transport(lost).data(for: request(method)) }
        let busy = FakeTransport { _, _ in FakeTransport.Answer(status: 503) }
        #expect(try await transport(busy).data(for: request(method)).1.statusCode == 503)
        #expect(lost.requests.count == 1)
        #expect(busy.requests.count == 1)

        let all = RetryPolicy(methods: .all)
        let (_, response) = try await transport(busy, all).data(for: request(method))
        #expect(response.statusCode == 503)
        #expect(busy.requests.count == 5)
    }

    @Test func unsentRequestsAreRetriedWhateverTheMethod() async throws {
        let inner = FakeTransport { _, number in
            if number < 2 { throw TransportError(.connectionRefused, in: .connecting, "x") }
            return FakeTransport.Answer(status: 201)
        }
        #expect(try await transport(inner).data(for: request("POST")).1.statusCode == 201)
        #expect(inner.requests.count == 3)
    }

    @Test func anIdempotencyKeyMakesARequestRetriable() async throws {
        let inner = FakeTransport { _, number in FakeTransport.Answer(status: number == 0 ? 500 : 201) }
        var keyed = try request("POST")
        keyed.setValue("\"1\"", forHTTPHeaderField: "Idempotency-Key")
        #expect(try await transport(inner).data(for: keyed).1.statusCode == 201)
    }

    /// The first attempt consumes the stream.
    @Test func aStreamedBodyIsNotSentAgain() async throws {
        var streamed = try request("PUT")
        streamed.httpBodyStream = InputStream(data: Data("x".utf8))
        let inner = FakeTransport { _, _ in throw TransportError(.connectionRefused, in: .connecting, "x") }
        let policy = RetryPolicy(shouldRetry: { _, _ in true }, methods: .all)
        let (transport, request) = (transport(inner, policy), streamed)
        await #expect(throws: TransportError.self) { try await transport.data(for: request) }
        #expect(inner.requests.count == 1)
    }

    // MARK: - Retry-After

    private struct Outcome: Equatable {
        var waits: [Duration]
        var status: Int
    }

    private func outcome(_ retryAfter: String, _ policy: RetryPolicy = RetryPolicy()) async throws -> Outcome {
        let clock = InstantClock()
        let inner = FakeTransport { _, number in
            FakeTransport.Answer(status: number == 0 ? 429 : 200, fields: ["Retry-After": retryAfter])
        }
        let transport = RetryTransport(
            inner: inner, policy: policy, clock: clock, wallClock: .fixed(Timestamp(secondsSince1970: 784_111_740))
        ) { 1 }
        let (_, response) = try await transport.data(for: request())
        return Outcome(waits: clock.waits, status: response.statusCode)
    }

    private func waited(_ seconds: Double) -> Outcome { Outcome(waits: [.seconds(seconds)], status: 200) }
    private let notRepeated = Outcome(waits: [], status: 429)

    @Test func retryAfterIsHonoured() async throws {
        #expect(try await outcome("7") == waited(7))
        #expect(try await outcome("Sun, 06 Nov 1994 08:49:37 GMT") == waited(37))
        // Not shorter than the policy's own wait.
        #expect(try await outcome("0") == waited(0.5))
        #expect(try await outcome("soon") == waited(0.5))
    }

    @Test func aRetryAfterBeyondTheLimitEndsTheRetries() async throws {
        for text in ["61", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"] {
            #expect(try await outcome(text) == notRepeated)
        }
        #expect(try await outcome("600", RetryPolicy(maxRetryAfter: 3_600)) == waited(600))
        for odd in [Double.nan, -1, -Double.infinity] {
            #expect(try await outcome("1", RetryPolicy(maxRetryAfter: odd)) == notRepeated)
        }
    }

    // MARK: - Cancellation

    @Test func cancellationEndsTheWait() async throws {
        let inner = FakeTransport { _, _ in FakeTransport.Answer(status: 503) }
        let clock = InstantClock { withUnsafeCurrentTask { $0?.cancel() } }
        let transport = RetryTransport(inner: inner, clock: clock)
        let request = try request()
        let task = Task { try await transport.data(for: request) }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(inner.requests.count == 1)
    }

    @Test func theErrorOfACancelledTaskIsThrown() async throws {
        let inner = FakeTransport { _, _ in
            withUnsafeCurrentTask { $0?.cancel() }
            throw TransportError(.connectionClosed, in: .receiving, "x")
        }
        let (transport, request) = (transport(inner), try request())
        let task = Task { try await transport.data(for: request) }
        await #expect(throws: TransportError.self) { try await task.value }
        #expect(inner.requests.count == 1)
    }

    @Test func thePolicyGetsTheStatusAndTheError() async throws {
        let policy = RetryPolicy(shouldRetry: { status, error in
            status == 404 && error as? NetworkError == .httpStatusError(.notFound)
        })
        let inner = FakeTransport { _, number in FakeTransport.Answer(status: number == 0 ? 404 : 500) }
        #expect(try await transport(inner, policy).data(for: request()).1.statusCode == 500)
        #expect(inner.requests.count == 2)
    }
}
