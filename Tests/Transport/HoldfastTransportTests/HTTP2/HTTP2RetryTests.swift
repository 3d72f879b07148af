import HTTPTypes
@testable import HoldfastTransport
import HoldfastTransportTestSupport
import Synchronization
import Testing

/// What a server reports about unprocessed requests with GOAWAY and RST_STREAM, and how the client handles it.
@Suite(.timeLimit(.minutes(1))) struct HTTP2RetryTests {
    /// Unprocessed requests are retried on a different connection, whatever their method.
    @Test(arguments: [0, 2] as [UInt32])
    func requestsThatAGoAwayExcludesAreRetried(code: UInt32) async throws {
        try await FrameServer.with { connection, stream in
            connection == 0 ? [.goAway(last: 0, code)] : FrameServer.ok(stream)
        } _: { server in
            try await FrameServer.expect("ok") { try await FrameServer.post(FrameServer.client(), server.port) }
            #expect(server.connectionCount == 2)
        }
    }

    /// Processed requests continue. The connection takes no new requests, and ends with its last stream.
    @Test func requestsThatAGoAwayIncludesContinue() async throws {
        let head = Mutex<UInt32?>(nil)
        try await FrameServer.withFrames { connection, frame in
            guard connection == 0 else { return frame.endsStream ? FrameServer.ok(frame.stream, "other") : [] }
            // The PING's acknowledgement shows that the client has read the GOAWAY.
            if frame.kind == 6 { return head.withLock { $0 }.map { FrameServer.ok($0, "first") } ?? [] }
            guard frame.endsStream else { return [] }
            head.withLock { $0 = frame.stream }
            return [.goAway(last: frame.stream), .ping]
        } _: { server in
            let client = FrameServer.client()
            try await FrameServer.expect("first") { try await FrameServer.post(client, server.port) }
            try await FrameServer.expect("other") { try await FrameServer.get(client, server.port) }
            await server.waitForClosed(1)
            #expect(server.connectionCount == 2)
        }
    }

    /// Two GOAWAY frames, as a server sends for a graceful shutdown.
    @Test func aGoAwayInTwoStepsLosesNothing() async throws {
        try await FrameServer.with { connection, stream in
            guard connection == 0 else { return FrameServer.ok(stream) }
            return [.goAway(last: 0x7FFF_FFFF), .goAway(last: 0)]
        } _: { server in
            try await FrameServer.expect("ok") { try await FrameServer.post(FrameServer.client(), server.port) }
            #expect(server.connectionCount == 2)
        }
    }

    @Test func aGoAwayThatRaisesItsLimitIsRefused() async throws {
        try await FrameServer.with { _, stream in
            [.head(stream, [(":status", "200")]), .goAway(last: stream), .goAway(last: stream + 2)]
        } _: { server in
            let error = try await transportError { _ = try await FrameServer.post(FrameServer.client(), server.port) }
            #expect(error.defect == .frame)
        }
    }

    /// A server that refuses every time does not cause endless retries.
    @Test func retriesAreLimited() async throws {
        try await FrameServer.with { _, _ in
            [.goAway(last: 0)]
        } _: { server in
            let error = try await transportError { _ = try await FrameServer.post(FrameServer.client(), server.port) }
            #expect(error.code == .connectionClosed)
            #expect(server.connectionCount == 3)
        }
    }

    /// Each connection processes some requests and excludes the rest. The client opens as many connections as
    /// necessary.
    @Test func aBurstGetsThroughConnectionsThatEndSoon() async throws {
        let served = Mutex<[Int: Int]>([:])
        try await FrameServer.with { connection, stream in
            let count = served.withLock { served in
                served[connection, default: 0] += 1
                return served[connection] ?? 0
            }
            guard count <= 10 else { return [] }
            return FrameServer.ok(stream) + (count == 10 ? [.goAway(last: stream)] : [])
        } _: { server in
            let client = FrameServer.client { $0.maximumConnectionsPerHost = 1 }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await FrameServer.expect("ok") { try await FrameServer.post(client, server.port) }
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.connectionCount == 10)
        }
    }

    /// A server that processes other requests forever, and never this one, does not cause endless retries either.
    @Test func takingTurnsIsLimited() throws {
        let request = try PreparedRequest(.plain(.post, port: 1), body: .absent)
        let exchange = Exchange(
            request: request, options: RequestOptions(), sink: .collect(limit: 9), deadline: nil)
        #expect(exchange.begin(nil, in: nil) == nil)
        let turns = (0..<1_000).prefix { _ in exchange.detachForRetry(hasSent: false, othersWereServed: true) }.count
        #expect(turns == Exchange.maximumTurns + Exchange.maximumAttempts - 1)
    }

    @Test func aRefusedStreamIsRetried() async throws {
        try await FrameServer.with { connection, stream in
            connection == 0 ? [.reset(stream, 7)] : FrameServer.ok(stream)
        } _: { server in
            try await FrameServer.expect("ok") { try await FrameServer.post(FrameServer.client(), server.port) }
            #expect(server.connectionCount == 2)
        }
    }

    /// If no second connection is allowed, the request is retried on the same one, without waiting for its other
    /// streams.
    @Test func aRefusedStreamDoesNotWaitForOthers() async throws {
        try await FrameServer.with { _, stream in
            switch stream {
            case 1: []
            case 3: [.reset(stream, 7)]
            default: FrameServer.ok(stream) + FrameServer.ok(1)
            }
        } _: { server in
            let client = FrameServer.client { $0.maximumConnectionsPerHost = 1 }
            async let first = FrameServer.post(client, server.port)
            async let second = FrameServer.post(client, server.port)
            let answers = try await [first, second]
            #expect(answers == ["ok", "ok"])
            #expect(server.connectionCount == 1)
        }
    }

    /// The server allows ten requests, but says so after the requests have arrived. The refused requests are retried,
    /// and no connection gets more than ten requests before its server announces the limit.
    @Test func aBurstBeyondTheLimitSucceeds() async throws {
        let held = Mutex<[Int: [UInt32]]>([:])
        let settled = Mutex<Set<Int>>([])
        // The acknowledgement of the PING follows what the client sends at once.
        try await FrameServer.withFrames(first: [.settings(), .settingsAck, .ping]) { connection, frame in
            if frame.isHead, settled.withLock({ $0.contains(connection) }) { return FrameServer.ok(frame.stream) }
            let streams = held.withLock { held in
                if frame.isHead { held[connection, default: []].append(frame.stream) }
                return held[connection] ?? []
            }
            guard connection == 0 ? frame.isHead && streams.count == 100 : frame.kind == 6 else { return [] }
            settled.withLock { _ = $0.insert(connection) }
            return [.settings([(3, 10)])] + streams.dropFirst(10).map { .reset($0, 7) }
                + streams.prefix(10).flatMap { FrameServer.ok($0) }
        } _: { server in
            let client = FrameServer.client()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await FrameServer.expect("ok") { try await FrameServer.post(client, server.port) }
                    }
                }
                try await group.waitForAll()
            }
            let held = held.withLock { $0 }
            #expect(held[0]?.count == 100)
            #expect(held.allSatisfy { $0.key == 0 || $0.value.count <= 10 })
            #expect(server.frames.count(where: \.isHead) == 190)
        }
    }

    /// The server did not process the request, but the bytes that the closure wrote are gone.
    @Test func aRefusedStreamWithAStreamedBodyIsNotRetried() async throws {
        try await FrameServer.with { connection, stream in
            connection == 0 ? [.reset(stream, 7)] : FrameServer.ok(stream)
        } _: { server in
            let body = HTTPBody.stream(length: 1) { try await $0.write([1]) }
            let error = try await transportError {
                _ = try await FrameServer.post(FrameServer.client(), server.port, body)
            }
            #expect(error.code == .connectionClosed)
            #expect(server.connectionCount == 1)
        }
    }

    /// Every other reset is an error, because the server may have processed the request. The connection stays in use.
    @Test(arguments: [0, 1, 2, 3, 5, 8, 11, 13, 4711] as [UInt32])
    func anotherResetIsAnError(code: UInt32) async throws {
        try await FrameServer.with { _, stream in
            stream == 1 ? [.reset(stream, code)] : FrameServer.ok(stream)
        } _: { server in
            let client = FrameServer.client()
            let error = try await transportError { _ = try await FrameServer.post(client, server.port) }
            #expect(error.code == .connectionClosed)
            #expect(error.phase == .awaitingResponse)
            try await FrameServer.expect("ok") { try await FrameServer.post(client, server.port) }
            #expect(server.connectionCount == 1)
        }
    }

    /// A response that is complete before the reset is delivered.
    @Test func aResetAfterTheEndIsNotAnError() async throws {
        try await FrameServer.withFrames { _, frame in
            guard frame.isHead else { return [] }
            return FrameServer.ok(frame.stream) + [.reset(frame.stream, 0)]
        } _: { server in
            let client = FrameServer.client()
            let body = HTTPBody.stream(length: nil) {
                while true { try await $0.write(Array(repeating: 1, count: 1000)) }
            }
            try await FrameServer.expect("ok") { try await FrameServer.post(client, server.port, body) }
            try await FrameServer.expect("ok") { try await FrameServer.get(client, server.port) }
            #expect(server.connectionCount == 1)
        }
    }

    @Test func aResetInTheMiddleIsAnError() async throws {
        try await FrameServer.with { _, stream in
            [.head(stream, [(":status", "200")]), .data(stream, [65]), .reset(stream, 0)]
        } _: { server in
            let error = try await transportError { _ = try await FrameServer.get(FrameServer.client(), server.port) }
            #expect(error.code == .connectionClosed)
            #expect(error.phase == .receiving)
        }
    }

    /// The error has the phase of the exchange, even if the connection failed.
    @Test func anErrorDuringAnUploadHasItsPhase() async throws {
        let done = Trigger()
        try await FrameServer.withFrames { _, frame in
            frame.kind == 0 ? [.data(0, [1])] : []
        } _: { server in
            let body = HTTPBody.stream(length: nil) { writer in
                try await writer.write([1])
                await done.wait()
            }
            async let error = transportError { _ = try await FrameServer.post(FrameServer.client(), server.port, body) }
            await server.waitForClosed(1)
            done.fire()
            let failure = try await error
            #expect(failure.defect == .frame)
            #expect(failure.phase == .sending)
        }
    }
}
