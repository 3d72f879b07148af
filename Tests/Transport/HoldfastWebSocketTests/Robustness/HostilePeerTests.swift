import NIOCore
import Testing

@testable import HoldfastWebSocket

/// Tests misbehaving peers over sockets after a real upgrade, in both roles. Memory use is bounded, and the app
/// receives a typed error.
@Suite(.timeLimit(.minutes(2))) struct HostilePeerTests {
    /// The maximum that NIO reads in one turn of the event loop: four times 64 KiB.
    private static let turn = 4 * 65_536
    /// The buffered size above which NIO reports a channel as not writable.
    private static let highWaterMark = 64 * 1024

    // MARK: Slow readers

    /// If the app does not read, the peer is paused. No data is lost.
    @Test(arguments: WebSocketRole.allCases)
    func pausesThePeerWhileTheAppDoesNotRead(role: WebSocketRole) async throws {
        let buffer = 64 * 1024
        let size = 4000
        let count = 3000
        let peer = try await RawPeer.facing(role, limits: WebSocketLimits(receiveBuffer: buffer))
        let frame = peer.wire.frame(Wire.binary, [UInt8](repeating: 5, count: size))
        peer.write((0..<count).flatMap { _ in frame })
        #expect(try await peer.settles { peer.waitingMessages > buffer })
        var messages = peer.connection.messages.makeAsyncIterator()
        var (waiting, held) = (0, 0)
        for number in 0..<count {
            waiting = max(waiting, peer.waitingMessages)
            if number % 50 == 0 { held = max(held, try await peer.heldBytes()) }
            #expect(try await messages.next()?.byteCount == size)
        }
        // One step may begin with an almost full mailbox.
        #expect(waiting <= 2 * buffer + size + WebSocketLimits.messageOverhead)
        #expect(held <= Self.turn + 2 * size + 512)
        await peer.finish()
    }

    /// If the peer does not read, senders are paused and the buffered data is bounded. Waiting senders fail when the
    /// connection closes.
    @Test(arguments: WebSocketRole.allCases)
    func pausesSendersWhileThePeerDoesNotRead(role: WebSocketRole) async throws {
        let buffer = 64 * 1024
        let size = 16 * 1024
        let peer = try await RawPeer.facing(
            role, limits: WebSocketLimits(sendBuffer: buffer), closeTimeout: .milliseconds(20))
        try await peer.stopReading()
        let connection = peer.connection
        async let sending = Self.sendUntilItFails(connection, size: size)
        #expect(try await peer.settles { peer.hasWaitingSenders })
        #expect(peer.outstandingMessages <= buffer + size + FrameHeader.maximumSize)
        #expect(try await peer.bufferedWrites() <= buffer + size + FrameHeader.maximumSize)
        await connection.close()
        let (sent, error) = await sending
        #expect(error?.code == .closed)
        // The small buffers of two kernels, and the connection's own.
        #expect(sent * size < 1 << 20)
        #expect(connection.closure?.isClean == false)
        await peer.finish()
    }

    private static func sendUntilItFails(
        _ connection: WebSocketConnection, size: Int
    ) async -> (sent: Int, error: WebSocketError?) {
        for sent in 0..<10_000 {
            do {
                try await connection.send(.binary([UInt8](repeating: 1, count: size)))
            } catch {
                return (sent, error as? WebSocketError)
            }
        }
        return (10_000, nil)
    }

    // MARK: Half-open peers

    /// The peer neither reads nor writes, and its socket stays open, as if a cable was cut.
    @Test(arguments: WebSocketRole.allCases)
    func cutsASilentPeer(role: WebSocketRole) async throws {
        let peer = try await RawPeer.facing(
            role, keepAlive: WebSocketKeepAlive(interval: .milliseconds(10), timeout: .milliseconds(10)))
        try await peer.stopReading()
        let error = await #expect(throws: WebSocketError.self) {
            for try await _ in peer.connection.messages {}
        }
        #expect(error?.code == .keepAliveTimedOut)
        let sending = await #expect(throws: WebSocketError.self) { try await peer.connection.send(.text("late")) }
        #expect(sending?.code == .closed)
        // The peer was pinged once.
        try await peer.readOn()
        let received = try await peer.received { _, hasEnded in hasEnded }
        #expect(received.prefix(2) == (role == .client ? [0x89, 0x80] : [0x89, 0x00]))
        #expect(received.count == (role == .client ? 6 : 2))
        await peer.finish()
    }

    /// The peer closes its direction within a message, without a close frame.
    @Test(arguments: WebSocketRole.allCases)
    func reportsAPeerThatDisconnectsWithinAMessage(role: WebSocketRole) async throws {
        let peer = try await RawPeer.facing(role)
        let bytes = peer.wire.text("whole") + peer.wire.frame(Wire.binary, [UInt8](repeating: 1, count: 5000))
        try await peer.write(Array(bytes.dropLast())).get()
        try await peer.closeOutput()
        var messages = peer.connection.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("whole"))
        let error = await #expect(throws: WebSocketError.self) { try await messages.next() }
        #expect(error?.code == .connectionLost)
        // Our direction is also closed, without further data.
        let received = try await peer.received { _, hasEnded in hasEnded }
        #expect(received == [])
        await peer.finish()
    }

    /// Only half a header arrives, and our close frame is not answered: the close timeout cuts the connection.
    @Test(arguments: WebSocketRole.allCases)
    func cutsAPeerThatDoesNotClose(role: WebSocketRole) async throws {
        let peer = try await RawPeer.facing(role, closeTimeout: .milliseconds(20))
        try await peer.write([0x82]).get()
        await peer.connection.close(.goingAway, reason: "gone")
        #expect(peer.connection.closure?.isClean == false)
        let received = try await peer.received { _, hasEnded in hasEnded }
        #expect(received.count == (role == .client ? 12 : 8))
        await peer.finish()
    }

    // MARK: Floods

    /// A peer sends 32,768 pings and reads no pongs. The buffered pongs are limited to the socket's buffer and one
    /// more. All pings are read, and the last one is answered.
    @Test(arguments: WebSocketRole.allCases)
    func pingFloodFillsOnlyTheSocket(role: WebSocketRole) async throws {
        let count = 32_768
        let peer = try await RawPeer.facing(role)
        try await peer.stopReading()
        var flood: [UInt8] = []
        for number in 0..<count {
            let digits = Array("\(number)".utf8)
            flood += peer.wire.frame(Wire.ping, digits + [UInt8](repeating: 0x20, count: 125 - digits.count))
        }
        peer.write(flood + peer.wire.text("behind"))
        #expect(try await peer.connection.messages.first { _ in true } == .text("behind"))
        // Pings read in one turn are answered before the channel reports that it is full.
        #expect(try await peer.bufferedWrites() <= Self.highWaterMark + 2 * Self.turn)
        #expect(try await peer.heldBytes() <= 1024)
        try await peer.readOn()
        // The kernel's buffer has its own limit, and the pongs exceed both.
        let last = Array("\(count - 1)".utf8)
        let received = try await peer.received { bytes, _ in
            Self.pongs(Array(bytes.suffix(131)), masked: role == .client).last?.starts(with: last) == true
        }
        #expect(received.count.isMultiple(of: role == .client ? 131 : 127))
        let pongs = Self.pongs(received, masked: role == .client)
        #expect(pongs.count < count / 2)
        #expect(pongs.last?.starts(with: last) == true)
        // The answered pings were answered in order.
        let numbers = pongs.compactMap { Int(String(decoding: $0.prefix { $0 != 0x20 }, as: UTF8.self)) }
        #expect(numbers == numbers.sorted() && numbers.count == pongs.count)
        #expect(try await peer.bufferedWrites() == 0)
        await peer.finish()
    }

    /// Returns the payloads of the whole 125-byte frames at the end of `bytes`.
    private static func pongs(_ bytes: [UInt8], masked: Bool) -> [[UInt8]] {
        let size = masked ? 131 : 127
        let count = bytes.count / size
        return (0..<count).map { index in
            let frame = bytes.dropLast((count - 1 - index) * size).suffix(size)
            guard masked else { return Array(frame.dropFirst(2)) }
            let key = Array(frame.dropFirst(2).prefix(4))
            return zip(frame.dropFirst(6), 0...).map { $0 ^ key[$1 % 4] }
        }
    }

    // MARK: Decompression bombs

    /// Forty mebibytes in 42 kilobytes, followed by a message that exceeds the ratio.
    @Test(arguments: WebSocketRole.allCases)
    func decompressesBombsAsTheAppReads(role: WebSocketRole) async throws {
        let count = 40
        let size = 1 << 20
        let peer = try await RawPeer.facing(role, deflate: WebSocketDeflate())
        #expect(peer.connection.usesDeflate)
        let frame = peer.wire.frame(Wire.binary, try Bomb.zeros(size), reserved: 4)
        let large = peer.wire.frame(Wire.binary, try Bomb.zeros(8 * size), reserved: 4)
        let bytes = (0..<count).flatMap { _ in frame } + large + peer.wire.text("never seen")
        #expect(bytes.count < 64 * 1024)
        peer.write(bytes)
        var messages = peer.connection.messages.makeAsyncIterator()
        #expect(try await peer.settles { peer.waitingMessages > size })
        var waiting = 0
        for _ in 0..<count {
            waiting = max(waiting, peer.waitingMessages)
            #expect(try await messages.next()?.byteCount == size)
        }
        #expect(waiting <= 3 * size)
        let error = await #expect(throws: WebSocketError.self) { try await messages.next() }
        #expect(error?.code == .limitExceeded)
        #expect(error?.violation == .compressionRatioTooHigh)
        let received = try await peer.received { bytes, _ in bytes.count >= (role == .client ? 8 : 4) }
        #expect(received.first == 0x88)
        await peer.finish()
    }
}
