import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

/// Uploads during which the server changes its window or refuses the body.
@Suite(.timeLimit(.minutes(1))) struct HTTP2UploadTests {
    /// A negative window together with an empty frame would trap in the library. The connection ends before that.
    @Test(arguments: [0, 1, 999] as [UInt32])
    func windowReductionDuringABodyWithoutLength(window: UInt32) async throws {
        let hasTaken = Mutex(false)
        try await FrameServer.withFrames { _, frame in
            guard frame.kind == 0,
                !hasTaken.withLock({ hasTaken in
                    defer { hasTaken = true }; return hasTaken
                })
            else {
                return []
            }
            return [RawHTTP2Frame.settings([(4, window)])]
        } _: { server in
            let body = HTTPBody.stream(length: nil) { writer in
                while true { try await writer.write(Array(repeating: 1, count: 1000)) }
            }
            let error = try await transportError {
                _ = try await FrameServer.post(FrameServer.client(), server.port, body)
            }
            #expect(error.code == .malformedResponse)
            #expect(error.defect == .frame)
            await server.waitForClosed(1)
        }
    }

    /// With a known length no frame is empty. The window may become negative (RFC 9113, 6.9.2) and recover.
    @Test func windowReductionDuringABodyWithLength() async throws {
        let received = Mutex(0)
        try await FrameServer.withFrames { _, frame in
            guard frame.kind == 0 else { return [] }
            let isFirst = received.withLock { received in
                defer { received += frame.payload.count }
                return received == 0
            }
            if frame.endsStream { return FrameServer.ok(frame.stream) }
            return isFirst ? [.settings([(4, 0)]), .window(frame.stream, by: 100_000)] : []
        } _: { server in
            let body = HTTPBody.stream(length: 1500) { writer in
                for _ in 0..<3 { try await writer.write(Array(repeating: 1, count: 500)) }
            }
            try await FrameServer.expect("ok") { try await FrameServer.post(FrameServer.client(), server.port, body) }
            #expect(received.withLock { $0 } == 1500)
        }
    }

    /// Windows that are small from the beginning are valid.
    @Test func aBodyWithoutALengthWaitsForTheSettings() async throws {
        let received = Mutex(0)
        try await FrameServer.withFrames(first: [.settings([(4, 700)]), .settingsAck]) { _, frame in
            guard frame.kind == 0 else { return [] }
            received.withLock { $0 += frame.payload.count }
            if frame.endsStream { return FrameServer.ok(frame.stream) }
            return [.window(frame.stream, by: UInt32(frame.payload.count))]
        } _: { server in
            let body = HTTPBody.stream(length: nil) { writer in
                for _ in 0..<3 { try await writer.write(Array(repeating: 1, count: 500)) }
            }
            try await FrameServer.expect("ok") { try await FrameServer.post(FrameServer.client(), server.port, body) }
            #expect(received.withLock { $0 } == 1500)
        }
    }

    /// The server leaves no window for the body and responds early: no part of the body stays in memory.
    @Test func anEarlyResponseEndsTheStream() async throws {
        let resets = Mutex(0)
        try await FrameServer.withFrames(first: [.settings([(4, 0)]), .settingsAck]) { _, frame in
            if frame.isReset { resets.withLock { $0 += 1 } }
            return frame.isHead ? FrameServer.ok(frame.stream) : []
        } _: { server in
            let client = FrameServer.client()
            // The first request may have been sent before the settings arrived.
            for _ in 0..<5 {
                try await FrameServer.expect("ok") {
                    try await FrameServer.post(client, server.port, .bytes([1, 2, 3]))
                }
            }
            while resets.withLock({ $0 }) < 4 { await Task.yield() }
            #expect(server.connectionCount == 1)
        }
    }

    /// Late frames on abandoned streams are not an error.
    @Test func lateFramesOfManyAbandonedStreams() async throws {
        let count: UInt32 = 60
        try await FrameServer.withFrames { _, frame in
            guard frame.isHead else { return [] }
            if frame.stream < 2 * count { return [.head(frame.stream, [(":status", "200")])] }
            return [.data(1, [1]), .data(3, [1])] + FrameServer.ok(frame.stream)
        } _: { server in
            let client = FrameServer.client()
            for _ in 0..<count {
                try await client.execute(.plain(port: server.port)) { response, _ in
                    #expect(response.status == .ok)
                }
            }
            try await FrameServer.expect("ok") { try await FrameServer.get(client, server.port) }
            #expect(server.connectionCount == 1)
        }
    }

    /// A server that sent even a 103 response has processed the request, whatever it sends afterwards.
    @Test func aRequestWithA103IsNotRetried() async throws {
        let heads = Mutex(0)
        try await FrameServer.withFrames { _, frame in
            guard frame.endsStream else { return [] }
            heads.withLock { $0 += 1 }
            return [.head(frame.stream, [(":status", "103")]), .reset(frame.stream, 7)]
        } _: { server in
            let error = try await transportError { _ = try await FrameServer.post(FrameServer.client(), server.port) }
            #expect(error.code == .connectionClosed)
            #expect(heads.withLock { $0 } == 1)
        }
    }

    /// The refusal's own body may be slow. When the refusal begins, the one-second timer for the request's body is
    /// cancelled.
    @Test func aSlowRefusalGetsNoBody() async throws {
        let world = VirtualWorld(.http2)
        let client = world.client()
        let request = HTTPRequest.plain(.post, port: 80, [.expect: "100-continue"])
        async let answer = client.collect(request, body: .bytes(Array("body".utf8)), upTo: 9)
        _ = try await world.request()
        try await world.respond("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nn")
        await world.loop.run()
        let channel = try await world.channel()
        while try await channel.readOutbound(as: ByteBuffer.self) != nil {}
        await world.pass(.seconds(2))
        #expect(try await channel.readOutbound(as: ByteBuffer.self) == nil)
        try await world.respond("o")
        #expect(try await answer.text == "no")
    }
}
