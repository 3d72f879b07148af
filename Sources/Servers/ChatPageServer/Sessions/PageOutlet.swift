import ChatPage
import Synchronization

/// The frames that wait for one page's connection. Their number and size are limited: a page that reads too slowly
/// loses its connection, and gets the missing frames when it connects again.
final class PageOutlet: Sendable {
    /// The limits for waiting frames.
    struct Limits: Hashable, Sendable {
        /// The maximum number of frames. A page that reads too slowly to stay below the limit is disconnected.
        var frames = 512
        /// The maximum number of bytes. A single frame may be larger, because the full state of a long conversation is.
        /// A page that reads too slowly to stay below the limit is disconnected.
        var bytes = 2 << 20
    }

    private struct State {
        var bytes = 0
        var isTooSlow = false
    }

    /// The frames, in order. Only one task may read them, and it calls ``took(_:)`` for each.
    let frames: AsyncStream<PageFrame>
    /// Ends without an element when the outlet ends.
    let end: AsyncStream<Never>

    private let limits: Limits
    private let input: AsyncStream<PageFrame>.Continuation
    private let ending: AsyncStream<Never>.Continuation
    private let state = Mutex(State())

    /// Creates an empty outlet.
    init(limits: Limits = Limits()) {
        self.limits = limits
        (frames, input) = AsyncStream.makeStream(of: PageFrame.self, bufferingPolicy: .bufferingOldest(limits.frames))
        (end, ending) = AsyncStream.makeStream(of: Never.self)
    }

    /// Whether the outlet ended because the page read too slowly.
    var isTooSlow: Bool { state.withLock { $0.isTooSlow } }

    /// Adds a frame. Ends the outlet if the limits are exceeded.
    func push(_ frame: PageFrame) {
        let fits = state.withLock { state in
            guard state.bytes == 0 || state.bytes + frame.bytes.count <= limits.bytes else { return false }
            state.bytes += frame.bytes.count
            return true
        }
        if fits {
            switch input.yield(frame) {
            case .enqueued, .terminated: return
            default: break
            }
        }
        state.withLock { $0.isTooSlow = true }
        close()
    }

    /// Records that the reader has sent a frame.
    func took(_ frame: PageFrame) {
        state.withLock { $0.bytes = max(0, $0.bytes - frame.bytes.count) }
    }

    /// Ends the outlet after the waiting frames.
    func close() {
        input.finish()
        ending.finish()
    }
}
