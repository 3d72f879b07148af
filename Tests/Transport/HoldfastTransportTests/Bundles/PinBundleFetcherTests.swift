import Foundation
import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import Synchronization
import Testing

/// Bundles, from the server to the policy in force.
@Suite(.timeLimit(.minutes(1))) struct PinBundleFetcherTests {
    private func url(_ server: ScriptedServer) -> String { "http://127.0.0.1:\(server.port)/shop.bundle" }

    private static func response(_ body: [UInt8], _ fields: [String] = []) -> [ScriptedAction] {
        let head = (["HTTP/1.1 200 OK", "Content-Length: \(body.count)"] + fields).joined(separator: "\n") + "\n\n"
        return [.text(head), .send(body)]
    }

    /// End to end: a bundle revokes the key of a server, and the open connection to that server is closed with the
    /// verdict.
    @Test(arguments: ScriptedVersion.allCases)
    func aBundleClosesTheConnectionsThatItRevokes(version: ScriptedVersion) async throws {
        try await FetchWorld.with { world in
            let bundles = try world.app()
            let bundle = try world.bundle(2, pin: world.pinned.rogue.spkiDigest)
            let source = try await ScriptedServer.start { _ in Self.response(bundle) }
            try await ScriptedServer.with(tls: ServerTLS(world.pinned.leaf), version: version) { _ in
                [.respond("x")]
            } _: { server in
                let sink = RecordedVerdicts()
                let trust = TrustContext.policies(bundles.policies, anchors: .only([world.pinned.root.view]))
                    .reporting(to: sink)
                let client = HTTPClient(configuration: world.pinned.configuration(trust: trust))
                _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
                #expect(client.live.count == 1)
                #expect(try await world.fetcher(bundles, url(source)).fetchNow() == .taken(version: 2))
                await server.waitForClosed(1)
                await client.untilAllAreClosed()
                let error = try await transportError {
                    _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
                }
                #expect(error.verdict?.finding.code == .pinMismatch)
                #expect(server.requests.count == 1)
                // The sink gets the connection's verdict, the verdict of the new policy, and the verdict of the next
                // connection.
                #expect(sink.all.map(\.permitsConnection) == [true, false, false])
            }
            try await source.stop()
        }
    }

    /// A bundle from a server with wrong pins can fix the pins of that server.
    @Test func wrongPinsAreFixed() async throws {
        try await FetchWorld.with { world in
            let bundles = BundleHolder(
                BundleState(
                    embedded: try PinningPolicy(holdfastJSON: FetchWorld.policy(world.pinned.rogue.spkiDigest)),
                    version: 1,
                    keys: [try BundleKey(id: "2031-a", publicKey: Array(world.signer.publicKeyPEM.utf8))],
                    application: FetchWorld.application), file: nil)
            let bundle = try world.bundle(2)
            try await ScriptedServer.with(tls: ServerTLS(world.pinned.leaf)) { _ in
                Self.response(bundle)
            } _: { server in
                let trust = TrustContext.policies(bundles.policies, anchors: .only([world.pinned.root.view]))
                let client = HTTPClient(configuration: world.pinned.configuration(trust: trust))
                let request = HTTPRequest(port: server.port)
                let error = try await transportError { _ = try await client.collect(request, upTo: 9_999) }
                #expect(error.code == .trustRefused)
                let fetcher = world.fetcher(bundles, "https://\(PinnedWorld.host):\(server.port)/")
                #expect(try await fetcher.fetchNow() == .taken(version: 2))
                #expect(try await client.collect(request, upTo: 9_999).body == bundle)
            }
        }
    }

    /// The tag is sent only with the bundle that it belongs to, also after a restart.
    @Test func theTagIsStoredWithTheBundle() async throws {
        try await FetchWorld.with { world in
            let bundle = try world.bundle(2)
            try await ScriptedServer.with({ request in
                request.field("if-none-match") == "\"v2\""
                    ? [.text("HTTP/1.1 304 Not Modified\n\n")] : Self.response(bundle, ["ETag: \"v2\""])
            }) { server in
                let first = try world.app()
                #expect(try first.restore(at: world.clock.now) == .nothingKept)
                let fetcher = world.fetcher(first, url(server))
                #expect(try await fetcher.fetchNow() == .taken(version: 2))
                #expect(try await fetcher.fetchNow() == .unchanged(version: 2))
                let second = try world.app()
                #expect(try second.restore(at: world.clock.now) == .restored)
                #expect(try await world.fetcher(second, url(server)).fetchNow() == .unchanged(version: 2))
                #expect(server.requests.map { $0.field("if-none-match") } == [nil, "\"v2\"", "\"v2\""])
                // The bundle is lost and its tag is not, so the bundle is fetched again.
                try FileManager.default.removeItem(atPath: world.folder + "/policy.bundle")
                let third = try world.app()
                #expect(try third.restore(at: world.clock.now) == .nothingKept)
                #expect(try await world.fetcher(third, url(server)).fetchNow() == .taken(version: 2))
                #expect(server.requests.last?.field("if-none-match") == nil)
            }
        }
    }

    /// A value that is not a single entity tag is not sent: for `*` every correct server would answer 304 forever.
    @Test(arguments: ["*", "\"a\",\"b\"", "\"a\"b\"", "W/*", "w/\"a\"", "a", "\"a", "\"", "W/\""])
    func aPoisonedTagIsNotSent(tag: String) async throws {
        try await FetchWorld.with { world in
            let bundles = [try world.bundle(2), try world.bundle(3)]
            try await ScriptedServer.with({ request in
                request.field("if-none-match") == nil
                    ? Self.response(bundles[min(request.connection, 1)], ["ETag: \(tag)"])
                    : [.text("HTTP/1.1 304 Not Modified\n\n")]
            }) { server in
                let fetcher = world.fetcher(try world.app(), url(server))
                #expect(try await fetcher.fetchNow() == .taken(version: 2))
                #expect(try await fetcher.fetchNow() == .taken(version: 3))
            }
        }
    }

    /// A valid tag that the server sent with the wrong bundle delays the update by at most one day, also over
    /// restarts.
    @Test(arguments: ["\"v3\"", "W/\"v3\"", "\"\""])
    func theNextVersionsTagCostsAtMostOneDay(tag: String) async throws {
        try await FetchWorld.with { world in
            let bundles = [try world.bundle(2, until: 1_000_000), try world.bundle(3, until: 1_000_000)]
            try await ScriptedServer.with({ request in
                request.field("if-none-match") == tag
                    ? [.text("HTTP/1.1 304 Not Modified\n\n")]
                    : Self.response(bundles[min(request.connection, 1)], ["ETag: \(tag)"])
            }) { server in
                #expect(try await world.fetcher(try world.app(), url(server)).fetchNow() == .taken(version: 2))
                world.clock.advance(bySeconds: 86_399)
                let app = try world.app()
                try app.restore(at: world.clock.now)
                let fetcher = world.fetcher(app, url(server))
                #expect(try await fetcher.fetchNow() == .unchanged(version: 2))
                world.clock.advance(bySeconds: 1)
                #expect(try await fetcher.fetchNow() == .taken(version: 3))
                // The day begins again here.
                #expect(try await fetcher.fetchNow() == .unchanged(version: 3))
                #expect(server.requests.map { $0.field("if-none-match") } == [nil, tag, nil, tag])
                // A clock that was set back does not extend the time.
                world.clock.advance(bySeconds: -10)
                #expect(try await fetcher.fetchNow() == .unchanged(version: 3))
                #expect(server.requests.last?.field("if-none-match") == nil)
            }
        }
    }

    /// If the bundle in force is stale, the request is unconditional.
    @Test func aStaleBundleIsFetchedWithoutATag() async throws {
        try await FetchWorld.with { world in
            let bundles = [try world.bundle(2), try world.bundle(3, until: 9_000)]
            try await ScriptedServer.with({ request in
                request.field("if-none-match") == nil
                    ? Self.response(bundles[min(request.connection, 1)], ["ETag: \"x\""])
                    : [.text("HTTP/1.1 304 Not Modified\n\n")]
            }) { server in
                let fetcher = world.fetcher(try world.app(), url(server))
                #expect(try await fetcher.fetchNow() == .taken(version: 2))
                world.clock.advance(bySeconds: 5_000)
                #expect(try await fetcher.fetchNow() == .taken(version: 3))
            }
        }
    }

    /// The app was updated before the server. That is not a failure, and the app does not fetch every minute.
    @Test(arguments: [4, 5] as [Int64])
    func anAppThatIsNewerThanTheServer(version: Int64) async throws {
        try await FetchWorld.with { world in
            let bundle = try world.bundle(version)
            try await ScriptedServer.with({ request in
                request.field("if-none-match") == "\"x\""
                    ? [.text("HTTP/1.1 304 Not Modified\n\n")] : Self.response(bundle, ["ETag: \"x\""])
            }) { server in
                let app = try world.app(version: 5)
                let fetcher = world.fetcher(app, url(server))
                let run = Task { await fetcher.run() }  // reason: cancelled below
                await world.pause.until(1)
                run.cancel()
                await run.value
                #expect(world.pause.asked.allSatisfy { $0 > .seconds(9_999) })
                #expect(try await fetcher.fetchNow() == .outdated(version: 5))
                #expect(server.requests.map { $0.field("if-none-match") } == [nil, "\"x\""])
                #expect(app.version == 5 && app.origin == .embedded)
            }
        }
    }

    /// A tag that changes with each response, or that cannot be sent, only causes an extra download.
    @Test func changingTagsOnlyCauseDownloads() async throws {
        try await FetchWorld.with { world in
            let bundle = try world.bundle(2)
            let tags = ["\"a\"", "\"b\"", String(repeating: "x", count: 5_000), "\"c d\"", "\"e\""]
            try await ScriptedServer.with({ Self.response(bundle, ["ETag: \(tags[$0.connection])"]) }) { server in
                let app = try world.app()
                let fetcher = world.fetcher(app, url(server))
                for number in tags.indices {
                    let expected: BundleFetchEvent = number == 0 ? .taken(version: 2) : .unchanged(version: 2)
                    #expect(try await fetcher.fetchNow() == expected)
                }
                #expect(server.requests.map { $0.field("if-none-match") } == [nil, "\"a\"", "\"b\"", nil, nil])
            }
        }
    }

    /// Whatever a server sends, an invalid bundle does not replace the policy in force.
    @Test func invalidBundlesAreRefused() async throws {
        try await FetchWorld.with { world in
            let app = try world.app()
            let thief = BundleSigningKey(generating: .ed25519, id: "2031-a")
            let answers: [(bytes: [UInt8], code: BundleError.Code)] = [
                (try world.bundle(4), .rollback),
                (try world.bundle(5, pin: world.pinned.root.spkiDigest), .versionReused),
                (try world.bundle(6, application: "com.example.other"), .wrongApplication),
                (try world.bundle(6, by: thief), .badSignature), (try world.bundle(6, from: 10), .notYetValid),
                (try world.bundle(6, until: -1), .expired), ([], .malformed),
                (Array("<html>Log in to the hotel</html>".utf8), .malformed),
            ]
            try app.offer(world.bundle(5), at: world.clock.now)
            let before = (app.policies.snapshot, try BundleFile(folder: world.folder).load())
            try await ScriptedServer.with({ Self.response(answers[$0.connection].bytes) }) { server in
                let fetcher = world.fetcher(app, url(server))
                for answer in answers {
                    guard case .refused(let error) = try await fetcher.fetchNow() else {
                        Issue.record("taken: \(answer.code)")
                        continue
                    }
                    #expect(error.code == answer.code)
                }
            }
            #expect(app.policies.snapshot == before.0)
            #expect(try BundleFile(folder: world.folder).load() == before.1)
        }
    }

    /// Responses without a bundle: an error status, a redirect, an unrequested 304, too many bytes, an unreachable
    /// server.
    @Test func failuresAreReported() async throws {
        try await FetchWorld.with { world in
            let app = try world.app()
            let other = try await ScriptedServer.start { _ in [.respond("x")] }
            let location = "Location: \(url(other))"
            let scripts: [([ScriptedAction], BundleFetchError.Code, Int?)] = [
                ([.respond(status: "404 Gone")], .status, 404),
                ([.respond(status: "302 Found", fields: [location])], .status, 302),
                ([.text("HTTP/1.1 304 Not Modified\n\n")], .status, 304),
                ([.respond(status: "503 Busy")], .status, 503),
                ([.text("HTTP/1.1 200 OK\nContent-Length: 99999999999\n\n")], .tooLarge, nil),
                ([.text("HTTP/1.1 200 OK\n\n" + String(repeating: "x", count: 1_025))], .tooLarge, nil),
                ([.cut], .network, nil),
            ]
            try await ScriptedServer.with({ scripts[$0.connection].0 }) { server in
                let fetcher = world.fetcher(app, url(server)) { $0.maximumSize = 1_024 }
                for (_, code, status) in scripts {
                    guard case .failed(let error) = try await fetcher.fetchNow() else {
                        Issue.record("no failure: \(code)")
                        continue
                    }
                    #expect(error.code == code && error.status == status)
                }
            }
            for address in [
                "http://example.com/x", "ftp://example.com/", "example.com", "https://user:secret@example.com/",
            ] {
                guard case .failed(let error) = try await world.fetcher(app, address).fetchNow() else {
                    Issue.record("no failure: \(address)")
                    continue
                }
                #expect(error.code == .badAddress && !error.reason.contains("secret"))
            }
            #expect(other.requests.isEmpty && app.origin == .embedded)
            try await other.stop()
        }
    }

    /// A bundle of a server that fails verification is not used. A server that is too slow is abandoned.
    @Test func anUntrustedServerIsNotUsed() async throws {
        try await FetchWorld.with { world in
            let bundle = try world.bundle(2)
            try await ScriptedServer.with(tls: ServerTLS(world.pinned.rogue)) { _ in
                Self.response(bundle)
            } _: { server in
                let app = try world.app()
                let event = try await world.fetcher(app, "https://\(PinnedWorld.host):\(server.port)/").fetchNow()
                guard case .failed(let error) = event else { throw MissingError() }
                #expect(error.code == .network && server.requests.isEmpty && app.version == 1)
            }
        }
    }

    @Test func aSlowServerTimesOut() async throws {
        try await FetchWorld.with { world in
            let network = VirtualWorld()
            let app = try world.app()
            let fetcher = world.fetcher(app, "http://127.0.0.1:9/", client: network.client())
            let fetching = Task { try await fetcher.fetchNow() }  // reason: the test moves time meanwhile
            try await network.request()
            try await network.respond("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
            for _ in 0..<5 {
                await network.pass(.seconds(11))
                try await network.respond("x")
            }
            await network.pass(.seconds(5))
            guard case .failed(let error) = try await fetching.value else { throw MissingError() }
            #expect(error.code == .network)
        }
    }

    /// The loop fetches at once, then after the interval. It fetches earlier after failures, and waits as long as the
    /// server asks, within bounds.
    @Test func theLoopFetchesOnSchedule() async throws {
        try await FetchWorld.with { world in
            let (second, third) = (try world.bundle(2), try world.bundle(3))
            let scripts: [[ScriptedAction]] = [
                Self.response(second), [.respond(status: "503 Busy", fields: ["Retry-After: 99999999999"])],
                [.respond(status: "500 Oh")], Self.response(third), Self.response(third),
            ]
            try await ScriptedServer.with({ scripts[$0.connection] }) { server in
                let app = try world.app()
                let fetcher = world.fetcher(app, url(server), entropy: 7)
                let events = fetcher.events
                let run = Task { await fetcher.run() }  // reason: cancelled below
                for round in 1...5 {
                    await world.pause.until(round)
                    if round < 5 { world.pause.wake() }
                }
                run.cancel()
                await run.value
                let usual = Duration.seconds(21_600 - 4_320 + 7)
                #expect(world.pause.asked == [usual, .seconds(86_400), .seconds(7), usual, usual])
                var told: [BundleFetchEvent] = []
                for await event in events {
                    told.append(event)
                    if told.count == 5 { break }
                }
                #expect(told.first == .taken(version: 2) && told.last == .unchanged(version: 3))
                #expect(told[3] == .taken(version: 3))
            }
        }
    }

    /// A bundle that cannot be written to the disk is in force. Writing is retried soon, even if the server has
    /// nothing new.
    @Test func writingIsRetried() async throws {
        try await FetchWorld.with { world in
            try FileManager.default.createDirectory(
                atPath: world.folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o777])
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: world.folder)
            let bundle = try world.bundle(2)
            try await ScriptedServer.with({ request in
                request.field("if-none-match") == nil
                    ? Self.response(bundle, ["ETag: \"x\""]) : [.text("HTTP/1.1 304 Not Modified\n\n")]
            }) { server in
                let app = try world.app()
                let fetcher = world.fetcher(app, url(server), entropy: 7)
                let events = fetcher.events
                let run = Task { await fetcher.run() }  // reason: cancelled below
                await world.pause.until(1)
                #expect(app.version == 2 && app.isStorageOwed)
                world.pause.wake()
                await world.pause.until(2)
                try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: world.folder)
                world.pause.wake()
                await world.pause.until(3)
                run.cancel()
                await run.value
                #expect(!app.isStorageOwed)
                #expect(
                    world.pause.asked.prefix(2) == [.seconds(7), .seconds(7)] && world.pause.asked[2] > .seconds(9_999))
                var told: [String] = []
                for await event in events {
                    switch event {
                    case .notKept: told.append("notKept")
                    case .kept: told.append("kept")
                    case .taken: told.append("taken")
                    case .unchanged: told.append("unchanged")
                    default: told.append("\(event)")
                    }
                    if told.count == 6 { break }
                }
                #expect(told == ["taken", "notKept", "notKept", "unchanged", "kept", "unchanged"])
                #expect(try world.app().restore(at: world.clock.now) == .restored)
            }
        }
    }

    /// A stale bundle stays in force, and is reported once.
    @Test func aStaleBundleStaysInForceAndIsReported() async throws {
        try await FetchWorld.with { world in
            let bundle = try world.bundle(2)
            try await ScriptedServer.with({
                $0.connection == 0 ? Self.response(bundle) : [.respond(status: "500 Oh")]
            }) { server in
                let app = try world.app()
                let fetcher = world.fetcher(app, url(server))
                let events = fetcher.events
                try await fetcher.fetchNow()
                world.clock.advance(bySeconds: 5_000)
                try await fetcher.fetchNow()
                try await fetcher.fetchNow()
                var stale = 0
                var count = 0
                for await event in events {
                    if event == .stale(version: 2) { stale += 1 }
                    count += 1
                    if count == 4 { break }
                }
                #expect(stale == 1 && app.version == 2)
            }
        }
    }

    @Test func cancellationIsNotAFailure() async throws {
        try await FetchWorld.with { world in
            let never = Trigger()
            try await ScriptedServer.with({ _ in [.wait(never)] }) { server in
                let fetcher = world.fetcher(try world.app(), url(server))
                let fetching = Task { try await fetcher.fetchNow() }  // reason: cancelled while the server is silent
                await server.waitForRequests(1)
                fetching.cancel()
                await #expect(throws: CancellationError.self) { try await fetching.value }
            }
        }
    }
}
