import NIOCore
import NIOSSL

/// A connection of ``Contestant/nio``.
struct BareClientConnection: ClientConnection {
    private let channel: any Channel
    private let handler: NIOLoopBound<BareClientHandler>

    static func open(port: Int, tls: NIOSSLContext?) async throws -> BareClientConnection {
        try await BareClient.connect(port: port, tls: tls) { channel in
            channel.eventLoop.makeCompletedFuture {
                let handler = BareClientHandler()
                try channel.pipeline.syncOperations.addHandler(handler)
                return BareClientConnection(
                    channel: channel, handler: NIOLoopBound(handler, eventLoop: channel.eventLoop))
            }
        }
    }

    func run(_ text: String, window: Int, for duration: Duration) async throws -> Tally {
        let promise = channel.eventLoop.makePromise(of: Tally.self)
        channel.eventLoop.execute {
            handler.value.run(
                ByteBuffer(string: text), window: window, until: .now() + TimeAmount(duration), finished: promise)
        }
        return try await promise.futureResult.get()
    }

    func close() async throws {
        try await channel.close()
    }
}
