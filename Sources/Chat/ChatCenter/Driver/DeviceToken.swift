import Synchronization

/// The push token of this device: one for the process, told to every SDK that is alive.
enum DeviceToken {
    private struct State {
        var token: String?
        var observers: [UInt64: @Sendable (String) -> Void] = [:]
        var lastID: UInt64 = 0
    }

    private static let state = Mutex(State())

    /// The token as hexadecimal digits.
    static var current: String? { state.withLock { $0.token } }

    /// Sets the token, and tells those who want to know unless it is the same.
    static func set(_ token: String) {
        let observers = state.withLock { state -> [@Sendable (String) -> Void] in
            guard token != state.token else { return [] }
            state.token = token
            return Array(state.observers.values)
        }
        for observer in observers { observer(token) }
    }

    /// Calls `body` with each new token until ``stopObserving(_:)``.
    static func observe(_ body: @escaping @Sendable (String) -> Void) -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = body
            return state.lastID
        }
    }

    static func stopObserving(_ id: UInt64) {
        state.withLock { _ = $0.observers.removeValue(forKey: id) }
    }
}
