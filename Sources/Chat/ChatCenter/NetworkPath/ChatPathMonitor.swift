package import ChatCenterCore
import Synchronization

/// Observes the device's network path. Tests use their own implementation.
package protocol ChatPathMonitor: Sendable {
    /// Starts to observe. `sink` receives the current path soon, then each change. Calls are serial, on any thread. A
    /// second call replaces the first.
    func start(_ sink: @escaping @Sendable (NetworkPath) -> Void)

    /// Stops observing. No new call starts afterwards; a call in progress may still run.
    func stop()
}

/// The platform's monitor: `NWPathMonitor` on Apple platforms, elsewhere a check of the interfaces every few seconds.
package enum SystemPathMonitor {
    /// Creates a monitor that is not started.
    package static func make() -> any ChatPathMonitor {
        #if canImport(Network)
        NetworkFrameworkPathMonitor()
        #else
        PollingPathMonitor()
        #endif
    }
}

/// Checks the interfaces every few seconds, between `start` and `stop`. All chats of a process share the checks,
/// because those of a thousand chats would need several percent of a processor.
package final class PollingPathMonitor: ChatPathMonitor {
    /// The time between two checks. The chat also detects a dead connection without this monitor.
    package static let interval = Duration.seconds(5)

    private static let shared = PathPoll(look: { InterfaceList.current.path }) {
        try await Task.sleep(for: interval)  // reason: the interval between two polls
    }

    private let poll: PathPoll
    private let observer = Mutex<PathPoll.Observer?>(nil)

    /// Creates a monitor with the process's checks, or with its own.
    package init(_ poll: PathPoll? = nil) {
        self.poll = poll ?? Self.shared
    }

    deinit { stop() }

    package func start(_ sink: @escaping @Sendable (NetworkPath) -> Void) {
        let next = PathPoll.Observer(sink)
        replace(with: next)
        Task { [poll] in await poll.add(next) }  // reason: the actor is asynchronous; ends after one check
    }

    package func stop() {
        replace(with: nil)
    }

    private func replace(with next: PathPoll.Observer?) {
        let past = observer.withLock { observer in
            defer { observer = next }
            return observer
        }
        guard let past else { return }
        past.end()
        Task { [poll] in await poll.removeEnded() }  // reason: the actor is asynchronous; ends at once
    }
}
