import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

/// A streamed body is sent as fast as the socket accepts it, and at most one part is buffered.
@Suite(.timeLimit(.minutes(1))) struct UploadPressureTests {
    private final class Writes: Sendable {
        private let count = Mutex(0)
        var done: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    private func begin(_ client: HTTPClient, _ writes: Writes, _ go: Trigger) -> Task<CollectedResponse, any Error> {
        let body = HTTPBody.stream(length: 3) { writer in
            try await writer.write([65])
            writes.add()
            await go.wait()
            for byte: UInt8 in [66, 67] {
                try await writer.write([byte])
                writes.add()
            }
        }
        return Task {  // reason: the test observes it and cancels it
            try await client.collect(.plain(.put, port: 1), body: body, upTo: 9)
        }
    }

    /// Makes the socket accept no more bytes.
    private func stall(_ world: VirtualWorld, _ go: Trigger) async throws {
        let head = try await world.request()
        if !head.hasSuffix("A") { #expect(try await world.request() == "A") }
        try await world.channel().isWritable = false
        go.fire()
    }

    @Test func aWriterIsSuspended() async throws {
        let (world, writes, go) = (VirtualWorld(), Writes(), Trigger())
        let client = world.client()
        let request = begin(client, writes, go)
        try await stall(world, go)
        // The first write ends a little after its byte has arrived. The second one must not end.
        while writes.done == 0, !Task.isCancelled { await Task.yield() }
        for _ in 0..<200 { await Task.yield() }
        let channel = try await world.channel()
        let sent = try await channel.readOutbound(as: ByteBuffer.self)
        #expect(sent == nil)
        #expect(writes.done == 1)
        channel.isWritable = true
        try await world.loop.executeInContext { channel.pipeline.fireChannelWritabilityChanged() }
        #expect(try await world.request() == "B")
        #expect(try await world.request() == "C")
        try await world.respond("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        let answer = try await request.value
        #expect(answer.text == "x")
        #expect(writes.done == 3)
    }

    @Test func aSuspendedWriterIsCancelled() async throws {
        let (world, writes, go) = (VirtualWorld(), Writes(), Trigger())
        let client = world.client()
        let request = begin(client, writes, go)
        try await stall(world, go)
        request.cancel()
        let error = try await transportError { _ = try await request.value }
        #expect(error.code == .cancelled)
        await client.untilAllAreClosed()
    }

    /// A producer that notices the cancellation before the exchange does not change the error of the request.
    @Test func aCancelledProducerCancelsTheRequest() async throws {
        let world = VirtualWorld()
        let client = world.client()
        let body = HTTPBody.stream(length: 3) { writer in
            try await writer.write([65])
            withUnsafeCurrentTask { $0?.cancel() }
            try Task.checkCancellation()
        }
        let error = try await transportError {
            _ = try await client.collect(.plain(.put, port: 1), body: body, upTo: 9)
        }
        #expect(error.code == .cancelled)
        await client.untilAllAreClosed()
    }

    /// A request that is cancelled during its dial leaves no waiting writer.
    @Test func aRequestIsCancelledDuringItsDial() async throws {
        let world = try PinnedWorld()
        var settings = ScriptedServer.Settings()
        settings.readsRequests = false
        try await ScriptedServer.with(settings) { server in
            let client = HTTPClient(configuration: world.configuration())
            let request = Task {  // reason: the test cancels it
                try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            }
            while server.connectionCount == 0 { await Task.yield() }
            request.cancel()
            let error = try await transportError { _ = try await request.value }
            #expect(error.code == .cancelled)
            #expect(client.waitingCount == 0)
            await client.shutdown()
            await server.waitForClosed(1)
        }
    }
}
