import ChatCenter
import ChatPageServer
import HoldfastTrust

/// One run of `holdfast chat --browser`: serves the chat page for one user on loopback, until it is interrupted.
struct ChatPageRun: Sendable {
    let call: ChatCommandRun
    /// The page's port on 127.0.0.1; 0 for a free one.
    let port: UInt16

    /// Serves the page. Prints the link, and another one for each line of the input, because each link works once.
    func run(on console: Console) async throws {
        var configuration = ChatPageServerConfiguration()
        configuration.port = Int(port)
        let server: ChatPageServer
        do throws(ChatPageServerError) {
            server = try ChatPageServer(configuration: configuration) { [call] _ in try await Self.open(call) }
        } catch {
            throw ToolError(error.reason, status: .usage)
        }
        let visitor = ChatPageVisitor(call.user.identifier)
        try await ServeCommand.run(on: console, stop: { server.stop() }) {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                defer { group.cancelAll() }
                group.addTask {
                    try await Self.serve(server)
                    return true
                }
                group.addTask {
                    try await Self.announce(server, visitor, on: console)
                    return false
                }
                // After an interruption, the server ends by itself.
                while let hasEnded = try await group.next(), !hasEnded { server.stop() }
            }
        }
    }

    private static func serve(_ server: ChatPageServer) async throws {
        do {
            try await server.run()
        } catch let error as ChatPageServerError {
            guard !Task.isCancelled else { return }
            throw ToolError(error.reason)
        }
    }

    /// Prints a link, and another one for each line of the input.
    private static func announce(
        _ server: ChatPageServer, _ visitor: ChatPageVisitor, on console: Console
    ) async throws {
        // If the server does not start to listen, `run()` throws the reason.
        guard let link = try? await server.link(for: visitor) else { return await Interruption.wait() }
        try console.print("page: \(link)")
        console.note("The link works once, within two minutes. Press Return for another one, Ctrl-C to stop.")
        let lines = InputLines(limit: ChatSession.lineLimit, read: console.input)
        while try await lines.next() != nil { try console.print("page: \(try await server.link(for: visitor))") }
        await Interruption.wait()
    }

    /// Creates the SDK with its authorized user. A stored conversation is shown before the server has answered.
    private static func open(_ call: ChatCommandRun) async throws -> ChatCenterUISDK {
        let chat = ChatCenterUISDK(
            providerUid: call.provider, chatConfig: call.configuration, environment: call.environment)
        if call.isKept {
            chat.authorize(user: call.user, auth: call.auth)
            return chat
        }
        do {
            try await chat.authorize(call.user, auth: call.auth)
        } catch let error as ChatAuthorizationError {
            if let refusal = refusal(error, call) { throw refusal }
            // The user is authorized. The page says that the server cannot be reached, and the SDK tries again.
            guard error.code == .network, chat.isAuthorized else {
                throw ChatPageRefusal(title: "The chat cannot be opened", text: ChatErrorText.sentence(error))
            }
        }
        return chat
    }

    /// Returns the page for a refused server: the verdict, the seen and the expected pins, and the remedy.
    private static func refusal(_ error: ChatAuthorizationError, _ call: ChatCommandRun) -> ChatPageRefusal? {
        guard let verdict = error.verdict else { return nil }
        let lines = (error.underlying as? ChatNetworkError).flatMap { call.judge?.lines(on: $0) } ?? []
        return ChatPageRefusal(
            title: "The chat server was refused",
            text: "The chat server did not prove its identity. Nothing was sent to it.",
            detail: ["Reason: \(verdict.finding.code)", verdict.finding.reason] + lines)
    }
}
