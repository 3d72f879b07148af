import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization
import Testing

/// How HTTP/2 connections begin, are shared, and end.
@Suite(.timeLimit(.minutes(1))) struct HTTP2ConnectionTests {
    // MARK: Sharing

    /// Requests use as many streams as the server allows, and then wait. A second connection opens only if the limit
    /// permits it.
    @Test(arguments: [1, 2])
    func theServersStreamLimitIsKept(connections: Int) async throws {
        var settings = ScriptedServer.Settings(version: .http2)
        settings.concurrentStreams = 3
        settings.onRequest = { [.respond($0.target)] }
        try await ScriptedServer.with(settings) { server in
            let client = FrameServer.client { $0.maximumConnectionsPerHost = connections }
            // With the first response the client has received the server's limit.
            _ = try await FrameServer.get(client, server.port)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let text = try await FrameServer.get(client, server.port, "/\(number)")
                        #expect(text == "/\(number)")
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.connectionCount <= connections)
            // No request was refused and sent again.
            #expect(server.requests.count == 41)
        }
    }

    /// Distributed by load, requests open further connections before all streams are in use, up to the limit. By
    /// default they use one connection.
    @Test(arguments: [HTTP2Distribution.oldestFirst, .leastLoaded(loadFactor: 0.5, connections: 2)])
    func requestsAreDistributed(distribution: HTTP2Distribution) async throws {
        let release = Trigger()
        var settings = ScriptedServer.Settings(version: .http2)
        settings.concurrentStreams = 4
        settings.onRequest = { $0.target == "/" ? [.respond("/")] : [.wait(release), .respond($0.target)] }
        try await ScriptedServer.with(settings) { server in
            let client = FrameServer.client { $0.http2Distribution = distribution }
            // With the first response the client has received the server's limit.
            _ = try await FrameServer.get(client, server.port)
            let isDistributed = distribution != .oldestFirst
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...2 {
                    group.addTask {
                        let text = try await FrameServer.get(client, server.port, "/\(number)")
                        #expect(text == "/\(number)")
                    }
                }
                await server.waitForRequests(3)
                #expect(isDistributed || server.connectionCount == 1)
                // Half of the streams are open.
                while isDistributed, client.live.count < 2, !Task.isCancelled { await Task.yield() }
                for number in 3...20 {
                    group.addTask {
                        let text = try await FrameServer.get(client, server.port, "/\(number)")
                        #expect(text == "/\(number)")
                    }
                }
                if isDistributed {
                    // Two connections carry eight requests. The other twelve wait for a stream.
                    await server.waitForRequests(9)
                    while client.waitingCount < 12, !Task.isCancelled { await Task.yield() }
                    #expect(Set(server.requests.suffix(8).map(\.connection)) == [0, 1])
                    #expect(server.connectionCount == 2)
                }
                release.fire()
                try await group.waitForAll()
            }
            #expect(server.requests.count == 21)
            #expect(server.connectionCount <= (isDistributed ? 2 : 8))
            await client.shutdown()
        }
    }

    /// A policy that refuses the server ends all streams of the connection with the verdict.
    @Test func aChangedPolicyEndsEveryStream() async throws {
        let world = try PinnedWorld()
        let policies = try [world.leaf, world.rogue].map { identity in
            try PinningPolicy(
                name: "test",
                rules: [PinningRule(HostPattern(PinnedWorld.host), pins: PinSet([Pin(identity.spkiDigest)]))],
                backupPins: .off)
        }
        let holder = PolicyHolder(policies[0])
        try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: .http2) { _ in
            []
        } _: { server in
            let trust = TrustContext.policies(holder, anchors: .only([world.root.view]))
            let client = HTTPClient(configuration: world.configuration(trust: trust))
            let requests = (0..<5).map { _ in
                Task {  // reason: the policy changes while they are in progress
                    try await transportError {
                        _ = try await client.collect(HTTPRequest(.post, port: server.port), upTo: 9)
                    }
                }
            }
            await server.waitForRequests(5)
            holder.replace(with: policies[1])
            for request in requests {
                let error = try await request.value
                #expect(error.code == .trustRefused)
                #expect(error.verdict?.finding.code == .pinMismatch)
            }
            #expect(server.connectionCount == 1)
        }
    }

    /// A burst of requests to a new server does not open a connection for each request.
    @Test func aBurstOpensOneConnection() async throws {
        let world = try PinnedWorld()
        for version in ScriptedVersion.allCases {
            try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: version) {
                [.respond($0.target)]
            } _: { server in
                let client = HTTPClient(configuration: world.configuration())
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<60 {
                        group.addTask {
                            let request = HTTPRequest(port: server.port, path: "/\(number)")
                            let answer = try await client.collect(request, upTo: 99)
                            #expect(answer.text == "/\(number)")
                            #expect(answer.facts.applicationProtocol == (version == .http2 ? "h2" : nil))
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(version == .http2 ? server.connectionCount == 1 : server.connectionCount <= 8)
                await client.shutdown()
            }
        }
    }

    /// The server temporarily allows no streams.
    @Test func noStreamsTemporarily() async throws {
        let opened = Trigger()
        try await FrameServer.withFrames(first: [.settings([(3, 0)]), .settingsAck]) { _, frame in
            // When the client acknowledges those settings, the server allows one stream.
            if frame.kind == 4, frame.flags == 1, !opened.hasFired {
                opened.fire()
                return [.settings([(3, 1)])]
            }
            return frame.endsStream ? FrameServer.ok(frame.stream) : []
        } _: { server in
            let client = FrameServer.client { $0.maximumConnectionsPerHost = 1 }
            for _ in 0..<3 { try await FrameServer.expect("ok") { try await FrameServer.post(client, server.port) } }
        }
    }

    /// A stream that is not read does not block the others.
    @Test func aSlowReaderDoesNotBlockOthers() async throws {
        let large = String(repeating: "x", count: 2 * 1024 * 1024)
        try await ScriptedServer.with(version: .http2) {
            [.respond($0.target == "/large" ? large : "small")]
        } _: { server in
            let client = FrameServer.client()
            let count = try await client.execute(.plain(port: server.port, path: "/large")) { _, body in
                var count = try await body.next()?.count ?? 0
                for _ in 0..<50 {
                    let small = try await FrameServer.get(client, server.port)
                    #expect(small == "small")
                }
                while let part = try await body.next() { count += part.count }
                return count
            }
            #expect(count == large.utf8.count)
            #expect(server.connectionCount == 1)
        }
    }

    /// A cancelled request resets only its own stream.
    @Test func aCancelledRequestResetsItsStreamAlone() async throws {
        let release = Trigger()
        try await ScriptedServer.with(version: .http2) {
            $0.target == "/never" ? [] : [.wait(release), .respond("x")]
        } _: { server in
            let client = FrameServer.client()
            async let other = FrameServer.get(client, server.port)
            await server.waitForRequests(1)
            let request = Task {  // reason: the test cancels it
                try await client.collect(.plain(port: server.port, path: "/never"), upTo: 9)
            }
            await server.waitForRequests(2)
            request.cancel()
            let error = try await transportError { _ = try await request.value }
            #expect(error.code == .cancelled)
            await server.waitForAbandoned(1)
            release.fire()
            let text = try await other
            #expect(text == "x")
            #expect(server.connectionCount == 1)
        }
    }

    @Test func requestsInProgressMayFinishAtShutdown() async throws {
        let release = Trigger()
        try await ScriptedServer.with(version: .http2) {
            $0.target == "/late" ? [.respond("late")] : [.wait(release), .respond("x")]
        } _: { server in
            let client = FrameServer.client()
            async let first = FrameServer.get(client, server.port)
            async let second = FrameServer.get(client, server.port)
            await server.waitForRequests(2)
            async let end: Void = client.shutdown(gracePeriod: .seconds(600))
            while try await transportErrorOrNil({ _ = try await FrameServer.get(client, server.port, "/late") })?.code
                != .shutDown
            {}
            release.fire()
            let texts = try await [first, second]
            #expect(texts == ["x", "x"])
            await end
            #expect(client.live.isEmpty)
        }
    }

    // MARK: Versions

    @Test func http2IsUsedIfTheServerSelectsIt() async throws {
        let world = try PinnedWorld()
        let tls = ServerTLS(world.leaf)
        try await ScriptedServer.with(tls: tls, version: .http2) { _ in
            [.respond("hello")]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            let answer = try await client.collect(HTTPRequest(port: server.port, path: "/x?y"), upTo: 100)
            #expect(answer.text == "hello")
            #expect(answer.facts.applicationProtocol == "h2")
            #expect(server.requests.first?.target == "/x?y")
            #expect(server.requests.first?.field("host") == "\(PinnedWorld.host):\(server.port)")
            await client.shutdown()
        }
    }

    @Test func aClientForHTTP2RefusesOtherVersions() async throws {
        let world = try PinnedWorld()
        var other = ServerTLS(world.leaf)
        other.applicationProtocols = ["http/1.1"]
        for tls in [ServerTLS(world.leaf), other] {
            try await ScriptedServer.with(tls: tls) { _ in
                [.respond("x")]
            } _: { server in
                var configuration = world.configuration()
                configuration.httpVersions = .http2Only
                let client = HTTPClient(configuration: configuration)
                let error = try await transportError {
                    _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
                }
                #expect(error.code == .noCommonProtocol)
                #expect(server.requests.isEmpty)
                configuration.httpVersions = .automatic
                let automatic = HTTPClient(configuration: configuration)
                let answer = try await automatic.collect(HTTPRequest(port: server.port), upTo: 9)
                #expect(answer.text == "x")
            }
        }
    }

    @Test func aClientForHTTP1OffersNoOtherVersion() async throws {
        let world = try PinnedWorld()
        var tls = ServerTLS(world.leaf)
        tls.applicationProtocols = ["h2", "http/1.1"]
        try await ScriptedServer.with(tls: tls) { _ in
            [.respond("x")]
        } _: { server in
            var configuration = world.configuration()
            configuration.httpVersions = .http1Only
            let client = HTTPClient(configuration: configuration)
            let answer = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            #expect(answer.facts.applicationProtocol == "http/1.1")
        }
    }

    /// Without TLS there is no negotiation: the client uses HTTP/1.1 unless the caller asks for HTTP/2. Off the
    /// loopback interface it refuses.
    @Test func withoutTLSTheCallerSelectsTheVersion() async throws {
        try await ScriptedServer.with { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: .forPlainServers)
            let answer = try await client.collect(.plain(port: server.port), upTo: 9)
            #expect(answer.text == "x")
        }
        let error = try await transportError {
            _ = try await FrameServer.client().collect(HTTPRequest(port: 9, scheme: "http"), upTo: 9)
        }
        #expect(error.code == .cleartextRefused)
    }

    // MARK: What is sent

    @Test func theFieldsOfARequest() async throws {
        try await ScriptedServer.with(version: .http2) { _ in
            [.respond()]
        } _: { server in
            let client = FrameServer.client()
            var request = HTTPRequest.plain(
                .post, port: server.port, path: "/p?q=%20", [.accept: "a", .cookie: "b=c", .connection: "close"])
            request.headerFields.append(HTTPField(name: .accept, value: "d"))
            let name = try #require(HTTPField.Name("Keep-Alive"))
            request.headerFields[name] = "timeout=5"
            let options = RequestOptions(decompression: .on())
            _ = try await client.collect(request, upTo: 9, options: options)
            let sent = try #require(server.requests.first)
            #expect(sent.method == "POST")
            #expect(sent.target == "/p?q=%20")
            #expect(
                sent.fields.map { "\($0.name): \($0.value)" } == [
                    "Host: 127.0.0.1:\(server.port)", "accept: a", "cookie: b=c", "accept: d",
                    "accept-encoding: gzip, deflate", "content-length: 0",
                ])
        }
    }

    /// A head must fit into a frame. A larger head is refused, and the connection stays usable.
    @Test func aHeadThatDoesNotFitIsRefused() async throws {
        try await ScriptedServer.with(version: .http2) { _ in
            [.respond("x")]
        } _: { server in
            let client = FrameServer.client()
            for (value, fits) in [
                (String(repeating: "a", count: 16_000), true), (String(repeating: "a", count: 16_384), false),
                (String(repeating: "~", count: 8_000), true), (String(repeating: "~", count: 8_192), false),
                (String(repeating: "é", count: 2_000), true), (String(repeating: "é", count: 2_048), false),
            ] {
                let request = HTTPRequest.plain(port: server.port, [.cookie: value])
                if fits {
                    #expect(try await client.collect(request, upTo: 9).text == "x")
                } else {
                    let error = try await transportError { _ = try await client.collect(request, upTo: 9) }
                    #expect(error.code == .invalidRequest)
                }
            }
            #expect(server.connectionCount == 1)
            #expect(server.requests.count == 3)
        }
    }

    /// The server accepts ten bytes at a time: the writer waits, and nothing is sent beyond the window.
    @Test func anUploadKeepsToTheWindow() async throws {
        let received = Mutex(0)
        try await FrameServer.withFrames(first: [.settings([(4, 10)]), .settingsAck]) { _, frame in
            guard frame.kind == 0 else { return [] }
            received.withLock { $0 += frame.payload.count }
            if frame.endsStream { return FrameServer.ok(frame.stream) }
            guard !frame.payload.isEmpty else { return [] }
            return [
                .window(frame.stream, by: UInt32(frame.payload.count)), .window(0, by: UInt32(frame.payload.count)),
            ]
        } _: { server in
            let client = FrameServer.client()
            // The settings must arrive first.
            let body = HTTPBody.stream(length: 500) { writer in
                for _ in 0..<50 { try await writer.write(Array(repeating: 1, count: 10)) }
            }
            try await FrameServer.expect("ok") { try await FrameServer.post(client, server.port, body) }
            #expect(received.withLock { $0 } == 500)
        }
    }

    // MARK: Expect

    @Test func aBodyWaitsForThe100Response() async throws {
        let sawBody = Mutex(false)
        try await FrameServer.withFrames { _, frame in
            if frame.isHead { return [.head(frame.stream, [(":status", "103")]), .ping] }
            // The PING's acknowledgement precedes the body, so the body was not sent early.
            if frame.kind == 6 { return sawBody.withLock { $0 } ? [] : [.head(1, [(":status", "100")])] }
            guard frame.kind == 0 else { return [] }
            sawBody.withLock { $0 = true }
            return frame.endsStream ? FrameServer.ok(frame.stream) : []
        } _: { server in
            let client = FrameServer.client()
            let request = HTTPRequest.plain(.post, port: server.port, [.expect: "100-continue"])
            let answer = try await client.collect(request, body: .bytes([1, 2]), upTo: 9)
            #expect(answer.text == "ok")
        }
    }

    @Test func aRefusalInsteadIsTheResponse() async throws {
        try await FrameServer.withFrames { _, frame in
            frame.isHead ? [.head(frame.stream, [(":status", "417")], ends: true)] : []
        } _: { server in
            let client = FrameServer.client()
            let request = HTTPRequest.plain(.post, port: server.port, [.expect: "100-continue"])
            for _ in 0..<2 {
                let answer = try await client.collect(request, body: .bytes([1, 2]), upTo: 9)
                #expect(answer.response.status.code == 417)
            }
            #expect(!server.frames.contains { $0.kind == 0 })
            #expect(server.connectionCount == 1)
        }
    }
}
