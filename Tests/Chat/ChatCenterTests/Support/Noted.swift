import Synchronization

/// Records the values of a callback.
final class Noted<Value: Sendable>: Sendable {
    private let state = Mutex<[Value]>([])

    var values: [Value] { state.withLock { $0 } }

    func append(_ value: Value) {
        state.withLock { $0.append(value) }
    }
}
