/// The frames that wait in memory because the readers of their streams pause, as a value.
///
/// Flow control bounds the bytes in them, and not their number: a frame takes room of its own, however little is in it.
struct WaitingFrames: Sendable {
    /// With larger frames than this, on the average, the window closes before the limit is reached.
    static let bytesPerFrame = 64

    private let streamLimit: Int
    private let connectionLimit: Int
    private var counts: [UInt32: Int] = [:]
    private var total = 0

    init(
        perStream: Int = HTTP2Limits.streamWindow / bytesPerFrame,
        perConnection: Int = HTTP2Limits.connectionWindow / bytesPerFrame
    ) {
        self.streamLimit = perStream
        self.connectionLimit = perConnection
    }

    /// The reader of a stream has no room: what comes from now on waits.
    mutating func paused(_ stream: UInt32) {
        if counts[stream] == nil { counts[stream] = 0 }
    }

    /// It has room again, and all that waits is delivered; or the stream ends.
    mutating func resumed(_ stream: UInt32) {
        total -= counts.removeValue(forKey: stream) ?? 0
    }

    /// A frame has come.
    mutating func received(_ frame: HTTP2FrameHeader) throws(TransportError) {
        guard !counts.isEmpty, let count = counts[frame.stream] else { return }
        guard count < streamLimit, total < connectionLimit else {
            throw TransportError(
                .tooManyFrames, in: .receiving,
                "More than \(count < streamLimit ? connectionLimit : streamLimit) small frames wait for their readers.")
        }
        counts[frame.stream] = count + 1
        total += 1
    }
}
