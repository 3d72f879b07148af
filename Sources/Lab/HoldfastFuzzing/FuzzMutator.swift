import HoldfastBase

/// Applies random changes that are likely to find bugs in parsers. The same seed makes the same changes.
public struct FuzzMutator: Sendable {
    private var numbers: SplitMix64

    /// Byte sequences with a meaning in the fuzzed formats.
    private static let telling: [[UInt8]] = [
        [0x00], [0xFF], [0x7F], [0x80], [0x81], [0x30, 0x80], [0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x82, 0x7F, 0xFF],
        [0x30, 0x00], [0x31], [0x04, 0x00], [0x05, 0x00], [0x02, 0x01, 0x00], [0xA0], [0xBF], [0x1F],
        Array("<".utf8), Array(">".utf8), Array("&".utf8), Array("&#x0;".utf8), Array("&amp;".utf8), Array("\"".utf8),
        Array("{".utf8), Array("}".utf8), Array("[".utf8), Array("]".utf8), Array("\\u0000".utf8),
        Array("\\ud800".utf8),
        Array("-----BEGIN ".utf8), Array("-----END ".utf8), Array("=".utf8), Array("\n".utf8), Array("\r".utf8),
        Array("<!DOCTYPE".utf8), Array("<![CDATA[".utf8), Array("-->".utf8), Array("%".utf8), Array("xn--".utf8),
        Array(".".utf8), Array("1e999".utf8), Array("-1".utf8), Array("9223372036854775808".utf8), [0xC3, 0xA9],
        [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xEF, 0xBB, 0xBF], [0xE3, 0x80, 0x82],
        // WebSocket: plain, masked and compressed frames, the end of a flush, and the parts of an upgrade request.
        [0x81, 0x05], [0x01, 0x80], [0x80, 0x00], [0x82, 0xFE, 0x01, 0x00], [0x89, 0x80, 0x00, 0x00, 0x00, 0x00],
        [0x88, 0x02, 0x03, 0xE8], [0xC1, 0x07], [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], [0x00, 0x00, 0xFF, 0xFF],
        Array("\r\n\r\n".utf8), Array(", ".utf8), Array("; ".utf8), Array("permessage-deflate".utf8),
        Array("client_max_window_bits=8".utf8), Array("server_no_context_takeover".utf8),
    ]

    /// Creates a mutator from a seed.
    public init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    /// Returns the sample after one to eight changes.
    ///
    /// - Parameters:
    ///   - sample: The bytes to change.
    ///   - others: Other samples; parts of them may be inserted.
    ///   - limit: The maximum number of bytes in the result.
    public mutating func mutate(_ sample: [UInt8], others: [[UInt8]] = [], limit: Int = 1 << 16) -> [UInt8] {
        var bytes = sample
        for _ in 0..<1 << below(4) { change(&bytes, others) }
        return Array(bytes.prefix(limit))
    }

    /// Returns a random number below `count`, which must be positive.
    public mutating func below(_ count: Int) -> Int {
        Int(numbers.next() % UInt64(max(1, count)))
    }

    private mutating func change(_ bytes: inout [UInt8], _ others: [[UInt8]]) {
        guard !bytes.isEmpty else {
            bytes = FuzzMutator.telling[below(FuzzMutator.telling.count)]
            return
        }
        let place = below(bytes.count)
        switch below(9) {
        case 0: bytes[place] ^= 1 << UInt8(below(8))
        case 1: bytes[place] = UInt8(below(256))
        case 2: bytes[place] = bytes[place] &+ (below(2) == 0 ? 1 : 255)
        case 3: bytes.insert(contentsOf: FuzzMutator.telling[below(FuzzMutator.telling.count)], at: place)
        case 4:
            let new = FuzzMutator.telling[below(FuzzMutator.telling.count)]
            bytes.replaceSubrange(place..<min(place + new.count, bytes.count), with: new)
        case 5: bytes.removeSubrange(place..<min(place + 1 + below(16), bytes.count))
        case 6:
            let part = Array(bytes[place..<min(place + 1 + below(64), bytes.count)])
            bytes.insert(contentsOf: part, at: below(bytes.count))
        case 7: bytes.removeLast(bytes.count - place)
        default:
            guard !others.isEmpty else { return }
            let other = others[below(others.count)]
            guard !other.isEmpty else { return }
            let start = below(other.count)
            let part = other[start..<min(start + 1 + below(128), other.count)]
            bytes.replaceSubrange(place..<min(place + below(64), bytes.count), with: part)
        }
    }
}
