import HTTPTypes
package import HummingbirdCore
package import NIOCore
import NIOHTTP2
import NIOHTTPTypesHTTP2

/// An accepted HTTP/2 connection. Each request has a stream of its own, which an HTTP server answers like a connection
/// with one request.
///
/// Hummingbird's own HTTP/2 channel is not used: if the server stops while a client opens a stream, it releases the
/// stream's `NIOAsyncChannel` unhandled, and NIO then stops the process.
///
/// NIOHTTP2 limits floods: resets, errors, control frames, empty frames and continuations. With those, it ends the
/// connection.
package struct HTTP2Connection: Sendable {
    /// Limits of a connection and of its requests.
    package struct Limits: Sendable {
        /// The maximum number of requests at a time (RFC 9113 §5.1.2).
        package let streams = 100
        /// The maximum size of a request's header fields in bytes, 32 for each field included (RFC 9113 §6.5.2). Until
        /// the client has confirmed the server's settings, NIOHTTP2 permits 16 KiB at most.
        package let headerBytes: Int
        /// The maximum number of a request's header fields.
        package let headerFields: Int
        /// The time after which a connection without requests is closed, and a stream whose client sends nothing more
        /// of its request, or reads nothing more of the answer.
        package let idleTime: TimeAmount
        /// Returns the maximum number of body bytes that a request may have before the answer begins.
        package let receiveLimit: @Sendable () -> Int

        /// Creates limits.
        package init(
            headerBytes: Int, headerFields: Int, idleTime: TimeAmount, receiveLimit: @escaping @Sendable () -> Int
        ) {
            self.headerBytes = headerBytes
            self.headerFields = headerFields
            self.idleTime = idleTime
            self.receiveLimit = receiveLimit
        }

        func permit(_ fields: HTTPFields) -> Bool {
            let bytes = fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 32 }
            return fields.count <= headerFields && bytes <= headerBytes
        }
    }

    private typealias Stream = AcceptedConnection<HTTP1Channel.Value>

    private let channel: any Channel
    private let streams: AsyncStream<Stream>

    /// Prepares a channel on which HTTP/2 was agreed on. Call this method on its event loop.
    package init(on channel: any Channel, limits: Limits) throws {
        // Unbounded, because NIOHTTP2 limits the number of open streams and the rate of their resets.
        let (streams, continuation) = AsyncStream.makeStream(of: Stream.self)
        channel.closeFuture.whenComplete { _ in continuation.finish() }
        let idleness = HTTP2IdleHandler(on: channel.eventLoop, time: limits.idleTime)
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: limits.streams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: min(limits.headerBytes, 1 << 24)),
        ]
        let pipeline = channel.pipeline.syncOperations
        _ = try pipeline.configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: connection, streamConfiguration: .init(),
            streamDelegate: idleness.delegate
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandlers([
                    HTTP2FramePayloadToHTTPServerCodec(), HTTP2RequestGuard(limits),
                ])
                let value = try HTTP1Channel.Value(wrappingChannelSynchronously: stream)
                continuation.yield(Stream(stream, outcome: stream.eventLoop.makeSucceededFuture(value)))
            }
        }
        try pipeline.addHandler(idleness)
        self.channel = channel
        self.streams = streams
    }

    /// Answers all requests. Returns when the connection is closed. If the task is cancelled, open streams are reset,
    /// and the connection is closed.
    ///
    /// - Parameter answer: Answers the request of a stream, and ends the stream.
    package func handle(_ answer: @escaping @Sendable (HTTP1Channel.Value) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for await stream in streams {
                group.addTask {
                    guard let value = try? await stream.handled() else { return }
                    await answer(value)
                }
            }
        }
        channel.close(promise: nil)
    }
}
