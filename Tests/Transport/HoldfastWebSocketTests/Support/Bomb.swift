@testable import HoldfastWebSocket

/// Little that becomes much.
enum Bomb {
    /// As many zeros, compressed as hard as DEFLATE can: about a thousandth.
    static func zeros(_ count: Int) throws -> [UInt8] {
        var deflater = Deflater(windowBits: 15, keepsContext: false, level: 9)
        let zeros = [UInt8](repeating: 0, count: count)
        return try zeros.withUnsafeBytes { try deflater.compress($0) } ?? zeros
    }
}
