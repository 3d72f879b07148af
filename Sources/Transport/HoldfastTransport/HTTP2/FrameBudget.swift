/// How many frames a server may send that carry nothing of a response, as a value: a stock that such frames use up, and that
/// traffic refills.
///
/// The library counts some of these frames by the clock, and does not count WINDOW_UPDATE, which waits in memory while a reader pauses.
struct FrameBudget: Sendable {
    /// Bytes of traffic that make up for a frame.
    static let bytesPerFrame = 4096

    private let limit: Int
    private var stock: Int
    private var bytes = 0

    init(limit: Int) {
        self.limit = max(1, limit)
        self.stock = self.limit
    }

    /// The server has sent a frame.
    mutating func received(_ frame: HTTP2FrameHeader) throws(TransportError) {
        switch frame.kind {
        case .pushPromise:
            throw .malformed(.push, "The server pushes a response (PUSH_PROMISE), which it was told not to.")
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
                    "The server sent more than \(limit) frames that carry nothing of a response.")
            }
            stock -= 1
        }
    }

    /// This side has sent a frame.
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
