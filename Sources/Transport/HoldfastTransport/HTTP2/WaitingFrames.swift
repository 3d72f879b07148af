/// The number of frames that wait in memory because the readers of their streams are paused.
///
/// Flow control limits their bytes but not their number, and each frame needs memory of its own, however small it is.
struct WaitingFrames: Sendable {
    /// The average frame size above which the window closes before this limit is reached.
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

    /// Records that the reader of a stream is paused: further frames wait.
    mutating func paused(_ stream: UInt32) {
        if counts[stream] == nil { counts[stream] = 0 }
    }

    /// Records that the reader of a stream resumed and received all waiting frames, or that the stream ended.
    mutating func resumed(_ stream: UInt32) {
        total -= counts.removeValue(forKey: stream) ?? 0
    }

    /// Records a frame. Throws `tooManyFrames` if too many are waiting.
    mutating func received(_ frame: HTTP2FrameHeader) throws(TransportError) {
        guard !counts.isEmpty, let count = counts[frame.stream] else { return }
        guard count < streamLimit, total < connectionLimit else {
            throw TransportError(
                .tooManyFrames, in: .receiving,
                "More than \(count < streamLimit ? connectionLimit : streamLimit) small frames wait for paused readers."
            )
        }
        counts[frame.stream] = count + 1
        total += 1
    }
}
