import HTTPTypes
import HoldfastTestSupport
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HoldfastTransport

/// NIOHTTP1's decoder (llhttp) as a second, independent parser. It reads everything that Holdfast accepts in the same
/// way, and may accept more.
@Suite struct SecondReaderTests {
    private struct Reading: Hashable {
        var status = 0
        var fields: [String] = []
        var body: [UInt8] = []
        var isComplete = false
    }

    private func ours(_ bytes: [UInt8]) -> Reading? {
        var parser = ResponseParser(limits: TransportLimits())
        parser.expect(.get)
        var buffer = ByteBuffer(bytes: bytes)
        var reading = Reading()
        do {
            while !reading.isComplete, let event = try parser.next(&buffer) {
                switch event {
                case .informational: break
                case .head(let head, _):
                    reading.status = head.status
                    reading.fields = head.fields.map { "\($0.name.rawName):\($0.value)" }
                case .body(let part): reading.body += Array(buffer: part)
                case .end: reading.isComplete = true
                }
            }
        } catch {
            return nil
        }
        return reading
    }

    private func theirs(_ bytes: [UInt8]) -> Reading? {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish() }
        do {
            let decoder = ByteToMessageHandler(
                HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes, informationalResponseStrategy: .drop))
            try channel.pipeline.syncOperations.addHandler(decoder)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
            try channel.writeOutbound(HTTPClientRequestPart.head(head))
            try channel.writeInbound(ByteBuffer(bytes: bytes))
        } catch {
            // Responses that were read before the error count: bytes after the end of a response are an error.
        }
        var reading = Reading()
        while let part = try? channel.readInbound(as: HTTPClientResponsePart.self), !reading.isComplete {
            switch part {
            case .head(let head):
                reading.status = Int(head.status.code)
                // NIOHTTP1 keeps the whitespace after a value, which belongs to the line and not to the value (RFC
                // 9112, 5.1).
                reading.fields = head.headers.map { field in
                    "\(field.name):\(String(decoding: field.value.utf8.trimmed, as: UTF8.self))"
                }
            case .body(let part): reading.body += Array(buffer: part)
            case .end: reading.isComplete = true
            }
        }
        return reading
    }

    @Test(arguments: 0..<60)
    func bothParsersReadTheSame(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let seeds = ResponseParserTests.recorded.filter { $0.method == .get && !$0.closes }.map { Array($0.bytes.utf8) }
        var accepted = 0
        for _ in 0..<200 {
            guard var bytes = seeds.randomElement(using: &random) else { return }
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: Array("\r\n: ;0".utf8).shuffled(using: &random).prefix(2), at: place)
                default: bytes.insert(bytes[place], at: place)
                }
            }
            // NIOHTTP1 skips chunk extensions and Holdfast parses them. Neither parser uses them.
            guard !bytes.contains(UInt8(ascii: ";")), let mine = ours(bytes), mine.isComplete else { continue }
            accepted += 1
            let other = theirs(bytes)
            #expect(other == mine, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
        }
        #expect(accepted > 20, "most responses were refused, so nothing was compared")
    }
}

extension String.UTF8View {
    fileprivate var trimmed: some BidirectionalCollection<UInt8> {
        reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed()
    }
}
