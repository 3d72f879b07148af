import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP2
import NIOHTTPTypes
import ServerKit
import Testing

/// Limits the request of a stream: slow senders, endless bodies, too many header fields.
@Suite("HTTP/2 request guard")
struct HTTP2RequestGuardTests {
    private static func stream() throws -> EmbeddedChannel {
        let limits = HTTP2Connection.Limits(headerBytes: 1_000, headerFields: 2, idleTime: .seconds(30)) { 100 }
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(HTTP2RequestGuard(limits))
        try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private static func head(fields: Int, size: Int = 1) throws -> HTTPRequestPart {
        var request = HTTPRequest(method: .put, scheme: "https", authority: "localhost", path: "/")
        for number in 0..<fields {
            request.headerFields.append(
                HTTPField(name: try #require(HTTPField.Name("x-\(number)")), value: String(repeating: "1", count: size))
            )
        }
        return .head(request)
    }

    @Test func aSlowSenderIsCut() throws {
        let stream = try Self.stream()
        try stream.writeInbound(Self.head(fields: 2))
        stream.embeddedEventLoop.advanceTime(by: .seconds(29))
        try stream.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "a")))
        stream.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(stream.isActive)
        stream.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!stream.isActive)
    }

    @Test func aCompleteRequestMayWaitForItsAnswer() throws {
        let stream = try Self.stream()
        try stream.writeInbound(Self.head(fields: 0))
        try stream.writeInbound(HTTPRequestPart.end(nil))
        stream.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(stream.isActive)
        #expect(try stream.finish(acceptAlreadyClosed: true).isClean == false)
    }

    @Test func anEndlessBodyIsCut() throws {
        let stream = try Self.stream()
        try stream.writeInbound(Self.head(fields: 0))
        try stream.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 1, count: 100)))
        #expect(stream.isActive)
        try stream.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try stream.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 1, count: 100)))
        #expect(stream.isActive)
        try stream.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 1, count: 1)))
        #expect(!stream.isActive)
    }

    /// For example because its flow-control window is 0.
    @Test func aClientThatDoesNotReadIsCut() throws {
        let stream = try Self.stream()
        try stream.writeInbound(Self.head(fields: 0))
        try stream.writeInbound(HTTPRequestPart.end(nil))
        stream.embeddedEventLoop.advanceTime(by: .hours(1))
        try stream.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        stream.embeddedEventLoop.advanceTime(by: .seconds(29))
        try stream.writeOutbound(HTTPResponsePart.end(nil))
        stream.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(stream.isActive)
        stream.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!stream.isActive)
    }

    /// The rest of the request comes after the answer, which the client does not read.
    @Test func anEarlyAnswerMustBeRead() throws {
        let stream = try Self.stream()
        try stream.writeInbound(Self.head(fields: 0))
        try stream.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try stream.writeOutbound(HTTPResponsePart.end(nil))
        try stream.writeInbound(HTTPRequestPart.end(nil))
        stream.embeddedEventLoop.advanceTime(by: .seconds(30))
        #expect(!stream.isActive)
    }

    @Test("Too many and too large header fields are refused", arguments: [(3, 0), (1, 1_000)])
    func fields(count: Int, size: Int) throws {
        let stream = try Self.stream()
        try stream.writeInbound(Self.head(fields: count, size: size))
        guard case .head(let response) = try stream.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("no answer")
            return
        }
        #expect(response.status == .badRequest)
        try stream.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 1, count: 100)))
        #expect(try stream.readInbound(as: HTTPRequestPart.self) == nil)
        #expect(stream.isActive)
        try stream.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 1, count: 1)))
        #expect(!stream.isActive)
    }

    @Test func fieldsOfConnectionsAreRemoved() throws {
        let stream = try Self.stream()
        let fields: HTTPFields = [.connection: "close", .upgrade: "websocket", .retryAfter: "1"]
        try stream.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok, headerFields: fields)))
        guard case .head(let response) = try stream.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("no answer")
            return
        }
        #expect(response.headerFields == [.retryAfter: "1"])
    }
}

/// Ends connections that have no streams.
@Suite("HTTP/2 idle handler")
struct HTTP2IdleHandlerTests {
    private struct Connection {
        let channel = EmbeddedChannel()
        let delegate: HTTP2IdleHandler.Delegate

        init() throws {
            let handler = HTTP2IdleHandler(on: channel.eventLoop, time: .seconds(30))
            delegate = handler.delegate
            try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            try channel.pipeline.syncOperations.addHandler(handler)
        }

        func open(_ id: HTTP2StreamID) { delegate.streamCreated(id, channel: channel) }
        func close(_ id: HTTP2StreamID) { delegate.streamClosed(id, channel: channel) }

        /// The last stream of the GOAWAY frame, if the handler has written one.
        func lastStream() throws -> HTTP2StreamID? {
            guard case .goAway(let stream, _, _)? = try channel.readOutbound(as: HTTP2Frame.self)?.payload else {
                return nil
            }
            return stream
        }
    }

    @Test func aConnectionWithoutRequestsEnds() throws {
        let connection = try Connection()
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(connection.channel.isActive)
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!connection.channel.isActive)
        #expect(try connection.lastStream() == .rootStream)
    }

    @Test func theTimeBeginsWithTheLastStreamsEnd() throws {
        let connection = try Connection()
        connection.open(1)
        connection.open(3)
        connection.close(1)
        connection.channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(connection.channel.isActive)
        connection.close(3)
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(connection.channel.isActive)
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!connection.channel.isActive)
        #expect(try connection.lastStream() == 3)
    }

    @Test(
        "When the server shuts down, or the client sends nothing more, open streams are answered",
        arguments: [true, false])
    func quiescing(isShutdown: Bool) throws {
        let connection = try Connection()
        connection.open(1)
        if isShutdown {
            connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        } else {
            connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        #expect(connection.channel.isActive)
        connection.close(1)
        connection.channel.embeddedEventLoop.run()
        #expect(!connection.channel.isActive)
        #expect(try connection.lastStream() == 1)
    }

    @Test func aShutdownEndsIdleConnections() throws {
        let connection = try Connection()
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(!connection.channel.isActive)
    }

    @Test func anErrorEndsTheConnection() throws {
        let connection = try Connection()
        connection.open(1)
        connection.channel.pipeline.fireErrorCaught(NIOHTTP2Errors.excessiveOutboundFrameBuffering())
        #expect(!connection.channel.isActive)
    }
}
