/// Cuts what a client of HTTP/2 sends into frames, as a value.
public struct WireFrameReader: Sendable {
    private var waiting: [UInt8] = []
    private var preface = 24

    /// Expects the preface of a client first.
    public init() {}

    /// Takes bytes. Returns the frames that are complete.
    public mutating func take(_ bytes: [UInt8]) -> [WireFrame] {
        waiting += bytes
        if preface > 0 {
            let skipped = min(preface, waiting.count)
            waiting.removeFirst(skipped)
            preface -= skipped
        }
        var frames: [WireFrame] = []
        while preface == 0, waiting.count >= 9 {
            let length = waiting[..<3].reduce(0) { $0 << 8 | Int($1) }
            guard waiting.count >= 9 + length else { break }
            let stream = waiting[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            frames.append(
                WireFrame(
                    waiting[3], flags: waiting[4], stream: stream & 0x7FFF_FFFF,
                    payload: Array(waiting[9..<(9 + length)])))
            waiting.removeFirst(9 + length)
        }
        return frames
    }
}
