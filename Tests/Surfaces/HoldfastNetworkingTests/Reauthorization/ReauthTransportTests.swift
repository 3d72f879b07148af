import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import HoldfastNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Concurrent requests share one refresh, and no unnecessary refresh starts.
@Suite struct ReauthTransportTests {
    /// A server that accepts one token, which a refresh replaces, and the token store that client and server share.
    private final class World: Sendable {
        let auth = InMemoryAuthService()
        let valid = Mutex("new")
        let refreshes = Mutex(0)
        let inner: FakeTransport

        init() {
            let valid = Mutex<String?>("new")
            inner = FakeTransport { request, _ in
                let token = request.value(forHTTPHeaderField: "Authorization")
                return FakeTransport.Answer(
                    text: token ?? "none", status: token == valid.withLock({ $0 }).map { "Bearer \($0)" } ? 200 : 401)
            }
        }

        func transport(
            alsoWithoutToken: Bool = false, _ refresh: @escaping @Sendable (World) async throws -> Void
        ) -> ReauthTransport {
            ReauthTransport(inner: inner, authService: auth, alsoWithoutToken: alsoWithoutToken) { [self] in
                refreshes.withLock { $0 += 1 }
                try await refresh(self)
            }
        }

        /// A request as a service sends it.
        func request(_ path: String = "x") async throws -> URLRequest {
            try await auth.authorize(URLRequest(url: #require(URL(string: "https://api.example.com/\(path)"))))
        }
    }

    private struct Refused: Error, Equatable {
        var number = 0
    }

    /// A gate that opens once.
    private final class Door: Sendable {
        private let stream: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() {
            (stream, continuation) = AsyncStream.makeStream()
        }

        func open() { continuation.finish() }
        func pass() async { for await _ in stream {} }
    }

    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test func aRefusedTokenIsRefreshedOnce() async throws {
        let world = World()
        try await world.auth.saveAccessToken("old")
        let transport = world.transport { try await $0.auth.saveAccessToken("new") }
        let (data, response) = try await transport.data(for: world.request())
        #expect(response.statusCode == 200)
        #expect(data == Data("Bearer new".utf8))
        #expect(world.refreshes.withLock { $0 } == 1)
        #expect(world.inner.requests.count == 2)
    }

    /// The server refuses fifty requests at once. One refresh starts, and all requests wait for it.
    @Test func concurrentRequestsShareOneRefresh() async throws {
        let world = World()
        try await world.auth.saveAccessToken("old")
        let door = Door()
        let transport = world.transport { world in
            await door.pass()
            try await world.auth.saveAccessToken("new")
        }
        let request = try await world.request()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask { try await transport.data(for: request).1.statusCode }
            }
            await until { transport.coordinator.waiting == 50 }
            door.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(world.refreshes.withLock { $0 } == 1)
        #expect(world.inner.requests.count == 100)
    }

