import ChatCenterCore
import ChatWire
import Foundation
import GRDB
import HoldfastTestSupport
import Testing

@testable import ChatCenter

/// Authorization, and the data that is left after a logout.
@Suite struct UserTests {
    let folder: TemporaryFolder
    let user = ChatUser(identifier: "client-1", name: "Ann", data: ["department": "cards"])

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("every call without an authorized user throws")
    func nobody() {
        let chat = TestChat(in: folder)
        #expect(throws: ChatCenterUIError.userNotAuthorized) { try chat.sdk.getChat() }
        #expect(throws: ChatCenterUIError.userNotAuthorized) { try chat.sdk.getUnreadMessagesCount { _ in } }
        #expect(throws: ChatCenterUIError.chatNotOpened) { try chat.sdk.handleNotification(userInfo: ["a": 1]) }
        let logout = Noted<Result<Bool, ChatCenterUIError>>()
        chat.sdk.logout { logout.append($0) }
        chat.settle()
        #expect(logout.values == [.failure(.userNotAuthorized)])
        chat.sdk.deauthorizeUser()
    }

    @Test("an empty identifier throws at once in the async form, and later in the documented one")
    func emptyIdentifier() async throws {
        let chat = TestChat(in: folder, logLevel: .error)
        let error = await #expect(throws: ChatAuthorizationError.self) {
            try await chat.sdk.authorize(ChatUser(identifier: ""))
        }
        #expect(error?.code == .emptyIdentifier)
        chat.sdk.authorize(user: ChatUser(identifier: ""))
        #expect(throws: ChatCenterUIError.userNotAuthorized) { try chat.sdk.getChat() }
        chat.settle()
        #expect(chat.delegate.lines.contains { $0.contains("emptyIdentifier") })
    }

    @Test(
        "a credential that is invalid in a header is refused, and the error does not contain it",
        arguments: ["s3cret\r\nHost: x", "s3cret\0"])
    func invalidCredentials(token: String) async throws {
        let chat = TestChat(in: folder)
        let error = await #expect(throws: ChatAuthorizationError.self) {
            try await chat.sdk.authorize(user, auth: ChatAuth(token: token))
        }
        #expect(error?.code == .invalidCredentials)
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test("the async form waits for configuration and history")
    func outcome() async throws {
        var script = ScriptedNetwork.Script()
        var answer = ConfigurationAnswer.standard
        answer.channelConfig = ChannelOverrides(searchEnabled: false, historyLoadingCount: 7)
        script.configuration = .success(.configuration(answer))
        script.history = [
            Content(.message, uuid: "a", operator: Operator(id: "1"), text: "waiting for you", receivedDate: 1)
        ]
        let chat = TestChat(in: folder, script: script)
        let authorization = try await chat.sdk.authorize(user)
        // Other events of the same turn are reported after the result.
        chat.settle()
        #expect(authorization.identifier == "client-1")
        #expect(authorization.unreadMessages == 1)
        #expect(authorization.configuration.values.searchEnabled == EffectiveSetting(false, .server))
        #expect(authorization.configuration.values.historyLoadingCount == EffectiveSetting(7, .server))
        #expect(authorization.configuration.values.scrollToLatest == EffectiveSetting(true, .standard))
        #expect(chat.delegate.unread.last == 1)
        // The same user again: there is no request, and the result is available.
        let calls = chat.network.commands.count
        try await chat.sdk.authorize(user)
        #expect(chat.network.commands.count == calls)
    }

    @Test("seed 2.4: without shouldUseRemoteConfig the local values apply")
    func localConfiguration() async throws {
        var script = ScriptedNetwork.Script()
        var answer = ConfigurationAnswer.standard
        answer.channelConfig = ChannelOverrides(showAttachButton: true, keepSocketActive: false)
        script.configuration = .success(.configuration(answer))
        let chat = TestChat(
            in: folder, script: script,
            configure: { config in
                config.shouldUseRemoteConfig = false
                config.serverDriven.keepSocketActive = true
                config.serverDriven.showAttachButton = false
            })
        let screen = try chat.open(user)
        #expect(!screen.state.input.showsAttachButton)
        #expect(chat.sdk.effectiveConfig.values.keepSocketActive == EffectiveSetting(true, .local))
        screen.viewDidDisappear()
        chat.settle()
        #expect(chat.network.live != nil)
    }

    @Test("a server that cannot be reached is an error of the async form; the user is authorized anyway")
    func unreachable() async throws {
        var script = ScriptedNetwork.Script()
        script.configuration = .failure(TransportFailure(.unreachable))
        let chat = TestChat(in: folder, script: script)
        let error = await #expect(throws: ChatAuthorizationError.self) { try await chat.sdk.authorize(user) }
        #expect(error?.code == .network)
        #expect(chat.sdk.isAuthorized)
        chat.settle()
        #expect(chat.delegate.errors.contains { ($0 as? ChatNetworkError)?.failure?.kind == .unreachable })
        let screen = try chat.sdk.getChat()
        #expect(screen.state.banners.contains(.configurationFailed(TransportFailure(.unreachable))))
    }

    @Test("cancelling the wait leaves the user authorized")
    func cancelled() async throws {
        let chat = TestChat(in: folder)
        let user = user
        let task = Task { try await chat.sdk.authorize(user) }  // reason: the test cancels this task
        task.cancel()
        _ = await task.result
        #expect(chat.sdk.isAuthorized)
    }

    @Test("unusable addresses fail the call with every problem, and no connection is opened")
    func badAddresses() async throws {
        let transport = ChatTransportConfig(rest: "", webSocket: "https://x", dataStore: "https://x.example")
        var config = ChatConfig(transportConfig: transport)
        config.storageDirectory = folder.url
        var environment = ChatEnvironment()
        environment.watchExecutors()
        let sdk = ChatCenterUISDK(
            providerUid: "p", chatConfig: config, loggerConfig: ChatLoggerConfig(logLevel: .error),
            environment: environment)
        sdk.delegateExecutor = .inline
        let delegate = RecordingDelegate()
        sdk.observer = delegate
        sdk.tellDelegate()
        #expect(delegate.lines.count == 2, "kept since the initializer")
        let error = await #expect(throws: ChatAuthorizationError.self) { try await sdk.authorize(user) }
        let network = try #require(error?.underlying as? ChatNetworkError)
        #expect((network.underlying as? ChatTransportConfigError)?.problems == transport.problems)
    }

    @Test("name and data are sent with the client information, and new data when the screen appears")
    func userData() throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open(user)
        func infos() -> [ClientInfo] {
            chat.network.sent.compactMap { if case .clientInfo(let info) = $0.body { info } else { nil } }
        }
        #expect(infos().last?.name == "Ann")
        #expect(infos().last?.data?["department"]?.stringValue == "cards")
        user.updateData(data: ["department": "loans"])
        #expect(infos().count == 1)
        screen.viewDidDisappear()
        screen.viewDidAppear()
        chat.settle()
        #expect(infos().last?.data?["department"]?.stringValue == "loans")
    }

    @Test("token, scheme and method arrive at the socket")
    func credentials() throws {
        let chat = TestChat(in: folder)
        _ = try chat.open(user, auth: ChatAuth(token: "Bearer x", scheme: "jwt", method: .cookies))
        #expect(chat.network.socketCredentials == [WireCredentials(token: "Bearer x", scheme: "jwt", method: .cookies)])
    }

    @Test("signature, encryption and push token are sent with the registration")
    func registration() throws {
        ChatCenterUISDK.setDeviceToken(Data([0x0a, 0xff]))
        let chat = TestChat(in: folder)
        _ = try chat.open(user, auth: ChatAuth(signature: "sig", isEncrypted: true))
        let registration = try #require(
            chat.network.commands.lazy.compactMap { command -> DeviceRegistration? in
                if case .transmit(_, _, let frame) = command, case .registerDevice(let registration) = frame.body {
                    return registration
                }
                return nil
            }.first)
        #expect(registration.clientID == "client-1")
        #expect(registration.signature == "sig")
        #expect(registration.isEncrypted == true)
        #expect(registration.pushToken == "0aff")
        #expect(registration.providerUID == "provider")
        #expect(registration.appMarker == "tests")
        #expect(registration.apiVersion == 17)
        #expect(registration.deviceUID?.isEmpty == false)
    }

    @Test("the installation keeps its identifier")
    func installation() throws {
        let first = InstallationID.read(in: folder.url)
        #expect(InstallationID.read(in: folder.url) == first)
        #expect(UUID(uuidString: first) != nil)
    }

    @Test("after logout returns, no data is left on disk, and the server is told")
    func logout() async throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open(user)
        try await screen.send("my secret words")
        chat.settle()
        let outcome = try await chat.sdk.endSession()
        #expect(outcome == .server)
        #expect(chat.network.sent.last?.body == .clientOffline)
        #expect(throws: ChatCenterUIError.userNotAuthorized) { try chat.sdk.getChat() }
        chat.settle()
        let left = try folder.contents().filter { !$0.path.hasSuffix("installation") }
        #expect(left.isEmpty, "\(left.map(\.path))")
    }

    @Test("logout without a server leaves only the pending logout")
    func logoutOffline() async throws {
        let chat = TestChat(in: folder)
        let screen = try chat.open(user)
        try await screen.send("my secret words")
        chat.settle()
        chat.network.script.socket = .failure(TransportFailure(.unreachable))
        chat.network.breakSocket()
        chat.settle()
        let outcome = try await chat.sdk.endSession()
        #expect(outcome == .localOnlyPending)
        let files = try folder.contents()
        for words in ["my secret words", "cards", "Ann"] {
            #expect(!files.contains { $0.bytes.range(of: Data(words.utf8)) != nil }, "\(words)")
        }
    }

    @Test("deauthorizeUser deletes the data at once without telling the server")
    func deauthorize() throws {
        let chat = TestChat(in: folder)
        _ = try chat.open(user)
        chat.sdk.prefill(message: "unused")
        let sent = chat.network.sent.count
        chat.sdk.deauthorizeUser()
        chat.settle()
        #expect(chat.network.live == nil)
        #expect(chat.network.sent.count == sent)
        #expect(try folder.contents().filter { !$0.path.hasSuffix("installation") }.isEmpty)
        chat.sdk.authorize(user: user)
        #expect(try chat.sdk.getChat().state.input.prefill == nil)
    }

    @Test("another user does not see the first one's messages")
    func handOver() throws {
        let chat = TestChat(in: folder)
        try chat.open(user).send("of the first")
        chat.settle()
        let screen = try chat.open(ChatUser(identifier: "client-2"))
        #expect(screen.state.messages.isEmpty)
        let bytes = Data("of the first".utf8)
        #expect(try !folder.contents().contains { $0.bytes.range(of: bytes) != nil })
    }

    @Test("a damaged store is created again, with a log line")
    func damagedStore() throws {
        let place = folder.url.appendingPathComponent("Chat")
        let store = UserFolder(root: place, providerUID: "provider", appMarker: "tests", clientID: "client-1")
        try store.prepare()
        try Data(repeating: 0x5a, count: 5000).write(to: store.database)
        let chat = TestChat(in: folder, logLevel: .error)
        let screen = try chat.open(user)
        try screen.send("works")
        chat.settle()
        #expect(screen.state.messages.first?.author == .me(.sent))
        #expect(chat.delegate.lines.contains { $0.contains("damaged") })
    }

    @Test("only the unreadable row is lost", arguments: ["record = x'7b'", "time = time + 1"])
    func damagedRow(change: String) throws {
        let key: ChatStorageKey? = change.hasPrefix("time") ? .random() : nil
        let place = folder.url.appendingPathComponent("Chat")
        let store = UserFolder(
            root: place, providerUID: "provider", appMarker: "tests", clientID: "client-1", key: key)
        let messages = (0..<150).map { Sample.received("m\($0)", at: Int64($0)) }
        try SQLiteChatStore(folder: store, errors: ErrorTable()).commit(
            StoreTransaction(
                user: "client-1",
                changes: messages.map { .saveMessage($0) } + [
                    .saveMessage(Sample.own("q", at: 500, .queued(Sample.entry(1), deadline: nil)))
                ]))
        let database = try DatabaseQueue(path: store.database.path)
        try database.write { db in
            // One row that is read at the start, and one of an older page.
            try db.execute(sql: "UPDATE message SET \(change) WHERE rowid IN (10, 140)")
            #expect(db.changesCount == 2)
        }
        try database.close()
        let chat = TestChat(in: folder, logLevel: .error, configure: { $0.storageKey = key })
        let screen = try chat.open(user)
        chat.settle()
        #expect(screen.state.messages.contains { $0.id == MessageID("q") })
        #expect(screen.state.messages.count > 90)
        #expect(chat.delegate.lines.contains { $0.contains("2 messages or settings") })
    }

    @Test("a store that cannot be opened throws an error with the reason")
    func unusableStore() async throws {
        _ = try folder.write("Chat", [1])
        let chat = TestChat(in: folder)
        let error = await #expect(throws: ChatAuthorizationError.self) { try await chat.sdk.authorize(user) }
        #expect(error?.code == .store)
        #expect(error?.underlying != nil)
        #expect(!chat.sdk.isAuthorized)
    }

    @Test("the app's provider replaces a refused token once")
    func tokenProvider() async throws {
        var script = ScriptedNetwork.Script()
        script.registration = .failure(action: "registerDevice", .tokenExpired)
        script.refusesTokens = true
        let asked = Noted<Void>()
        let chat = TestChat(
            in: folder, script: script,
            tokenProvider: {
                asked.append(())
                return ChatAuth(token: "fresh")
            })
        var events = chat.sdk.events.makeAsyncIterator()
        _ = try chat.open(user, auth: ChatAuth(token: "stale"))
        // The new token is refused too, so the app must act.
        while let event = await events.next() {
            if case .reauthorizationNeeded(let refusal) = event {
                #expect(refusal?.code == "UNAUTHORIZED")
                break
            }
        }
        #expect(asked.values.count == 1)
        // A call may be refused before there is a socket.
        let tokens = chat.network.commands.compactMap { command -> String? in
            switch command {
            case .openSocket(_, let request): request.credentials.token
            case .call(_, let call): call.credentials.token
            default: nil
            }
        }
        #expect(tokens.first == "stale")
        #expect(tokens.last == "fresh")
    }
}
