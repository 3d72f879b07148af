import NIOCore

/// Closes a channel that makes no progress for a time. Used on the channel's event loop.
///
/// Has one scheduled task at a time. If it fires too early, it is scheduled again.
final class ProgressTimer {
    private let time: TimeAmount
    private var deadline = NIODeadline.distantFuture
    private var task: Scheduled<Void>?

    init(_ time: TimeAmount) {
        self.time = time
    }

    /// Begins the time again.
    func restart(_ context: ChannelHandlerContext) {
        deadline = context.eventLoop.now + time
        if task == nil { schedule(context) }
    }

    func stop() {
        task?.cancel()
        task = nil
    }

    private func schedule(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        task = context.eventLoop.scheduleTask(deadline: deadline) {
            let (timer, context) = bound.value
            if context.eventLoop.now < timer.deadline {
                timer.schedule(context)
            } else {
                context.close(promise: nil)
            }
        }
    }
}
