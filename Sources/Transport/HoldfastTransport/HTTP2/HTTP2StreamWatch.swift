import NIOCore

/// The one timer of all streams of a connection: a timer for each would be made and unmade with every request. Confined to the
/// connection's event loop.
final class HTTP2StreamWatch: NIOScheduledCallbackHandler {
    private weak var handler: HTTP2Handler?
    private var armedFor = NIODeadline.distantFuture
    private var callback: NIOScheduledCallback?

    init(_ handler: HTTP2Handler) {
        self.handler = handler
    }

    /// Has the streams looked at at this time, unless they are looked at before it anyway.
    func arm(for due: NIODeadline, on loop: any EventLoop) {
        guard due < armedFor else { return }
        callback?.cancel()
        armedFor = due
        // Throws only on a loop that is being shut down, where nothing is timed any more.
        callback = try? loop.assumeIsolated().scheduleCallback(at: due, handler: self)
    }

    /// The connection ends.
    func cancel() {
        callback?.cancel()
        callback = nil
        armedFor = .distantFuture
        handler = nil
    }

    func handleScheduledCallback(eventLoop: some EventLoop) {
        callback = nil
        armedFor = .distantFuture
        guard let due = handler?.endOverdueStreams(at: eventLoop.now) else { return }
        arm(for: due, on: eventLoop)
    }
}
