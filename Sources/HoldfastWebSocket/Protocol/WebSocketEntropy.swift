/// Where mask keys and the key of the upgrade come from: the machine's generator, or a seeded one in tests.
package struct WebSocketEntropy: Sendable {
    private let fill: @Sendable () -> UInt64
    /// Half a draw that was not used yet.
    private var spare: UInt32?

    /// Makes a source that draws from `next`, which is called from the thread that sends.
    package init(_ next: @escaping @Sendable () -> UInt64) {
        self.fill = next
    }

    /// The machine's generator, which is unpredictable as RFC 6455, 5.3 and 10.3 ask.
    package static var system: WebSocketEntropy {
        WebSocketEntropy {
            var generator = SystemRandomNumberGenerator()
            return generator.next()
        }
    }

    /// A fresh mask key.
    package mutating func maskKey() -> MaskKey {
        if let value = spare {
            spare = nil
            return MaskKey(rawValue: value)
        }
        let drawn = fill()
        spare = UInt32(truncatingIfNeeded: drawn >> 32)
        return MaskKey(rawValue: UInt32(truncatingIfNeeded: drawn))
    }

    /// Sixteen fresh bytes, for `Sec-WebSocket-Key` (RFC 6455, 4.1).
    package func nonce() -> [UInt8] {
        let words = [fill(), fill()]
        return words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }
}
