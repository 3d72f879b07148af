import ChatCenter
import Foundation
import Synchronization

/// An open chat between a server and somebody's input, until one of them ends it.
final class ChatSession: Sendable {
    /// What one of the tasks of a session tells the others.
    enum Signal: Sendable {
        /// There are no more lines.
        case inputEnded
        /// As many messages have come as are wanted.
        case enough
        /// Nothing has come for a while since the input ended, or messages were not sent in time.
        case quiet
        /// The person or the system wants an end.
        case interrupted
        /// A line asks for an end.
        case quit
        /// A line cannot be used, and no more are read. What was accepted before is still sent.
        case unusable(ToolError)
        /// The session cannot go on: output that nobody reads.
        case stopped(ToolError)
    }

    /// How many reasons are remembered in order to tell each one once.
    private static let mostTold = 64

    let chat: ChatCenterUISDK
    let screen: ChatScreen
    let terminal: EventTerminal<ChatChange>
    let lines: InputLines
    let plan: ChatPlan
    /// What judges the server.
    let judge: ChatJudge?
    /// Waits. Throws when the task is cancelled.
    let pause: @Sendable (Duration) async throws -> Void
    /// Returns when the person or the system wants an end.
    let interruption: @Sendable () async -> Void
    let tally = ChatTally()
    let transcript = Mutex(ChatTranscript())

    init(
        chat: ChatCenterUISDK, screen: ChatScreen, terminal: EventTerminal<ChatChange>, lines: InputLines,
        plan: ChatPlan, judge: ChatJudge? = nil,
        pause: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)  // reason: silence, in real time; tests hand in another
        }, interruption: @escaping @Sendable () async -> Void = { await Interruption.wait() }
    ) {
        self.chat = chat
        self.screen = screen
        self.terminal = terminal
        self.lines = lines
        self.plan = plan
        self.judge = judge
        self.pause = pause
        self.interruption = interruption
    }

    /// Runs until somebody ends it, and says what came of it. Throws ``ToolError`` for unusable input, and for output that
    /// nobody reads.
    func run() async throws -> ToolStatus {
        let (signals, signaller) = AsyncStream.makeStream(of: Signal.self)
        // What is there before the socket opens is no news.
        try show(ChatPicture(screen.state, now: Self.now()), signaller)
        screen.viewDidAppear()
        defer { screen.viewDidDisappear() }
        let unusable: ToolError? = try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            var unusable: ToolError?
            group.addTask { await self.watch(signaller) }
            group.addTask { await self.listen(signaller) }
            group.addTask { await self.obey(signaller) }
            group.addTask {
                await self.interruption()
                signaller.yield(.interrupted)
            }
            for await signal in signals {
                switch signal {
                case .inputEnded where !plan.isPrompt:
                    group.addTask { await self.waitForSilence(of: self.plan.quiet, signaller) }
                case .unusable(let error):
                    unusable = error
                    group.addTask { await self.waitForSilence(of: .zero, signaller) }
                case .stopped(let error): throw error
                case .enough where unusable != nil: break
                case .inputEnded, .enough, .quiet, .interrupted, .quit: return unusable
                }
            }
            return unusable
        }
        terminal.removePrompt()
        // The end may have overtaken the newest picture.
        try show(ChatPicture(screen.state, now: Self.now()), signaller)
        let (failed, unsent, received) = (tally.failed, tally.unsettled, tally.received)
        try terminal.show(.ended(received: received, failed: failed, unsent: unsent))
        if let unusable { throw unusable.adding(Self.fate(accepted: tally.accepted, lost: failed + unsent)) }
        return failed + unsent > 0 || received < plan.count ?? 0 ? .failure : .success
    }

    /// What became of the messages in front of a line that cannot be used, in words.
    private static func fate(accepted: Int, lost: Int) -> String {
        let messages = "message\(accepted == 1 ? "" : "s")"
        guard accepted > 0 else { return "no message was sent" }
        return lost == 0
            ? "\(accepted) \(messages) before it \(accepted == 1 ? "was" : "were") sent"
            : "\(lost) of \(accepted) \(messages) before it \(lost == 1 ? "was" : "were") not sent"
    }

    // MARK: Tasks

    /// Shows what changes on the screen.
    private func watch(_ signaller: AsyncStream<Signal>.Continuation) async {
        for await state in screen.states {
            do {
                try show(ChatPicture(state, now: Self.now()), signaller)
                terminal.showProgress(ChatPicture.progress(state))
            } catch {
                signaller.yield(.stopped(ToolError(describing: error)))
                return
            }
        }
    }

    /// Milliseconds since 1970, to tell how long a wait still takes.
    static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    private func show(_ picture: ChatPicture, _ signaller: AsyncStream<Signal>.Continuation) throws {
        for change in transcript.withLock({ $0.update(picture) }) {
            note(change, signaller)
            try terminal.show(change)
        }
    }

    /// Counts what has to be counted.
    private func note(_ change: ChatChange, _ signaller: AsyncStream<Signal>.Continuation) {
        switch change {
        case .row(_, let row, isOlder: false):
            if case .other = row.author, tally.message() == plan.count { signaller.yield(.enough) }
            if let state = row.state { tally.came(row.id, to: state) }
        case .state(_, let row): tally.came(row.id, to: row.state ?? "")
        case .changed, .gone, .search, .survey: tally.touch()
        default: break
        }
    }

    /// Tells what an app would be told beside the screen.
    private func listen(_ signaller: AsyncStream<Signal>.Continuation) async {
        // Each attempt fails in the same way while there is no network.
        var told: Set<String> = []
        for await event in chat.events {
            let reason: String
            var isRepeated = false
            switch event {
            case .networkError(let error):
                reason = ChatProblem.sentence(error)
                switch error.problem {
                case .socket, .call(.configuration, _), .call(.history, _), .call(.unread, _):
                    // A server chooses some of these words: they are not collected without end.
                    if told.count >= Self.mostTold { told = [] }
                    isRepeated = !told.insert(String(reason.prefix(512))).inserted
                // What the person has asked for is told each time.
                case .call, nil: break
                }
                if !isRepeated { for line in judge?.lines(on: error) ?? [] { terminal.note(line) } }
            case .authorizationFailed(let error): reason = ChatProblem.sentence(error)
            case .reauthorizationNeeded(let refusal): reason = ChatPicture.unauthorized(refusal)
            case .connection(let connection):
                if connection.phase == .ready { told = [] }
                continue
            default: continue
            }
            do {
                try terminal.show(.failed(reason, isRepeated: isRepeated))
            } catch {
                signaller.yield(.stopped(ToolError(describing: error)))
                return
            }
        }
    }

    /// Waits until every message has its fate and nothing has come for a while, or until it takes too long.
    private func waitForSilence(of quiet: Duration, _ signaller: AsyncStream<Signal>.Continuation) async {
        tally.touch()
        let start = ContinuousClock.now
        while true {
            let silence = tally.silence
            let isLate = start.duration(to: .now) >= plan.patience
            if isLate, tally.unsettled > 0 { break }
            if tally.unsettled == 0, silence >= quiet { break }
            let rest = tally.unsettled == 0 ? quiet - silence : .milliseconds(50)
            do { try await pause(max(rest, .milliseconds(10))) } catch { return }
        }
        signaller.yield(.quiet)
    }
}
