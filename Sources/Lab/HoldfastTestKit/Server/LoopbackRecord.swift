import NIOCore
import Synchronization

/// What the connections of one server share: the script and the recordings. It is safe to use from any thread.
final class LoopbackRecord: Sendable {
    /// The maximum number of connections of one server. Later ones are closed at once.
    private static let maximumConnections = 10_000

    private struct State: Sendable {
        var connections: [LoopbackConnection] = []
        var channels: [Int: any Channel] = [:]
        var answers: [LoopbackAnswer] = []
        var nextAnswer = 0
        var isStopped = false
        /// Opened when the last connection has ended.
        var ends: [AnswerGate] = []
    }

    let requests = Journal<LoopbackRequest>()
    let configuration: LoopbackServer.Configuration
    private let state = Mutex(State())

    init(_ configuration: LoopbackServer.Configuration) {
        self.configuration = configuration
    }

    var connections: [LoopbackConnection] { state.withLock { $0.connections } }

    // MARK: - Answers

    func enqueue(_ answers: [LoopbackAnswer]) {
        state.withLock { $0.answers += answers }
    }

    /// Stores a request and returns the answer to it: the oldest scripted one, or that of the configuration.
    func answer(to request: LoopbackRequest) -> LoopbackAnswer {
        let scripted = state.withLock { state -> LoopbackAnswer? in
            guard state.nextAnswer < state.answers.count else { return nil }
            state.nextAnswer += 1
            return state.answers[state.nextAnswer - 1]
        }
        let answer = scripted ?? configuration.answer(request)
        // A test that waited for the request must not see an answer of the script that is still to be taken.
        requests.append(request)
        return answer
    }

    // MARK: - Connections

    /// Registers a connection and returns its number; `nil` if the server must close it.
    func opened(_ channel: any Channel) -> Int? {
        let number = state.withLock { state -> Int? in
            guard !state.isStopped, state.connections.count < Self.maximumConnections else { return nil }
            let number = state.connections.count
            state.connections.append(LoopbackConnection(number: number))
            state.channels[number] = channel
            return number
        }
        guard let number else { return nil }
        channel.closeFuture.whenComplete { _ in self.closed(number) }
        return number
    }

    /// Changes the record of a connection.
    func note(_ number: Int, _ change: (inout LoopbackConnection) -> Void) {
        state.withLock { change(&$0.connections[number]) }
    }

    private func closed(_ number: Int) {
        let ends = state.withLock { state -> [AnswerGate] in
            state.connections[number].isOpen = false
            state.channels[number] = nil
            guard state.channels.isEmpty else { return [] }
            defer { state.ends = [] }
            return state.ends
        }
        for end in ends { end.open() }
    }

    /// Returns when all connections have ended, or after `limit`.
    func waitForEnds(limit: TimeAmount, on loop: any EventLoop) async {
        let end = AnswerGate()
        let isQuiet = state.withLock { state in
            if !state.channels.isEmpty { state.ends.append(end) }
            return state.channels.isEmpty
        }
        guard !isQuiet else { return }
        let timer = loop.scheduleTask(in: limit) { end.open() }
        await end.wait()
        timer.cancel()
    }

    /// Closes all connections and refuses further ones.
    func stop() {
        let channels = state.withLock { state in
            state.isStopped = true
            return Array(state.channels.values)
        }
        for channel in channels { channel.close(promise: nil) }
        requests.finish()
    }
}
