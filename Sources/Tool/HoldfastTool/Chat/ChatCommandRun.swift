import ChatCenter

/// One run of `holdfast chat`: authorizes the user, opens the screen and runs a session.
struct ChatCommandRun: Sendable {
    let provider: String
    let configuration: ChatConfig
    let environment: ChatEnvironment
    let user: ChatUser
    let auth: ChatAuth
    let plan: ChatPlan
    /// The trust decision for the server; `nil` if nothing is known about it.
    var judge: ChatJudge?
    /// The temporary folder of a conversation that is not stored. It is removed after the call.
    let folder: WorkFolder?
    /// Returns when the user or the system interrupts the command.
    var interruption: @Sendable () async -> Void = { await Interruption.wait() }

    /// Runs the chat. Throws ``ToolError`` with the exit code if the chat cannot be opened.
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
            throw ToolError("the chat cannot be opened: \(Self.words(error))", status: .failure)
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

    /// Whether the conversation is stored. A stored conversation is shown before the server has answered, or without
    /// the server.
    var isKept: Bool { folder == nil }

    /// Waits for the outcome of the authorization. Throws if it is refused; only prints a note if the server cannot be
    /// reached.
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

    /// Returns the error that ends the run. Prints the details of a refused certificate.
    private func refusal(_ error: ChatAuthorizationError, _ terminal: EventTerminal<ChatChange>) -> ToolError {
        if let error = error.underlying as? ChatNetworkError, let judge {
            for line in judge.lines(on: error) { terminal.note(line) }
        }
        return ToolError("the chat cannot be opened: \(ChatErrorText.sentence(error))", status: Self.status(of: error))
    }

    private func unlessInterrupted(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await body() }
            group.addTask {
                await interruption()
                throw ToolError("interrupted before the chat was open", status: .failure)
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

    /// The status is `unreachable` only if the server cannot be reached, not if it refuses or its certificate is
    /// refused.
    private static func status(of error: ChatAuthorizationError) -> ToolStatus {
        // The store is unusable: the cause is a file, not the server.
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

/// Decides when a chat ends by itself and how it reads its input.
struct ChatPlan: Hashable, Sendable {
    /// Whether the input is a terminal. Then mistakes are printed and do not end the run, and the end of the input ends
    /// it at once.
    var isPrompt = false
    /// Whether a line that begins with a slash is a command.
    var takesCommands = false
    /// The number of received messages after which the chat ends.
    var count: Int?
    /// How long to wait without events before the chat ends, after the input has ended and every message was sent or
    /// failed.
    var quiet: Duration = .seconds(1)
    /// Describes what decides whether the server is trusted.
    var trust = "the system's verification"
    /// How long messages may take to be sent after the input has ended.
    var patience: Duration = .seconds(30)
}
