import NIOCore
import NIOEmbedded
import Testing

@testable import ServerKit

@Suite(.timeLimit(.minutes(1))) struct AcceptedConnectionTests {
    private typealias Connection = AcceptedConnection<NIOAsyncChannel<ByteBuffer, ByteBuffer>>

    private func accepted(_ channel: NIOAsyncTestingChannel) async throws -> Connection {
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).get()
        let outcome = channel.eventLoop.submit {
            try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
        return Connection(channel, outcome: outcome)
    }

    /// NIO would stop the process if the asynchronous channel were released before its connection is closed.
    @Test func aDroppedConnectionIsClosed() async throws {
        let channel = NIOAsyncTestingChannel()
        var connection: Connection? = try await accepted(channel)
        #expect(connection?.channel.isActive == true)
        connection = nil
        await channel.testingEventLoop.run()
        try await channel.closeFuture.get()
        #expect(!channel.isActive)
    }

    @Test func aConnectionThatIsNotDecidedYetIsClosed() async throws {
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).get()
        let promise = channel.eventLoop.makePromise(of: Void.self)
        var connection: AcceptedConnection? = AcceptedConnection(channel, outcome: promise.futureResult)
        #expect(connection?.channel.isActive == true)
        connection = nil
        await channel.testingEventLoop.run()
        try await channel.closeFuture.get()
        promise.succeed()
    }

    @Test func aHandledConnectionStaysOpen() async throws {
        let channel = NIOAsyncTestingChannel()
        var connection: Connection? = try await accepted(channel)
        let handled = try #require(try await connection?.handled())
        connection = nil
        await channel.testingEventLoop.run()
        #expect(channel.isActive)
        try await handled.executeThenClose { _, _ in }
        #expect(!channel.isActive)
    }
}
