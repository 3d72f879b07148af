package import ChatCenterCore
import Synchronization

/// Looks at the interfaces every few seconds: a handful of microseconds each time, and only between `start` and `stop`.
package final class PollingPathMonitor: ChatPathMonitor {
    /// How often it looks. A change is a hint for the chat, which finds a dead link by itself.
    package static let interval = Duration.seconds(5)

    private let task = Mutex<Task<Void, Never>?>(nil)
    private let look: @Sendable () -> NetworkPath
    private let pause: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - look: What is seen now.
    ///   - pause: The wait between two looks; throws when the task is cancelled.
    package init(
        look: @escaping @Sendable () -> NetworkPath = { InterfaceList.current.path },
        pause: @escaping @Sendable () async throws -> Void = {
            try await Task.sleep(for: interval)  // reason: the pace of a poll, which is what this monitor is
        }
    ) {
        self.look = look
        self.pause = pause
    }

    deinit { stop() }

    package func start(_ sink: @escaping @Sendable (NetworkPath) -> Void) {
        let next = Task { [look, pause] in  // reason: the watch lasts until `stop` or until the monitor is freed
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
