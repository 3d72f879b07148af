@testable import HoldfastWebSocket

/// Makes decompression bombs.
enum Bomb {
    /// Returns `count` zeros, compressed to about one thousandth, the maximum of DEFLATE.
    static func zeros(_ count: Int) throws -> [UInt8] {
        var deflater = Deflater(windowBits: 15, keepsContext: false, level: 9)
        let zeros = [UInt8](repeating: 0, count: count)
        return try zeros.withUnsafeBytes { try deflater.compress($0) } ?? zeros
    }
}
