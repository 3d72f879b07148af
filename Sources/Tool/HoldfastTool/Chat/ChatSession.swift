import ChatCenter
import Foundation
import Synchronization

/// An open chat between a server and the command's input, until one of them ends it.
final class ChatSession: Sendable {
    /// A signal from one of the session's tasks to the others.
    enum Signal: Sendable {
        /// The input has ended.
        case inputEnded
        /// The requested number of messages has come.
        case enough
        /// Nothing has come for a while since the input ended, or messages were not sent in time.
        case quiet
        /// The user or the system interrupts the command.
        case interrupted
        /// A line ends the session.
        case quit
        /// A line is invalid, and no more lines are read. Messages that were accepted before are still sent.
        case unusable(ToolError)
        /// The session cannot continue: the output is closed.
        case stopped(ToolError)
    }

    /// How many reasons are remembered, so that each is printed once. When there are more, all are forgotten.
    private static let mostTold = 64

    let chat: ChatCenterUISDK
    let screen: ChatScreen
    let terminal: EventTerminal<ChatChange>
    let lines: InputLines
    let plan: ChatPlan
    /// The trust decision for the server.
    let judge: ChatJudge?
    /// Waits. Throws when the task is cancelled.
    let pause: @Sendable (Duration) async throws -> Void
    /// Returns when the user or the system interrupts the command.
    let interruption: @Sendable () async -> Void
    let tally = ChatTally()
    let transcript = Mutex(ChatTranscript())

    init(
        chat: ChatCenterUISDK, screen: ChatScreen, terminal: EventTerminal<ChatChange>, lines: InputLines,
        plan: ChatPlan, judge: ChatJudge? = nil,
        pause: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)  // reason: waits in real time; tests inject another pause
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

    /// Runs until the session ends, and returns the exit code. Throws ``ToolError`` for invalid input and for a closed
    /// output.
    func run() async throws -> ToolStatus {
        let (signals, signaller) = AsyncStream.makeStream(of: Signal.self)
        // The rows from before the socket opens are not new.
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
        // The session may end before the newest picture was shown.
        try show(ChatPicture(screen.state, now: Self.now()), signaller)
        let (failed, unsent, received) = (tally.failed, tally.unsettled, tally.received)
        try terminal.show(.ended(received: received, failed: failed, unsent: unsent))
        if let unusable { throw unusable.adding(Self.fate(accepted: tally.accepted, lost: failed + unsent)) }
        return failed + unsent > 0 || received < plan.count ?? 0 ? .failure : .success
    }

    /// Describes what happened to the messages before an invalid line.
    private static func fate(accepted: Int, lost: Int) -> String {
        let messages = "message\(accepted == 1 ? "" : "s")"
        guard accepted > 0 else { return "no message was sent" }
        return lost == 0
            ? "\(accepted) \(messages) before it \(accepted == 1 ? "was" : "were") sent"
            : "\(lost) of \(accepted) \(messages) before it \(lost == 1 ? "was" : "were") not sent"
    }

    // MARK: Tasks

    /// Shows the screen's changes.
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

    /// Returns milliseconds since 1970, to compute how long a wait still takes.
    static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    private func show(_ picture: ChatPicture, _ signaller: AsyncStream<Signal>.Continuation) throws {
        for change in transcript.withLock({ $0.update(picture) }) {
            note(change, signaller)
            try terminal.show(change)
        }
    }

    /// Counts messages and their states.
    private func note(_ change: ChatChange, _ signaller: AsyncStream<Signal>.Continuation) {
        switch change {
        case .row(_, let row, isOlder: false):
            if case .other = row.author, tally.message() == plan.count { signaller.yield(.enough) }
            if let state = row.state { tally.came(row.id, to: state) }
        case .state(_, let row): tally.came(row.id, to: row.state ?? "")
        case .changed, .gone, .search, .context, .survey: tally.touch()
        default: break
        }
    }

    /// Prints what an app is told in addition to the screen.
    private func listen(_ signaller: AsyncStream<Signal>.Continuation) async {
        // Each attempt fails in the same way while there is no network.
        var told: Set<String> = []
        for await event in chat.events {
            let reason: String
            var isRepeated = false
            switch event {
            case .networkError(let error):
                reason = ChatErrorText.sentence(error)
                switch error.problem {
                case .socket, .call(.configuration, _), .call(.history, _), .call(.unread, _):
                    // The server chooses some of these words, so the set is bounded.
                    if told.count >= Self.mostTold { told = [] }
                    isRepeated = !told.insert(String(reason.prefix(512))).inserted
                // The result of something that the user requested is printed each time.
                case .call, nil: break
                }
                if !isRepeated { for line in judge?.lines(on: error) ?? [] { terminal.note(line) } }
            case .authorizationFailed(let error): reason = ChatErrorText.sentence(error)
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

    /// Waits until every message was sent or failed and nothing has come for a while, or until the time limit.
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
