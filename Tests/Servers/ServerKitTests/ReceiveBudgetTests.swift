import NIOCore
import NIOEmbedded
import ServerKit
import Synchronization
import Testing

/// Limits an exchange on a connection: slow senders, slow readers, endless requests.
@Suite("Receive budget")
struct ReceiveBudgetTests {
    private func channel(bytes: Int = 100) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(ReceiveBudgetHandler(time: .seconds(30)) { bytes })
        try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    @Test func slowSendersAreCut() throws {
        let channel = try channel()
        for _ in 0..<29 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            try channel.writeInbound(ByteBuffer(string: "a"))
        }
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func anAnswerRestartsTheTimeLimit() throws {
        let channel = try channel()
        channel.embeddedEventLoop.advanceTime(by: .seconds(20))
        try channel.writeOutbound(ByteBuffer(string: "answer"))
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func anEndlessRequestIsCut() throws {
        let channel = try channel()
        try channel.writeInbound(ByteBuffer(repeating: 1, count: 100))
        #expect(channel.isActive)
        try channel.writeOutbound(ByteBuffer(string: "answer"))
        try channel.writeInbound(ByteBuffer(repeating: 1, count: 100))
        #expect(channel.isActive)
        try channel.writeInbound(ByteBuffer(repeating: 1, count: 1))
        #expect(!channel.isActive)
    }

    @Test func byteLimitWithoutTimeMayChange() throws {
        let limit = Mutex(100)
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(ReceiveBudgetHandler { limit.withLock { $0 } })
        try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        channel.embeddedEventLoop.advanceTime(by: .hours(24))
        try channel.writeInbound(ByteBuffer(repeating: 1, count: 100))
        limit.withLock { $0 = 101 }
        try channel.writeInbound(ByteBuffer(repeating: 1, count: 1))
        #expect(channel.isActive)
        try channel.writeInbound(ByteBuffer(repeating: 1, count: 1))
        #expect(!channel.isActive)
    }

    @Test func closesWithoutPendingTimer() throws {
        let channel = try channel()
        try channel.close().wait()
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(try channel.finish(acceptAlreadyClosed: true).isClean)
    }
}
