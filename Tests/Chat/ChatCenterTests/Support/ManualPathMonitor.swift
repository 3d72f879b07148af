import ChatCenterCore
import Synchronization

@testable import ChatCenter

/// A monitor that sees what a test says.
final class ManualPathMonitor: ChatPathMonitor {
    private let sink = Mutex<(@Sendable (NetworkPath) -> Void)?>(nil)

    /// Whether somebody watches.
    var isWatched: Bool { sink.withLock { $0 != nil } }

    func start(_ sink: @escaping @Sendable (NetworkPath) -> Void) {
        self.sink.withLock { $0 = sink }
    }

    func stop() {
        sink.withLock { $0 = nil }
    }

    /// The device is on this network now.
    func see(_ identity: String, hasRoute: Bool = true) {
        sink.withLock { $0 }?(NetworkPath(identity: identity, hasRoute: hasRoute))
    }
}
