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

/// Checks the interfaces every few seconds, between `start` and `stop`. Each check takes a few microseconds.
package final class PollingPathMonitor: ChatPathMonitor {
    /// The time between two checks. The chat also detects a dead connection without this monitor.
    package static let interval = Duration.seconds(5)

    private let task = Mutex<Task<Void, Never>?>(nil)
    private let look: @Sendable () -> NetworkPath
    private let pause: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - look: Returns the current path.
    ///   - pause: Waits between two checks; throws if the task is cancelled.
    package init(
        look: @escaping @Sendable () -> NetworkPath = { InterfaceList.current.path },
        pause: @escaping @Sendable () async throws -> Void = {
            try await Task.sleep(for: interval)  // reason: the interval between two polls
        }
    ) {
        self.look = look
        self.pause = pause
    }

    deinit { stop() }

    package func start(_ sink: @escaping @Sendable (NetworkPath) -> Void) {
        let next = Task { [look, pause] in  // reason: polls until `stop` or until the monitor is freed
            var last: NetworkPath?
            while !Task.isCancelled {
                let path = look()
                if path != last, !Task.isCancelled { sink(path) }
                last = path
                do { try await pause() } catch { return }
            }
        }
        replace(with: next)
    }

    package func stop() {
        replace(with: nil)
    }

    private func replace(with next: Task<Void, Never>?) {
        let past = task.withLock { task in
            defer { task = next }
            return task
        }
        past?.cancel()
    }
}
