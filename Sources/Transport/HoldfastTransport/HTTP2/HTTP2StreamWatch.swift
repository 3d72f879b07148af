import NIOCore

/// The single timer for all streams of a connection, because a timer per stream would be created and cancelled with
/// every request. Confined to the connection's event loop.
final class HTTP2StreamWatch: NIOScheduledCallbackHandler {
    private weak var handler: HTTP2Handler?
    private var armedFor = NIODeadline.distantFuture
    private var callback: NIOScheduledCallback?

    init(_ handler: HTTP2Handler) {
        self.handler = handler
    }

    /// Sets the timer, unless it is already set for an earlier time.
    func arm(for due: NIODeadline, on loop: any EventLoop) {
        guard due < armedFor else { return }
        callback?.cancel()
        armedFor = due
        // Throws only if the event loop is shutting down. The timer is not needed then.
        callback = try? loop.assumeIsolated().scheduleCallback(at: due, handler: self)
    }

    /// Cancels the timer when the connection ends.
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