    @Test func aFailedRefreshReachesEveryWaiter() async throws {
        let world = World()
        try await world.auth.saveAccessToken("old")
        let door = Door()
        let transport = world.transport { _ in
            await door.pass()
            throw Refused(number: 7)
        }
        let request = try await world.request()
        await withTaskGroup(of: Refused?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        _ = try await transport.data(for: request)
                        return nil
                    } catch {
                        return error as? Refused
                    }
                }
            }
            await until { transport.coordinator.waiting == 20 }
            door.open()
            for await refusal in group { #expect(refusal == Refused(number: 7)) }
        }
        #expect(world.refreshes.withLock { $0 } == 1)
        // The next request tries again.
        await #expect(throws: Refused.self) { try await transport.data(for: request) }
        #expect(world.refreshes.withLock { $0 } == 2)
    }

    /// A request that was sent before a refresh and refused after it uses the new token, and starts no second refresh.
    @Test func aLateRefusalUsesTheStoredToken() async throws {
        let world = World()
        try await world.auth.saveAccessToken("old")
        let late = try await world.request()
        try await world.auth.saveAccessToken("new")
        let transport = world.transport { _ in throw Refused() }
        #expect(try await transport.data(for: late).1.statusCode == 200)
        #expect(world.refreshes.withLock { $0 } == 0)
    }

    /// The server also refuses the new token. The caller gets the 401, and no endless loop starts.
    @Test func thereIsNoEndlessLoop() async throws {
        let world = World()
        try await world.auth.saveAccessToken("old")
        let request = try await world.request()
        let transport = world.transport { try await $0.auth.saveAccessToken("wrong") }
        #expect(try await transport.data(for: request).1.statusCode == 401)
        #expect(world.refreshes.withLock { $0 } == 1)
        #expect(world.inner.requests.count == 2)

        try await world.auth.saveAccessToken("another")
        #expect(try await transport.data(for: request).1.statusCode == 401)
        #expect(world.refreshes.withLock { $0 } == 2)
        #expect(world.inner.requests.count == 5)
    }

    /// A refresh through the same transport that is refused would wait for itself.
    @Test func aRefreshThroughTheSameTransportDoesNotWaitForItself() async throws {
        let world = World()
        try await world.auth.saveAccessToken("old")
        let own = Mutex<ReauthTransport?>(nil)
        let transport = world.transport { world in
            let (_, response) = try await own.withLock { $0 }?.data(for: world.request("refresh")) ?? (Data(), nil)
            throw Refused(number: response?.statusCode ?? 0)
        }
        own.withLock { $0 = transport }
        let request = try await world.request()
        await #expect(throws: Refused(number: 401)) { try await transport.data(for: request) }
        #expect(world.refreshes.withLock { $0 } == 1)
        own.withLock { $0 = nil }
    }

    /// The attack: a server that must not see the token answers 401 to a request without a token.
    @Test func aRequestWithoutATokenStaysWithoutOne() async throws {
        let world = World()
        try await world.auth.saveAccessToken("new")
        let transport = world.transport { _ in }
        let request = URLRequest(url: try #require(URL(string: "https://elsewhere.example.net/")))
        #expect(try await transport.data(for: request).1.statusCode == 401)
        #expect(world.inner.requests.count == 1)
        #expect(world.refreshes.withLock { $0 } == 0)
        #expect(try await world.transport(alsoWithoutToken: true) { _ in }.data(for: request).1.statusCode == 200)
    }

    @Test func aStreamedBodyIsNotSentTwice() async throws {
        let world = World()
        try await world.auth.saveAccessToken("old")
        var request = try await world.request()
        request.httpBodyStream = InputStream(data: Data("x".utf8))
        let transport = world.transport { _ in }
        #expect(try await transport.data(for: request).1.statusCode == 401)
        #expect(world.inner.requests.count == 1)
    }

    /// Cancelling one request does not cancel the refresh or the other requests.
    @Test func aCancelledWaiterLeavesTheOthers() async throws {
        let world = World()
        try await world.auth.saveAccessToken("old")
        let door = Door()
        let transport = world.transport { world in
            await door.pass()
            try Task.checkCancellation()
            try await world.auth.saveAccessToken("new")
        }
        let request = try await world.request()
        let first = Task { try await transport.data(for: request).1.statusCode }
        await until { transport.coordinator.waiting == 1 }
        let second = Task { try await transport.data(for: request).1.statusCode }
        await until { transport.coordinator.waiting == 2 }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        door.open()
        #expect(try await second.value == 200)
        #expect(world.refreshes.withLock { $0 } == 1)
    }

    @Test func otherStatusesArePassedOn() async throws {
        let auth = InMemoryAuthService()
        try await auth.saveAccessToken("t")
        let request = try await auth.authorize(URLRequest(url: #require(URL(string: "https://api.example.com/"))))
        for status in [200, 403, 500] {
            let transport = ReauthTransport(
                inner: FakeTransport { _ in ("", status) }, authService: auth, refreshToken: { throw Refused() })
            #expect(try await transport.data(for: request).1.statusCode == status)
        }
    }

    /// The descriptions of a transport, its errors and its store do not contain the token.
    @Test func noDescriptionContainsTheToken() async throws {
        let world = World()
        try await world.auth.saveAccessToken("s3cret")
        let transport = world.transport { _ in throw Refused() }
        let error = await #expect(throws: Refused.self) { try await transport.data(for: world.request()) }
        for text in ["\(transport)", "\(world.auth)", "\(world.auth.keyChainStore)", "\(String(describing: error))"] {
            #expect(!text.contains("s3cret"))
        }
    }
}
