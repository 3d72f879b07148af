/// The last frames with changes, for pages that reconnect.
struct PageFrameLog: Hashable, Sendable {
    private let maximumFrames: Int
    private let maximumBytes: Int
    /// Frames with consecutive numbers, oldest first.
    private var frames: [PageFrame] = []
    private var byteCount = 0

    /// Creates an empty log.
    init(maximumFrames: Int, maximumBytes: Int) {
        self.maximumFrames = maximumFrames
        self.maximumBytes = maximumBytes
    }

    /// Appends the next frame. Removes the oldest frames beyond the limits.
    mutating func append(_ frame: PageFrame) {
        frames.append(frame)
        byteCount += frame.bytes.count
        var surplus = 0
        while surplus < frames.count, frames.count - surplus > maximumFrames || byteCount > maximumBytes {
            byteCount -= frames[surplus].bytes.count
            surplus += 1
        }
        frames.removeFirst(surplus)
    }

    /// Replaces all frames with one that contains the full state.
    mutating func replace(with frame: PageFrame) {
        frames = []
        byteCount = 0
        append(frame)
    }

    /// Returns the frames after a number, or `nil` if one of them is not stored.
    func frames(after number: UInt64, upTo last: UInt64) -> [PageFrame]? {
        if number == last { return [] }
        guard number < last, let first = frames.first, first.number <= number + 1 else { return nil }
        return Array(frames.drop { $0.number <= number })
    }
}
