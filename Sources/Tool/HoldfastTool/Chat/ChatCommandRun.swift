import ChatCenter
import HoldfastTransport

/// One run of `holdfast chat`: authorises, opens the screen, and lets a session run.
struct ChatCommandRun: Sendable {
    let provider: String
    let configuration: ChatConfig
    let environment: ChatEnvironment
    let user: ChatUser
    let auth: ChatAuth
    let plan: ChatPlan
    /// What judges the server; `nil` where nothing is known of it.
    var judge: ChatJudge?
    /// The folder of a conversation that is kept nowhere; it goes with the call.
    let folder: WorkFolder?
    /// Returns when the person or the system wants an end.
    var interruption: @Sendable () async -> Void = { await Interruption.wait() }

    /// Throws ``ToolError`` with the exit code where there is no chat.
    func run(_ terminal: EventTerminal<ChatChange>, _ lines: InputLines) async throws -> ToolStatus {
        let chat = ChatCenterUISDK(providerUid: provider, chatConfig: configuration, environment: environment)
        // Created before the call, so that no event is missed.
        let events = chat.events
        if isKept {
            chat.authorize(user: user, auth: auth)
            if !chat.isAuthorized { try await unlessInterrupted { try await confirm(events, terminal) } }
        } else {
            try await unlessInterrupted { try await authorize(chat, terminal) }
        }
        let screen: ChatScreen
        do throws(ChatCenterUIError) {
            screen = try chat.getChat()
        } catch {
            throw ToolError("no chat: \(Self.words(error))", status: .failure)
        }
        if plan.isPrompt { terminal.note("/help lists the commands") }
        let session = ChatSession(
            chat: chat, screen: screen, terminal: terminal, lines: lines, plan: plan, judge: judge,
            interruption: interruption)
        guard isKept else { return try await session.run() }
        return try await withThrowingTaskGroup(of: ToolStatus?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await session.run() }
            group.addTask {
                try await confirm(events, terminal)
                return nil
            }
            while let status = try await group.next() {
                if let status { return status }
            }
            return .failure
        }
    }

    /// Whether the conversation is kept: then it is shown before the server has answered, and without the server too.
    private var isKept: Bool { folder == nil }

    /// Waits for the outcome of the authorization. A server that cannot be reached is noted and not an error; a refusal
    /// is one.
    private func confirm(_ events: ChatCenterEvents, _ terminal: EventTerminal<ChatChange>) async throws {
        for await event in events {
            switch event {
            case .authorized: return
            case .authorizationFailed(let error):
                guard Self.status(of: error) == .unreachable else { throw refusal(error, terminal) }
                return terminal.note(
                    "the server cannot be reached; the stored conversation is shown, and messages are sent later")
            default: continue
            }
        }
    }

    private func authorize(_ chat: ChatCenterUISDK, _ terminal: EventTerminal<ChatChange>) async throws {
        do {
            try await chat.authorize(user, auth: auth)
        } catch let error as ChatAuthorizationError {
            throw refusal(error, terminal)
        }
    }

    /// The error that ends the run; the details of a refused certificate go to the terminal.
    private func refusal(_ error: ChatAuthorizationError, _ terminal: EventTerminal<ChatChange>) -> ToolError {
        if let error = error.underlying as? ChatNetworkError, let judge {
            for line in judge.lines(on: error) { terminal.note(line) }
        }
        return ToolError("no chat: \(ChatProblem.sentence(error))", status: Self.status(of: error))
    }

    private func unlessInterrupted(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await body() }
            group.addTask {
                await interruption()
                throw ToolError("interrupted before there was a chat", status: .failure)
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private static func words(_ error: ChatCenterUIError) -> String {
        switch error {
        case .userNotAuthorized: "the user is not authorized"
        case .chatNotOpened: "the chat is not on the screen"
        case .webSocketError(let error):
            error.map { ErrorText.sentence($0) } ?? "the connection could not be opened"
        }
    }

    /// A server that has said no, or whose certificate is refused, is there; one that cannot be reached is not.
    private static func status(of error: ChatAuthorizationError) -> ToolStatus {
        // What is stored cannot be used: a file, not the server.
        if error.code == .store { return .unusableInput }
        guard error.verdict == nil, let failure = (error.underlying as? ChatNetworkError)?.failure else {
            return .failure
        }
        switch failure.kind {
        case .noConnectivity, .unreachable, .timedOut, .tlsHandshake: return .unreachable
        default: return .failure
        }
    }
}

/// When a chat ends by itself, and how it reads its input.
struct ChatPlan: Hashable, Sendable {
    /// Whether lines come from somebody who types: mistakes are told and nothing else, and the end of the input ends at once.
    var isPrompt = false
    /// Whether a line that begins with a slash is a command.
    var takesCommands = false
    /// The number of messages of the other side after which it ends.
    var count: Int?
    /// How long nothing may come, once the input has ended and every message has its fate, before it ends.
    var quiet: Duration = .seconds(1)
    /// What decides whether the server is trusted, in words.
    var trust = "the system's verification"
    /// How long messages have to be sent, once the input has ended.
    var patience: Duration = .seconds(30)
}
