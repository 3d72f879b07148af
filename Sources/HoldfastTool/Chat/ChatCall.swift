import ChatCenter
import HoldfastTransport

/// One run of `holdfast chat`: authorises, opens the screen, and lets a session run.
struct ChatCall: Sendable {
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
        try await authorize(chat, terminal)
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
        return try await session.run()
    }

    private static func words(_ error: ChatCenterUIError) -> String {
        switch error {
        case .userNotAuthorized: "the user is not authorized"
        case .chatNotOpened: "the chat is not on the screen"
        case .webSocketError(let error):
            error.map { ErrorText.sentence($0) } ?? "the connection could not be opened"
        }
    }

    private func authorize(_ chat: ChatCenterUISDK, _ terminal: EventTerminal<ChatChange>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await chat.authorize(user, auth: auth)
                } catch let error as ChatAuthorizationError {
                    if let error = error.underlying as? ChatNetworkError, let judge {
                        for line in judge.lines(on: error) { terminal.note(line) }
                    }
                    throw ToolError("no chat: \(ChatProblem.sentence(error))", status: Self.status(of: error))
                }
            }
            group.addTask {
                await interruption()
                throw ToolError("interrupted before there was a chat", status: .failure)
            }
            defer { group.cancelAll() }
            try await group.next()
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
