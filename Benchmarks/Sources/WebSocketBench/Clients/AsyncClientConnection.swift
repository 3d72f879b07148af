import NIOCore
import NIOSSL
import NIOWebSocket

/// A connection of ``Contestant/nioAsync``. One task serves its channel and receives commands from a stream.
struct AsyncClientConnection: ClientConnection {
    private struct Order: Sendable {
        var text: String
        var window: Int
        var duration: Duration
        var waiter: CheckedContinuation<Tally, any Error>
    }

    private let orders: AsyncStream<Order>.Continuation
    private let task: Task<Void, any Error>

    static func open(port: Int, tls: NIOSSLContext?) async throws -> AsyncClientConnection {
        let frames = try await BareClient.connect(port: port, tls: tls) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<WebSocketFrame, WebSocketFrame>(wrappingChannelSynchronously: channel)
            }
        }
        let (stream, orders) = AsyncStream.makeStream(of: Order.self)
        let task = Task {  // reason: the task ends with its connection
            try await frames.executeThenClose { inbound, outbound in
                var iterator = inbound.makeAsyncIterator()
                for await order in stream {
                    do {
                        order.waiter.resume(returning: try await serve(order, &iterator, outbound))
                    } catch {
                        order.waiter.resume(throwing: error)
                    }
                }
            }
        }
        return AsyncClientConnection(orders: orders, task: task)
    }

    func run(_ text: String, window: Int, for duration: Duration) async throws -> Tally {
        try await withCheckedThrowingContinuation { waiter in
            _ = orders.yield(Order(text: text, window: window, duration: duration, waiter: waiter))
        }
    }

    func close() async throws {
        orders.finish()
        try await task.value
    }

    private static func serve(
        _ order: Order, _ inbound: inout NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator,
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    ) async throws -> Tally {
        let payload = ByteBuffer(string: order.text)
        var tally = Tally()
        var underWay = order.window
        var sentAt = NIODeadline.now()
        let end = sentAt + TimeAmount(order.duration)
        for _ in 0..<order.window { try await outbound.write(BareClientHandler.frame(payload)) }
        while underWay > 0 {
            guard let frame = try await inbound.next() else {
                throw WrongEcho(what: "The server closed the connection.")
            }
            guard frame.opcode == .text else { continue }
            guard frame.data.readableBytes == payload.readableBytes else {
                throw WrongEcho(what: "The echo differs from the message.")
            }
            let now = NIODeadline.now()
            tally.messages += 1
            if order.window == 1 { tally.roundTrips.append((now - sentAt).nanoseconds) }
            if now < end {
                sentAt = now
                try await outbound.write(BareClientHandler.frame(payload))
            } else {
                underWay -= 1
            }
        }
        return tally
    }
}
