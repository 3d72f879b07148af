import ChatCenter

/// What a benchmark waited for did not come.
struct Unanswered: Error, CustomStringConvertible {
    var what: String
    var description: String { "This did not come in time: \(what)." }
}

extension ChatScreen {
    /// Waits until the screen shows something.
    @discardableResult
    func wait(for what: String, _ condition: @escaping @Sendable (ChatScreenState) -> Bool) async throws
        -> ChatScreenState
    {
        let states = self.states
        return try await before(.seconds(60), what) {
            for await state in states where condition(state) { return state }
            throw Unanswered(what: what)
        }
    }
}

/// Gives up when the time is over: a benchmark that hangs says why.
func before<Value: Sendable>(
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
