import ChatCenterCore
import Synchronization

@testable import ChatCenter

/// A path monitor that a test controls.
final class ManualPathMonitor: ChatPathMonitor {
    private let sink = Mutex<(@Sendable (NetworkPath) -> Void)?>(nil)

    /// Whether the monitor is started.
    var isWatched: Bool { sink.withLock { $0 != nil } }

    func start(_ sink: @escaping @Sendable (NetworkPath) -> Void) {
        self.sink.withLock { $0 = sink }
    }

    func stop() {
        sink.withLock { $0 = nil }
    }

    /// Reports that the device is now on this network.
    func see(_ identity: String, hasRoute: Bool = true) {
        sink.withLock { $0 }?(NetworkPath(identity: identity, hasRoute: hasRoute))
    }
}
