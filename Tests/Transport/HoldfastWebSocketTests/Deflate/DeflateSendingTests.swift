import CZlib
import HoldfastTestSupport
import HoldfastTransport
import Testing

@testable import HoldfastWebSocket

/// Tests which sent messages are compressed, how, and how much memory that takes.
@Suite struct DeflateSendingTests {
    private func makeMachine(
        _ options: WebSocketDeflate, role: WebSocketRole = .server, fragmentSize: Int? = nil
    ) -> WebSocketMachine {
        WebSocketMachine(
            role: role, settings: WebSocketSettings(fragmentSize: fragmentSize, deflate: DeflateAgreement(options)),
            at: WebSocketInstant(nanoseconds: 0))
    }

    @Test func sendsSmallMessagesUncompressed() throws {
        var machine = makeMachine(WebSocketDeflate(minimumSize: 100), role: .client)
        let small = try #require(try machine.send(.text(String(repeating: "a", count: 99)))?.first)
        #expect(!small.isCompressed && small.payload.count == 99)
        let large = try #require(try machine.send(.text(String(repeating: "a", count: 100)))?.first)
        #expect(large.isCompressed && large.payload.count < 20)
        let empty = try #require(try machine.send(.binary([]))?.first)
        #expect(!empty.isCompressed)
    }

    @Test func sendsIncompressibleMessagesUncompressedWithoutContext() throws {
        var generator = SeededGenerator(seed: 1)
        let noise = (0..<5000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        var alone = makeMachine(WebSocketDeflate())
        let plain = try #require(try alone.send(.binary(noise))?.first)
        #expect(!plain.isCompressed && plain.bytes == noise)
        var sharing = makeMachine(WebSocketDeflate(sendingContextTakeover: true))
        let first = try #require(try sharing.send(.binary(noise))?.first)
        #expect(first.isCompressed && first.payload.count >= noise.count)
        // The second message refers to the first.
        let second = try #require(try sharing.send(.binary(noise))?.first)
        #expect(second.isCompressed && second.payload.count < 100)
    }

    /// Messages whose compression would block the event loop are not compressed at once.
    @Test func sendsVeryLargeMessagesUncompressed() throws {
        var machine = makeMachine(WebSocketDeflate())
        let large = [UInt8](repeating: 1, count: 256 * 1024)
        #expect(try machine.send(.binary(large))?.first?.isCompressed == true)
        #expect(try machine.send(.binary(large + [1]))?.first?.isCompressed == false)
        #expect(try machine.send(piece: .bytes(large[...]), of: .binary, isLast: true)?.first?.isCompressed == true)
    }

    /// The second half of a 512-byte message refers to the first half, which a window of 512 does not reach.
    @Test func sizesTheWindowToReachAllOfAMessage() throws {
        var generator = SeededGenerator(seed: 2)
        let noise = (0..<256).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        var machine = makeMachine(WebSocketDeflate())
        let frame = try #require(try machine.send(.binary(noise + noise))?.first)
        #expect(frame.isCompressed && frame.payload.count < 300)
    }

    @Test func marksOnlyTheFirstFragmentAsCompressed() throws {
        var machine = makeMachine(WebSocketDeflate(minimumSize: 1), fragmentSize: 10)
        let text = (0..<200).map { "line \($0 % 37)" }.joined()
        let frames = try #require(try machine.send(.text(text)))
        #expect(frames.count > 3)
        #expect(frames.map(\.isCompressed) == [true] + Array(repeating: false, count: frames.count - 1))
        #expect(frames.map(\.isFinal) == Array(repeating: false, count: frames.count - 1) + [true])
        var bench = MachineBench(.client, CompressedMessageTests.settings())
        var encoder = FrameEncoder(role: .server, entropy: WebSocketEntropy { 0 })
        for frame in frames { bench.receive(encoder.encode(frame)) }
        #expect(bench.messages == [.text(text)])
    }

    @Test(arguments: [false, true])
    func allocatesMemoryOnlyWhenNeeded(context: Bool) throws {
        let options = WebSocketDeflate(
            sendingContextTakeover: context, receivingContextTakeover: context, minimumSize: 1)
        var machine = makeMachine(options)
        #expect(machine.holdsCompression == false)
        _ = try machine.send(.text("Hello Hello Hello"))
        #expect(machine.holdsCompression == context)
        var receiving = makeMachine(options)
        let wire = Wire(sender: .client)
        let frame = wire.frame(Wire.text, [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], reserved: 4)
        let now = WebSocketInstant(nanoseconds: 0)
        _ = receiving.receive(Array(frame.dropLast()), at: now)
        #expect(receiving.holdsCompression == true)
        _ = receiving.receive(Array(frame.suffix(1)), at: now)
        #expect(receiving.holdsCompression == context)
    }

    /// Decompresses a raw stream with exactly this window, so that references beyond it fail.
    private func inflateStrictly(_ messages: [[UInt8]], windowBits: Int32) -> [UInt8]? {
        var stream = z_stream()
        guard inflateInit2_(&stream, -windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        for message in messages {
            var input = message + [0x00, 0x00, 0xFF, 0xFF]
            let count = input.count
            let isGood = input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(count)
                // Decompresses one byte at a time, so that only the window holds earlier data.
                while true {
                    var byte: UInt8 = 0
                    let result = withUnsafeMutablePointer(to: &byte) { pointer in
                        stream.next_out = pointer
                        stream.avail_out = 1
                        return inflate(&stream, Z_SYNC_FLUSH)
                    }
                    if stream.avail_out == 0 { output.append(byte) }
                    if result == Z_BUF_ERROR || result == Z_OK && stream.avail_out == 1 && stream.avail_in == 0 {
                        return true
                    }
                    guard result == Z_OK else { return false }
                }
            }
            guard isGood else { return nil }
        }
        return output
    }

    @Test(arguments: 8...15, [false, true])
    func respectsTheNegotiatedWindow(bits: Int, context: Bool) throws {
        var generator = SeededGenerator(seed: UInt64(bits))
        let options = WebSocketDeflate(sendingContextTakeover: context, sendingWindowBits: bits, minimumSize: 1)
        for size in [1, 200, 256, 257, 1000, 70_000] {
            var machine = makeMachine(options)
            var compressed: [[UInt8]] = []
            var expected: [UInt8] = []
            for _ in 0..<3 {
                let text = DeflateGroupTests.text(size, &generator)
                let frame = try #require(try machine.send(.text(text))?.first)
                guard frame.isCompressed else { continue }
                compressed.append(frame.bytes)
                expected += Array(text.utf8)
                if !context || bits == 8 {
                    #expect(inflateStrictly([frame.bytes], windowBits: Int32(bits)) == Array(text.utf8))
                }
            }
            // zlib does not support the smallest window, so nothing larger is compressed for it.
            #expect(compressed.isEmpty == (bits == 8 && size > 256 || size == 1 && !(context && bits > 8)))
            #expect(inflateStrictly(compressed, windowBits: Int32(bits)) == expected)
        }
    }

    @Test(arguments: [false, true])
    func flushesEachPiece(context: Bool) throws {
        let options = WebSocketDeflate(
            sendingContextTakeover: context, receivingContextTakeover: context, minimumSize: 1)
        var machine = makeMachine(options)
        var bench = MachineBench(
            .client,
            WebSocketSettings(deflate: DeflateAgreement(options), deliversParts: true))
        var encoder = FrameEncoder(role: .server, entropy: WebSocketEntropy { 0 })
        for _ in 0..<2 {
            var seen: [UInt8] = []
            for piece in ["Hello ", "Hello ", "", "World"] {
                let frames = try #require(
                    try machine.send(piece: .text(piece), of: .text, isLast: false))
                let known = bench.parts.count
                for frame in frames { bench.receive(encoder.encode(frame)) }
                #expect(bench.parts[known...].flatMap(\.bytes) == Array(piece.utf8))
                seen += Array(piece.utf8)
            }
            for frame in try machine.send(piece: .bytes([]), of: .text, isLast: true) ?? [] {
                bench.receive(encoder.encode(frame))
            }
            #expect(bench.parts.last == WebSocketPart(kind: .text, bytes: [], isLast: true))
        }
        #expect(bench.parts.flatMap(\.bytes) == Array("Hello Hello WorldHello Hello World".utf8))
        #expect(bench.ends.isEmpty)
        #expect(machine.holdsCompression == context)
    }

