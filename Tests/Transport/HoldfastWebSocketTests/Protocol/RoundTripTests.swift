import HoldfastTestSupport
import HoldfastWebSocket
import Synchronization
import Testing

/// Tests that one end reads everything that the other end encodes, for every segmentation.
@Suite struct RoundTripTests {
    @Test(arguments: WebSocketRole.allCases, 0..<10)
    func decodesWhatWasEncoded(sender: WebSocketRole, seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let fragmentSize = [nil, 1, 7, 125, 126, 5000].randomElement(using: &generator) ?? nil
        let settings = WebSocketSettings(fragmentSize: fragmentSize)
        var out = WebSocketMachine(role: sender, settings: settings, at: WebSocketInstant(nanoseconds: 0))
        var bench = MachineBench(
            sender.peer, WebSocketSettings(limits: WebSocketLimits(maximumFragments: 1 << 20)))
        let keys = Mutex(SeededGenerator(seed: UInt64(seed) + 1000))
        var encoder = FrameEncoder(role: sender, entropy: WebSocketEntropy { keys.withLock { $0.next() } })
        var messages: [WebSocketMessage] = []
        var stream: [UInt8] = []
        for _ in 0..<10 {
            let sizes = fragmentSize == 1 ? [0, 1, 2, 500] : [0, 1, 3, 124, 125, 126, 127, 1000, 65535, 65536]
            let size = sizes.randomElement(using: &generator) ?? 0
            let message: WebSocketMessage =
                if Bool.random(using: &generator) {
                    .binary((0..<size).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
                } else {
                    .text(String((0..<size / 3).map { _ in "aé€😀\u{0}".randomElement(using: &generator) ?? "a" }))
                }
            messages.append(message)
            for frame in try out.send(message) ?? [] { stream += encoder.encode(frame) }
        }
        var rest = stream[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...max(1, stream.count / 5), using: &generator)
            bench.receive(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(bench.messages == messages)
        #expect(bench.sent.isEmpty && bench.ends.isEmpty)
    }

    @Test func onlyTheClientMasksEachFrameWithANewKey() {
        let keys = Mutex(SeededGenerator(seed: 5))
        let entropy = WebSocketEntropy { keys.withLock { $0.next() } }
        var client = FrameEncoder(role: .client, entropy: entropy)
        let frame = OutboundFrame(opcode: .text, bytes: Array("Hello".utf8))
        let drawn = Set((0..<100).map { _ in Array(client.encode(frame)[2..<6]) })
        #expect(drawn.count == 100)
        var server = FrameEncoder(role: .server, entropy: entropy)
        #expect(server.encode(frame) == [0x81, 5] + Array("Hello".utf8))
    }
}
