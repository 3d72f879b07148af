/// The budget for HTTP/2 frames without response data. Such frames use up the budget, and traffic refills it.
///
/// The library counts some of these frames per time, and does not count WINDOW_UPDATE, which waits in memory while a
/// reader pauses.
struct FrameBudget: Sendable {
    /// The number of bytes of traffic that refill one frame.
    static let bytesPerFrame = 4096

    private let limit: Int
    private var stock: Int
    private var bytes = 0

    init(limit: Int) {
        self.limit = max(1, limit)
        self.stock = self.limit
    }

    /// Records a frame from the server. Throws `tooManyFrames` if the budget is used up.
    mutating func received(_ frame: HTTP2FrameHeader) throws(TransportError) {
        switch frame.kind {
        case .pushPromise:
            throw .malformed(.push, "The server pushed a response (PUSH_PROMISE) although the client disabled push.")
        case .headers:
            refill(by: 1)
            return
        case .data where frame.length > 0:
            moved(frame.length)
            return
        case .data where frame.endsStream:
            return
        case .data, .priority, .resetStream, .settings, .ping, .goAway, .windowUpdate, .continuation, nil:
            guard stock > 0 else {
                throw TransportError(
                    .tooManyFrames, in: .awaitingResponse,
                    "The server sent more than \(limit) frames without response data.")
            }
            stock -= 1
        }
    }

    /// Records a frame from the client.
    mutating func sent(_ frame: HTTP2FrameHeader) {
        switch frame.kind {
        case .headers: refill(by: 1)
        case .data: moved(frame.length)
        default: break
        }
    }

    private mutating func moved(_ count: Int) {
        bytes += count
        refill(by: bytes / Self.bytesPerFrame)
        bytes %= Self.bytesPerFrame
    }

    private mutating func refill(by count: Int) {
        stock = min(limit, stock + count)
    }
}

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
