import ChatCenterCore
import ChatDevServer
import Foundation
import HoldfastTestSupport
import Testing

@testable import ChatCenter

/// The complete SDK with a real server and TLS sockets.
@Suite(.timeLimit(.minutes(1))) struct LiveConversationTests {
    let folder: TemporaryFolder
    let user = ChatUser(identifier: "alice", name: "Alice")

    init() throws {
        folder = try TemporaryFolder()
    }

    private func texts(_ screen: ChatScreen) -> [String] {
        screen.state.messages.filter { $0.kind == .message }.compactMap(\.text)
    }

    @Test("authorize, open, send, receive the reply, close, and restore everything after a restart")
    func conversation() async throws {
        try await LiveServer.with { live in
            do {
                let (sdk, delegate) = try live.chat(in: folder)
                let authorization = try await sdk.authorize(user)
                #expect(authorization.identifier == "alice")
                #expect(authorization.configuration.security == .pinnedKeys(certificates: 2))
                let screen = try sdk.getChat()
                screen.viewDidAppear()
                try await screen.wait { $0.connection == .ready }

                let receipt = try await screen.send("Hello")
                var fate: [ChatMessageState] = []
                for await state in receipt.fate {
                    fate.append(state)
                    if state == .sent { break }
                }
                #expect(fate == [.queued, .sending, .sent])
                try await screen.wait { $0.messages.contains { $0.text == "You wrote: Hello" } }
                let answer = try #require(screen.state.messages.last { $0.text == "You wrote: Hello" })
                guard case .other(let other) = answer.author else {
                    Issue.record("The answer has no author")
                    return
                }
                #expect(other.name == "Vera")
                #expect(other.isBot)

                await live.server.operatorReads(from: "alice")
                try await screen.wait { $0.messages.contains { $0.author == .me(.read) } }
                screen.viewDidDisappear()
                try await screen.wait { $0.connection == .closed(.chatClosed) }
                sdk.tellDelegate()
                #expect(delegate.errors.isEmpty, "\(delegate.errors)")
            }

            // The same device in another process: the store contains everything.
            let (again, _) = try live.chat(in: folder)
            again.authorize(user: user)
            #expect(texts(try again.getChat()).suffix(2) == ["Hello", "You wrote: Hello"])

            // Another device: the history comes from the server.
            let other = try TemporaryFolder()
            let (fresh, _) = try live.chat(in: other)
            try await fresh.authorize(user)
            #expect(texts(try fresh.getChat()).suffix(2) == ["Hello", "You wrote: Hello"])
        }
    }

    @Test("a message that was written without a network is sent when there is one")
    func offline() async throws {
        let id: MessageID = try await LiveServer.with { live in
            let (sdk, _) = try live.chat(in: folder)
            try await sdk.authorize(user)
            live.server.stop()
            return try await sdk.getChat().send("written offline").id
        }
        try await LiveServer.with { live in
            let (sdk, _) = try live.chat(in: folder)
            sdk.authorize(user: user)
            let screen = try sdk.getChat()
            screen.viewDidAppear()
            let state = try await screen.wait { state in
                state.hasArrived(id)
            }
            #expect(state.messages.filter { $0.text == "written offline" }.count == 1)
            try await screen.wait { $0.messages.contains { $0.text == "You wrote: written offline" } }
        }
    }

    @Test("a file is uploaded with progress, and downloaded byte for byte")
    func files() async throws {
        try await LiveServer.with { live in
            let (sdk, _) = try live.chat(in: folder)
            try await sdk.authorize(user)
            let screen = try sdk.getChat()
            screen.viewDidAppear()
            let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let source = try folder.write("räport \"1\".bin", bytes)
            let up = Noted<ChatTransferProgress>()
            let receipt = try await screen.attach(source, text: "the report") { up.append($0) }
            let state = try await screen.wait { state in
                state.hasArrived(receipt.id)
            }
            try await screen.wait { $0.messages.contains { $0.text?.contains("I have received") == true } }
            #expect(up.values.last == ChatTransferProgress(completed: 700_000, total: 700_000))
            #expect(up.values.count > 2)
            #expect(up.values.map(\.completed) == up.values.map(\.completed).sorted())

            let file = try #require(state.messages.first { $0.id == receipt.id }?.files.first)
            #expect(file.name == "räport \"1\".bin")
            let down = Noted<ChatTransferProgress>()
            let copy = try await screen.download(file) { down.append($0) }
            #expect(try Data(contentsOf: copy) == Data(bytes))
            #expect(down.values.last == ChatTransferProgress(completed: 700_000, total: 700_000))
            #expect(
                try folder.contents().filter { $0.path.contains("/files/") }.count == 1, "only the download")

            var gone = file
            gone.reference = "no-such-file"
            let error = await #expect(throws: ChatNetworkError.self) { try await screen.download(gone) }
            #expect((error?.underlying as? ChatServerError)?.status == 404)
            #expect((error?.underlying as? ChatServerError)?.refusal?.code == "file.not-found")
            #expect(try folder.contents().filter { $0.path.contains("/files/") }.count == 1)

            _ = try await sdk.endSession()
            #expect(try folder.contents().filter { $0.path.contains("/files/") }.isEmpty)
        }
    }

    @Test("the app's provider replaces a token that the server refuses")
    func token() async throws {
        try await LiveServer.with(.genuine, { $0.acceptedTokens = ["Bearer good"] }) { live in
            let (sdk, _) = try live.chat(in: folder, tokenProvider: { ChatAuth(token: "Bearer good") })
            sdk.authorize(user: user, auth: ChatAuth(token: "Bearer stale"))
            let screen = try sdk.getChat()
            screen.viewDidAppear()
            try await screen.wait { $0.connection == .ready }
            let receipt = try await screen.send("with a fresh token")
            try await screen.wait { $0.hasArrived(receipt.id) }
        }
    }

    @Test("log lines and files contain no secrets unless the app enables them", arguments: [false, true])
    func redaction(raw: Bool) async throws {
        try await LiveServer.with { live in
            var logger = ChatLoggerConfig(logLevel: .all)
            logger.dangerouslyLogsSecrets = raw
            let (sdk, delegate) = try live.chat(
                in: folder, logger: logger,
                configure: { $0.networkConfig.httpConfig.connectionTimeout = 20 })
            try await sdk.authorize(user, auth: ChatAuth(token: "Bearer t0psecret", signature: "s1gnature"))
            let screen = try sdk.getChat()
            screen.viewDidAppear()
            try await screen.send("my private words")
            try await screen.wait { $0.messages.contains { $0.text == "You wrote: my private words" } }
            screen.viewDidDisappear()
            try await screen.wait { $0.connection != .ready }
            sdk.tellDelegate()
            let lines = delegate.lines.joined(separator: "\n")
            let files = try folder.contents().filter { $0.path.hasPrefix("Logs/") }
                .map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
            #expect(files.contains("registerDevice"))
            #expect(lines.contains("SSL Server public key: "))
            for secret in ["t0psecret", "s1gnature", "my private words"] {
                #expect(lines.contains(secret) == raw, "\(secret)")
                #expect(files.contains(secret) == raw, "\(secret)")
            }
            _ = try await sdk.endSession()
            let left = try folder.contents().filter { $0.bytes.range(of: Data("my private words".utf8)) != nil }
            #expect(left.isEmpty, "\(left.map(\.path))")
        }
    }
}

extension ChatScreenState {
    /// Returns whether the server has the message. The bot may have read it before the test sees that it was sent,
    /// because a slow reader of the states gets the newest one.
    fileprivate func hasArrived(_ id: MessageID) -> Bool {
        messages.contains { message in
            message.id == id && [.me(.sent), .me(.delivered), .me(.read)].contains(message.author)
        }
    }
}
