import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// Staged bundles, halts and timestamps, from the server to the policy in force.
@Suite(.timeLimit(.minutes(1))) struct RolloutFetchTests {
    private static let path = "/shop.bundle"

    /// Runs `body` with a server, whose files the test sets, and a function that makes fetchers.
    private func with(
        _ body: @Sendable (RolloutFetchWorld, ServedFiles, ScriptedServer) async throws -> Void
    ) async throws {
        try await FetchWorld.with { fetching in
            let files = ServedFiles()
            try await ScriptedServer.with({ files.response(to: $0) }) { server in
                try await body(RolloutFetchWorld(fetching), files, server)
            }
        }
    }

    private func fetcher(
        _ world: RolloutFetchWorld, _ app: BundleHolder, _ server: ScriptedServer
    ) -> PinBundleFetcher {
        world.fetching.fetcher(app, "http://127.0.0.1:\(server.port)\(Self.path)")
    }

    /// Returns the next events of a stream.
    private func next(_ count: Int, of events: AsyncStream<BundleFetchEvent>) async -> [BundleFetchEvent] {
        var list: [BundleFetchEvent] = []
        for await event in events {
            list.append(event)
            if list.count == count { break }
        }
        return list
    }

    @Test func aStagedBundleWaitsForItsStage() async throws {
        try await with { world, files, server in
            files.set(Self.path, try world.staged(2, after: 100))
            let app = try world.app(timestamps: false)
            let fetcher = fetcher(world, app, server)
            let begin = world.now.advanced(bySeconds: 100)
            #expect(try await fetcher.fetchNow() == .deferred(version: 2, until: begin))
            #expect(app.version == 1 && app.pendingVersion == 2)
            world.fetching.clock.advance(bySeconds: 100)
            #expect(try await fetcher.fetchNow() == .taken(version: 2))
            // The second response has no body, and the halt was requested only when the bundle was due.
            #expect(server.requests.map(\.target) == [Self.path, Self.path, Self.path + ".halt"])
            #expect(server.requests[1].field("if-none-match") != nil)
            #expect(try await fetcher.fetchNow() == .unchanged(version: 2))
            #expect(try world.app().version == 2)
        }
    }

    /// The desk halts a bad bundle. After the halt, a corrected bundle replaces it.
    @Test func aHaltStopsABundleUntilACorrectedOneArrives() async throws {
        try await with { world, files, server in
            files.set(Self.path, try world.staged(2))
            files.set(Self.path + ".halt", try world.halt(2))
            let app = try world.app(timestamps: false)
            let fetcher = fetcher(world, app, server)
            let end = world.now.advanced(bySeconds: 3_600)
            #expect(try await fetcher.fetchNow() == .halted(version: 2, until: end))
            #expect(try await fetcher.fetchNow() == .halted(version: 2, until: end))
            #expect(server.requests.last?.field("if-none-match") != nil, "the halt has an entity tag")
            #expect(app.version == 1)
            // The process restarts, and an attacker removes the halt from the server.
            files.set(Self.path + ".halt", nil)
            let restarted = try world.app(timestamps: false)
            let again = self.fetcher(world, restarted, server)
            #expect(try await again.fetchNow() == .halted(version: 2, until: end))
            files.set(Self.path, try world.staged(3))
            #expect(try await again.fetchNow() == .taken(version: 3))
        }
    }

    /// If it is unknown whether a halt exists, the bundle waits. A missing file means that no halt exists.
    @Test func aHaltThatCannotBeReadDelaysTheSwitch() async throws {
        try await with { world, files, server in
            files.set(Self.path, try world.staged(2))
            files.set(Self.path + ".halt", Array("<html>Log in to the hotel</html>".utf8))
            let app = try world.app(timestamps: false)
            let fetcher = fetcher(world, app, server)
            let events = fetcher.events
            #expect(try await fetcher.fetchNow() == .deferred(version: 2, until: world.now))
            let thief = BundleSigningKey(generating: .ed25519, id: "halt-a")
            files.set(Self.path + ".halt", try world.halt(2, by: thief))
            #expect(try await fetcher.fetchNow() == .deferred(version: 2, until: world.now))
            let codes = await next(4, of: events).compactMap { event -> BundleError.Code? in
                guard case .statementRefused(let error) = event else { return nil }
                return error.code
            }
            #expect(codes == [.malformed, .badSignature] && app.version == 1)
            // An old halt that is still on the server has no effect.
            let expired = try world.halt(2, lasts: 5)
            world.fetching.clock.advance(bySeconds: 6)
            files.set(Self.path + ".halt", expired)
            #expect(try await fetcher.fetchNow() == .taken(version: 2))
        }
    }

    /// The operator withdraws a pending bundle: the server has the previous one again.
    @Test func aPendingBundleThatTheServerNoLongerHasIsNotPutInForce() async throws {
        try await with { world, files, server in
            let first = try world.fetching.bundle(2)
            files.set(Self.path, first)
            let app = try world.app(timestamps: false)
            let fetcher = fetcher(world, app, server)
            #expect(try await fetcher.fetchNow() == .taken(version: 2))
            files.set(Self.path, try world.staged(3, after: 50))
            #expect(try await fetcher.fetchNow() == .deferred(version: 3, until: world.now.advanced(bySeconds: 50)))
            files.set(Self.path, first)
            world.fetching.clock.advance(bySeconds: 60)
            #expect(try await fetcher.fetchNow() == .unchanged(version: 2))
            #expect(try await fetcher.fetchNow() == .unchanged(version: 2))
            #expect(app.version == 2)
            files.set(Self.path, try world.staged(4))
            #expect(try await fetcher.fetchNow() == .taken(version: 4))
        }
    }

    /// The network serves an old bundle, or no timestamp at all.
    @Test func aFreezeIsReportedOnceAndEndsWithATimestamp() async throws {
        try await with { world, files, server in
            let bundle = try world.fetching.bundle(2, until: 9 * 86_400)
            files.set(Self.path, bundle)
            files.set(Self.path + ".timestamp", try world.timestamp(for: try world.fetching.bundle(3)))
            let app = try world.app()
            let fetcher = fetcher(world, app, server)
            let events = fetcher.events
            #expect(try await fetcher.fetchNow() == .taken(version: 2))
            #expect(await next(2, of: events) == [.taken(version: 2), .behind(version: 2, newest: 3)])
            let start = world.now
            world.fetching.clock.advance(bySeconds: 4 * 86_400)
            files.set(Self.path + ".timestamp", nil)
            let later = fetcher.events
            try await fetcher.fetchNow()
            try await fetcher.fetchNow()
            #expect(app.isFrozen(at: world.now))
            #expect(app.policies.snapshot.frozenAfter == start.advanced(bySeconds: 3 * 86_400))
            files.set(Self.path + ".timestamp", try world.timestamp(for: bundle))
            try await fetcher.fetchNow()
            #expect(!app.isFrozen(at: world.now))
            let seen = await next(7, of: later)
            #expect(seen.filter { $0 == .frozen(since: start) }.count == 1, "\(seen)")
        }
    }

    @Test func withoutATimestampKeyNoTimestampIsRequested() async throws {
        try await with { world, files, server in
            files.set(Self.path, try world.fetching.bundle(2))
            let app = try world.app(halts: false, timestamps: false)
            #expect(try await fetcher(world, app, server).fetchNow() == .taken(version: 2))
            #expect(server.requests.map(\.target) == [Self.path])
        }
    }

    /// A timestamp that names a halt shows that the server holds the halt back.
    @Test func aHaltThatIsHeldBackDelaysTheSwitch() async throws {
        try await with { world, files, server in
            let bundle = try world.staged(2)
            files.set(Self.path, bundle)
            let serial = world.now.secondsSince1970
            files.set(Self.path + ".timestamp", try world.timestamp(for: bundle, haltSerial: serial))
            let app = try world.app()
            let fetcher = fetcher(world, app, server)
            let until = world.now.advanced(bySeconds: 86_400)
            #expect(try await fetcher.fetchNow() == .deferred(version: 2, until: until))
            files.set(Self.path + ".halt", try world.halt(0))
            #expect(try await fetcher.fetchNow() == .taken(version: 2))
        }
    }

    @Test func aDamagedHaltServerIsRetriedSoon() async throws {
        try await FetchWorld.with { fetching in
            let world = RolloutFetchWorld(fetching)
            let files = ServedFiles()
            files.set(Self.path, try world.staged(2))
            try await ScriptedServer.with({ request in
                request.target == Self.path
                    ? files.response(to: request)
                    : [.respond(status: "503 Busy", fields: ["Retry-After: 500"])]
            }) { server in
                let app = try world.app(timestamps: false)
                let url = "http://127.0.0.1:\(server.port)\(Self.path)"
                let fetcher = fetching.fetcher(app, url, entropy: 7)
                let run = Task { await fetcher.run() }  // reason: cancelled below
                await fetching.pause.until(1)
                run.cancel()
                await run.value
                #expect(fetching.pause.asked.first == .seconds(500) && app.version == 1)
            }
        }
    }
}
