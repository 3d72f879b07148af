import HoldfastSystem

/// The source of mask keys and upgrade keys: the system's random number generator, or a seeded one in tests.
package struct WebSocketEntropy: Sendable {
    private let fill: @Sendable () -> UInt64
    private let moreKeys: @Sendable () -> [UInt32]
    /// Mask keys that were generated and not yet used; the last one is used next.
    private var keys: [UInt32] = []

    /// Makes a source that draws from `next`, which is called on the sending thread.
    package init(_ next: @escaping @Sendable () -> UInt64) {
        self.fill = next
        self.moreKeys = {
            let drawn = next()
            return [UInt32(truncatingIfNeeded: drawn >> 32), UInt32(truncatingIfNeeded: drawn)]
        }
    }

    private init(fill: @escaping @Sendable () -> UInt64, moreKeys: @escaping @Sendable () -> [UInt32]) {
        self.fill = fill
        self.moreKeys = moreKeys
    }

    /// The system's random number generator, which is unpredictable as RFC 6455, 5.3 and 10.3 require.
    ///
    /// Mask keys are generated 32 at a time with one system call, because a system call per message would be a large
    /// part of a small message's cost.
    package static var system: WebSocketEntropy {
        WebSocketEntropy {
            var generator = SystemRandomNumberGenerator()
            return generator.next()
        } moreKeys: {
            var keys = [UInt32](repeating: 0, count: 32)
            if keys.withUnsafeMutableBytes({ getentropy($0.baseAddress, $0.count) }) == 0 { return keys }
            var generator = SystemRandomNumberGenerator()
            return (0..<32).map { _ in generator.next() }
        }
    }

    /// Returns a new mask key.
    package mutating func maskKey() -> MaskKey {
        if keys.isEmpty { keys = moreKeys() }
        return MaskKey(rawValue: keys.popLast() ?? UInt32(truncatingIfNeeded: fill()))
    }

    /// Returns sixteen new bytes for `Sec-WebSocket-Key` (RFC 6455, 4.1).
    package func nonce() -> [UInt8] {
        let words = [fill(), fill()]
        return words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }
}

/// A reading of a monotonic clock. The protocol reads no clock itself; every event contains an instant.
package struct WebSocketInstant: Hashable, Comparable, Sendable {
    /// Nanoseconds since an arbitrary origin.
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// Returns the instant `duration` later, clamped to the range of the type.
    package func advanced(by duration: Duration) -> Self {
        let length = duration.wholeNanoseconds
        let (sum, beyond) = nanoseconds.addingReportingOverflow(length)
        return Self(nanoseconds: beyond ? (length < 0 ? .min : .max) : sum)
    }

    /// Returns the duration from this instant to `other`.
    package func duration(to other: Self) -> Duration {
        let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return .nanoseconds(overflow ? (other > self ? .max : .min) : difference)
    }
}
