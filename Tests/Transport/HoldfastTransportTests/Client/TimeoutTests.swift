import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import NIOCore
import NIOEmbedded
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A timeout error names the phase, and no timeout fires early. The tests use virtual time.
@Suite(.timeLimit(.minutes(1))) struct TimeoutTests {
    private let world = VirtualWorld()
    private let request = HTTPRequest.plain(port: 80)
    private let head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"

    private func begin(_ client: HTTPClient, _ options: RequestOptions = RequestOptions()) -> Task<Int, any Error> {
        Task { [request] in  // reason: the test moves time while the request is in progress
            try await client.collect(request, upTo: 9, options: options).body.count
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aMissingResponse(version: ScriptedVersion) async throws {
        let world = VirtualWorld(version)
        let client = world.client()
        let task = begin(client)
        try await world.request()
        await world.pass(.milliseconds(29_999))
        #expect(client.live.count == 1)
        await world.pass(.milliseconds(1))
        let error = try await transportError { _ = try await task.value }
        #expect(error.code == .timedOut)
        #expect(error.phase == .awaitingResponse)
        #expect(client.live.isEmpty)
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aBodyThatStops(version: ScriptedVersion) async throws {
        let world = VirtualWorld(version)
        let client = world.client()
        let task = begin(client)
        try await world.request()
        await world.pass(.seconds(20))
        try await world.respond(head + "x")
        await world.pass(.milliseconds(29_999))
        #expect(client.live.count == 1)
        await world.pass(.milliseconds(1))
        let error = try await transportError { _ = try await task.value }
        #expect(error.code == .timedOut)
        #expect(error.phase == .receiving)
    }

    /// Each byte counts as progress: the whole response may take many times the idle timeout.
    @Test(arguments: ScriptedVersion.allCases)
    func progressRestartsTheIdleTimeout(version: ScriptedVersion) async throws {
        let world = VirtualWorld(version)
        let client = world.client()
        let task = begin(client)
        try await world.request()
        for part in [head, "a", "b", "c", "d"] {
            await world.pass(.milliseconds(29_999))
            try await world.respond(part)
        }
        #expect(try await task.value == 4)
    }

    /// Progress does not extend the total timeout.
    @Test(arguments: ScriptedVersion.allCases)
    func theTotalTimeoutEndsASlowResponse(version: ScriptedVersion) async throws {
        let world = VirtualWorld(version)
        let client = world.client()
        let task = begin(client, RequestOptions(totalTimeout: .seconds(60)))
        try await world.request()
        try await world.respond(head)
        for _ in 0..<3 {
            await world.pass(.seconds(19))
            try await world.respond("x")
        }
        #expect(client.live.count == 1)
        await world.pass(.seconds(3))
        let error = try await transportError { _ = try await task.value }
        #expect(error.code == .timedOut)
        #expect(error.phase == .total)
    }

    @Test func noConnectionBecomesAvailable() async throws {
        let client = world.client { $0.maximumConnectionsPerHost = 1 }
        let first = begin(client, RequestOptions(idleTimeout: .seconds(100)))
        try await world.request()
        let second = begin(client)
        let third = begin(client, RequestOptions(idleTimeout: .seconds(100), totalTimeout: .seconds(40)))
        while client.waitingCount < 2 { await Task.yield() }
        await world.pass(.milliseconds(29_999))
        #expect(client.waitingCount == 2)
        await world.pass(.milliseconds(1))
        let error = try await transportError { _ = try await second.value }
        #expect(error.code == .timedOut)
        #expect(error.phase == .waiting)
        await world.pass(.seconds(10))
        let total = try await transportError { _ = try await third.value }
        #expect(total.phase == .total)
        // The first request is not affected.
        try await world.respond(head + "1234")
        #expect(try await first.value == 4)
    }

    /// A queued request does not depend on the dials for other requests. However many requests are ahead of it, it
    /// waits at most its timeout, and once more that time if it gets its own dial at the last moment.
    @Test func aSilentHostDoesNotBlockTheQueue() async throws {
        let world = VirtualWorld(.http1)
        let client = world.client { $0.maximumConnectionsPerHost = 1 }
        world.fallSilent()
        let tasks = (0..<6).map { _ in begin(client) }
        while client.waitingCount < tasks.count { await Task.yield() }
        for remaining in [1, 0] {
            await world.pass(.seconds(30))
            // A request is in the queue shortly before its timer is set, and leaves it shortly after.
            var seconds = 0
            while client.waitingCount > remaining, seconds < 40 {
                await world.pass(.seconds(1))
                seconds += 1
            }
            #expect(client.waitingCount <= remaining)
        }
        for task in tasks {
            let error = try await transportError { _ = try await task.value }
            #expect(error.code == .timedOut)
            #expect(error.phase == .connecting || error.phase == .waiting)
        }
    }

    /// All waiting requests share a timer. An earlier timeout fires on time, and the later one is kept.
    @Test func aShorterTimeoutEndsFirst() async throws {
        let world = VirtualWorld(.http1)
        let client = world.client { $0.maximumConnectionsPerHost = 1 }
        let first = begin(client, RequestOptions(idleTimeout: .seconds(100)))
        try await world.request()
        let patient = begin(client, RequestOptions(idleTimeout: .seconds(50)))
        while client.waitingCount < 1 { await Task.yield() }
        let hasty = begin(client, RequestOptions(idleTimeout: .seconds(5)))
        while client.waitingCount < 2 { await Task.yield() }
        // A request is in the queue shortly before its timer is set.
        var seconds = 0
        while client.waitingCount == 2, seconds < 40 {
            await world.pass(.seconds(1))
            seconds += 1
        }
        let error = try await transportError { _ = try await hasty.value }
        #expect(error.phase == .waiting)
        #expect(client.waitingCount == 1)
        while client.waitingCount == 1, seconds < 80 {
            await world.pass(.seconds(1))
            seconds += 1
        }
        #expect(seconds >= 50)
        let later = try await transportError { _ = try await patient.value }
        #expect(later.phase == .waiting)
        try await world.respond(head + "1234")
        #expect(try await first.value == 4)
    }

    /// A slow reader is not the server's fault.
    @Test(arguments: ScriptedVersion.allCases)
    func aSlowReaderDoesNotTimeOut(version: ScriptedVersion) async throws {
        let world = VirtualWorld(version)
        let client = world.client()
        let pause = AsyncStream<Void>.makeStream()
        let begun = AsyncStream<Void>.makeStream()
        let size = 1_000_000
        let task = Task { [request] in  // reason: the test moves time while the request is in progress
            try await client.execute(request) { _, body in
                var count = try await body.next()?.count ?? 0
                begun.continuation.finish()
                for await _ in pause.stream {}
                while let part = try await body.next() { count += part.count }
                return count
            }
        }
        try await world.request()
        try await world.respond("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
        try await world.respond(String(repeating: "x", count: 10))
        for await _ in begun.stream {}
        try await world.respond(String(repeating: "x", count: size - 20))
        await world.pass(.hours(1))
        #expect(client.live.count == 1)
        pause.continuation.finish()
        // The reader has caught up. From here the request waits for the server again.
        try await world.respond(String(repeating: "x", count: 10))
        #expect(try await task.value == size)
    }

    @Test(arguments: ScriptedVersion.allCases)
    func anIdleConnectionIsClosedInTime(version: ScriptedVersion) async throws {
        let world = VirtualWorld(version)
        let client = world.client { $0.keepAlive = .seconds(10) }
        for _ in 0..<2 {
            let task = begin(client)
            try await world.request()
            try await world.respond(head + "1234")
            #expect(try await task.value == 4)
            await world.pass(.milliseconds(9_999))
        }
        #expect(client.live.count == 1)
        await world.pass(.milliseconds(1))
        #expect(client.live.isEmpty)
        #expect(world.attempts == 1)
    }

    /// `Keep-Alive: timeout=5` is honoured with a margin of one second.
    @Test func theServersKeepAliveIsHonoured() async throws {
        let client = world.client()
        let task = begin(client)
        try await world.request()
        try await world.respond("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5, max=9\r\nContent-Length: 0\r\n\r\n")
        #expect(try await task.value == 0)
        await world.pass(.milliseconds(3_999))
        #expect(client.live.count == 1)
        await world.pass(.milliseconds(1))
        #expect(client.live.isEmpty)
    }

    // MARK: Connectivity

    private let unreachable = IOError(errnoCode: ENETUNREACH, reason: "test")

    @Test(arguments: ScriptedVersion.allCases)
    func withoutANetworkARequestFailsAtOnce(version: ScriptedVersion) async throws {
        let world = VirtualWorld(version)
        world.failNext([unreachable])
        let error = try await transportError { _ = try await begin(world.client()).value }
        #expect(error.code == .noConnectivity)
        #expect(world.attempts == 1)
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aRequestCanWaitForTheNetwork(version: ScriptedVersion) async throws {
        let world = VirtualWorld(version)
        world.failNext([unreachable, unreachable, unreachable])
        let client = world.client()
        let task = begin(client, RequestOptions(totalTimeout: .seconds(120), waitsForConnectivity: true))
        for (attempt, wait) in [TimeAmount.milliseconds(500), .seconds(1), .seconds(2)].enumerated() {
            while world.attempts < attempt + 1 { await Task.yield() }
            await settle(client, world)
            // An event before the wait does not count.
            var waited = TimeAmount.zero
            while world.attempts == attempt + 1 {
                await world.pass(.milliseconds(1))
                waited = waited + .milliseconds(1)
            }
            #expect(waited >= wait)
        }
        try await world.request()
        try await world.respond(head + "1234")
        #expect(try await task.value == 4)
        #expect(world.attempts == 4)
    }

    @Test(arguments: ScriptedVersion.allCases)
    func theTotalTimeoutEndsTheWaitForTheNetwork(version: ScriptedVersion) async throws {
        let world = VirtualWorld(version)
        world.failNext(Array(repeating: unreachable, count: 1000))
        let client = world.client()
        let task = begin(client, RequestOptions(totalTimeout: .seconds(120), waitsForConnectivity: true))
        while world.attempts == 0 { await Task.yield() }
        await settle(client, world)
        // Longer than the idle timeout, which does not apply while the network is absent.
        for _ in 0..<120 { await world.pass(.seconds(1)) }
        let error = try await transportError { _ = try await task.value }
        #expect(error.code == .timedOut)
        #expect(error.phase == .total)
    }

    /// A request that waits for the network does not hold a connection that others could use.
    @Test func waitingForTheNetworkHoldsNoConnection() async throws {
        let world = VirtualWorld(.http1)
        world.failNext([unreachable])
        let client = world.client { $0.limits.connections = 1 }
        let task = begin(client, RequestOptions(totalTimeout: .seconds(120), waitsForConnectivity: true))
        while world.attempts == 0 { await Task.yield() }
        await settle(client, world)
        async let other = client.collect(.plain(port: 81), upTo: 9)
        try await world.request()
        try await world.respond("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        try await world.channel().close()
        #expect(try await other.body.isEmpty)
        await world.pass(.milliseconds(500))
        try await world.request(on: 1)
        try await world.respond(head + "1234", on: 1)
        #expect(try await task.value == 4)
    }

    /// A request waits only for an absent network. A refused connection fails at once.
    @Test(arguments: ScriptedVersion.allCases)
    func aRefusedConnectionFailsAtOnce(version: ScriptedVersion) async throws {
        let world = VirtualWorld(version)
        world.failNext([IOError(errnoCode: ECONNREFUSED, reason: "test")])
        let options = RequestOptions(totalTimeout: .seconds(120), waitsForConnectivity: true)
        let error = try await transportError { _ = try await begin(world.client(), options).value }
        #expect(error.code == .connectionRefused)
    }

    /// Waits until the request is in the queue and its dial is postponed.
    private func settle(_ client: HTTPClient, _ world: VirtualWorld) async {
        while client.waitingCount == 0 { await Task.yield() }
        await world.loop.run()
    }

    // MARK: Numbers

    /// Numbers from a document do not trap.
    @Test func everyNumberOfSecondsIsADuration() {
        #expect(Duration(clampingSeconds: 1.5) == .milliseconds(1500))
        #expect(Duration(clampingSeconds: .nan) == .zero)
        #expect(Duration(clampingSeconds: -1) == .zero)
        #expect(Duration(clampingSeconds: .infinity) == .seconds(3_155_760_000))
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(-1), .zero], ScriptedVersion.allCases)
    func everyDurationIsValid(duration: Duration, version: ScriptedVersion) async throws {
        let world = VirtualWorld(version)
        let client = world.client {
            $0.keepAlive = duration
            $0.connectTimeout = duration
            $0.tlsTimeout = duration
        }
        let task = begin(client, RequestOptions(idleTimeout: .seconds(Int64.max), totalTimeout: .seconds(Int64.max)))
        try await world.request()
        try await world.respond(head + "1234")
        #expect(try await task.value == 4)
    }
}
