import ChatCenter

/// An error for an expected result that is missing.
package struct Unanswered: Error, CustomStringConvertible {
    package var what: String
    package var description: String { "The benchmark failed while waiting for \(what)." }

    package init(what: String) { self.what = what }
}

extension ChatScreen {
    /// Waits until the screen's state fulfils a condition.
    @discardableResult
    package func wait(for what: String, _ condition: @escaping @Sendable (ChatScreenState) -> Bool) async throws
        -> ChatScreenState
    {
        let states = self.states
        return try await before(.seconds(60), what) {
            for await state in states where condition(state) { return state }
            throw Unanswered(what: what)
        }
    }
}

/// Runs `body` with a timeout, so that a benchmark that hangs reports the reason.
package func before<Value: Sendable>(
    _ limit: Duration, _ what: String, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask(operation: body)
        group.addTask {
            try await Task.sleep(for: limit)
            throw Unanswered(what: what)
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw Unanswered(what: what) }
        return value
    }
}
