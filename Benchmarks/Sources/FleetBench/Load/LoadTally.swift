import NIOCore
import Synchronization

/// The results of all connections.
final class LoadTally: Sendable {
    /// The results of a part of a run.
    struct Window: Sendable {
        /// From the time when each request was due to its answer, in microseconds.
        var latencies: [Double] = []
        /// The accepted reports of each second.
        var seconds: [Int: Int] = [:]
        var refused = 0
        var begins = NIODeadline.now()
        var ends = NIODeadline.now()

        /// The length in seconds.
        var length: Double { Double((ends - begins).nanoseconds) / 1e9 }
    }

    private struct State {
        var window: Window?
        /// The number of each stored report in the database, by its number in the load.
        var answers: [UInt64: Int64] = [:]
        var accepted = 0
        var repeated = 0
        var lostConnections = 0
        var failure: String?
    }

    private let state = Mutex(State())
    private let keepsAnswers: Bool

    init(keepsAnswers: Bool) {
        self.keepsAnswers = keepsAnswers
    }

    /// The number of reports that were answered with 201.
    var accepted: Int { state.withLock(\.accepted) }
    /// The number of reports that were answered with 200, because an earlier answer was lost.
    var repeated: Int { state.withLock(\.repeated) }
    /// The number of connections that ended before their answer.
    var lostConnections: Int { state.withLock(\.lostConnections) }
    /// The number of each stored report in the database, by its number in the load.
    var answers: [UInt64: Int64] { state.withLock(\.answers) }

    /// Throws if an answer was wrong.
    func check() throws {
        if let failure = state.withLock(\.failure) { throw BenchFailure(failure) }
    }

    func beginWindow() { state.withLock { $0.window = Window() } }

    func endWindow() -> Window {
        state.withLock { state in
            var window = state.window ?? Window()
            window.ends = .now()
            state.window = nil
            return window
        }
    }

    // MARK: Results of connections

    func stored(_ number: UInt64, id: Int64, isRepeated: Bool, due: NIODeadline) {
        let now = NIODeadline.now()
        state.withLock { state in
            if isRepeated { state.repeated += 1 } else { state.accepted += 1 }
            if keepsAnswers, state.answers.updateValue(id, forKey: number) != nil {
                state.failure = "report \(number) was answered twice"
            }
            guard let begins = state.window?.begins else { return }
            state.window?.latencies.append(Double((now - due).nanoseconds) / 1e3)
            state.window?.seconds[Int((now - begins).nanoseconds / 1_000_000_000), default: 0] += 1
        }
    }

    func refused() { state.withLock { $0.window?.refused += 1 } }
    func lostConnection() { state.withLock { $0.lostConnections += 1 } }
    func failed(_ reason: String) { state.withLock { if $0.failure == nil { $0.failure = reason } } }
}