    @Test func sendsAnEmptyMessageInPieces() throws {
        var machine = makeMachine(WebSocketDeflate())
        var bench = MachineBench(.client, CompressedMessageTests.settings())
        var encoder = FrameEncoder(role: .server, entropy: WebSocketEntropy { 0 })
        let frames = try #require(try machine.send(piece: .bytes([]), of: .binary, isLast: true))
        for frame in frames { bench.receive(encoder.encode(frame)) }
        #expect(bench.messages == [.binary([])])
    }

    /// A zlib failure, which no valid options can cause, ends the connection with code 1011 and does not trap.
    @Test(arguments: WebSocketRole.allCases)
    func zlibFailureEndsTheConnection(role: WebSocketRole) throws {
        var agreement = DeflateAgreement(WebSocketDeflate(minimumSize: 1))
        agreement.level = 1000
        agreement.receivingWindowBits = 1000
        let settings = WebSocketSettings(deflate: agreement)
        var sending = MachineBench(role, settings)
        #expect(throws: ZlibFailure(code: Z_STREAM_ERROR)) { try sending.machine.send(.text("Hello")) }
        #expect(throws: ZlibFailure.self) { try sending.machine.send(piece: .bytes([1]), of: .binary, isLast: true) }
        sending.effects += sending.machine.failCompression(at: sending.now)
        #expect(sending.closes == [1011])
        #expect(sending.ends.first?.error?.code == .compressionFailed)
        var receiving = MachineBench(role, settings)
        receiving.receive(receiving.wire.frame(Wire.text, [0xF2, 0x48], reserved: 4))
        #expect(receiving.closes == [1011])
        #expect(receiving.ends.first?.error?.code == .compressionFailed)
        #expect(receiving.ends.first?.closure.isClean == false)
    }
}
