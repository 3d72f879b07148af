package import ChatCenterCore
import Synchronization

/// Checks the network path every few seconds, for all monitors that share it, while one of them is started.
///
/// Calls of all observers are serial, because the actor makes them.
package actor PathPoll {
    /// A monitor between `start` and `stop`.
    final class Observer: Sendable {
        private let sink: @Sendable (NetworkPath) -> Void
        private let ended = Atomic(false)

        init(_ sink: @escaping @Sendable (NetworkPath) -> Void) {
            self.sink = sink
        }

        var hasEnded: Bool { ended.load(ordering: .acquiring) }

        /// Prevents new calls.
        func end() {
            ended.store(true, ordering: .releasing)
        }

        func tell(_ path: NetworkPath) {
            if !hasEnded { sink(path) }
        }
    }

    private let look: @Sendable () -> NetworkPath
    private let pause: @Sendable () async throws -> Void
    private var observers: [(observer: Observer, last: NetworkPath?)] = []
    private var loop: Task<Void, Never>?

    /// - Parameters:
    ///   - look: Returns the current path.
    ///   - pause: Waits between two checks; throws if the task is cancelled.
    package init(look: @escaping @Sendable () -> NetworkPath, pause: @escaping @Sendable () async throws -> Void) {
        self.look = look
        self.pause = pause
    }

    /// Checks the path now and every few seconds, until the observer has ended.
    func add(_ observer: Observer) {
        guard !observer.hasEnded else { return }
        observers.append((observer, nil))
        check()
        guard loop == nil else { return }
        loop = Task {  // reason: polls until no observer is left
            while !Task.isCancelled {
                do { try await pause() } catch { return }
                if !Task.isCancelled { check() }
            }
        }
    }

    /// Forgets the observers that have ended. Without observers, nothing is checked.
    func removeEnded() {
        observers.removeAll { $0.observer.hasEnded }
        guard observers.isEmpty else { return }
        loop?.cancel()
        loop = nil
    }

    private func check() {
        let path = look()
        for index in observers.indices where observers[index].last != path {
            observers[index].last = path
            observers[index].observer.tell(path)
        }
    }
}
