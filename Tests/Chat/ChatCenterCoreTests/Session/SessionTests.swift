import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// Tests authorize, logout, deauthorize and the token.
@Suite struct SessionTests {
    static let bob = UserIdentity(clientID: "bob")

    func calls(_ chat: Chat) -> Int {
        chat.networkCommands.count { if case .call = $0 { true } else { false } }
    }

    // MARK: authorize

    @Test func anEmptyIdentifierIsRefused() {
        var chat = Chat()
        chat.authorize(UserIdentity(clientID: ""))
        #expect(chat.notices == [.authorized(.failure(.emptyIdentifier))])
        #expect(chat.core.authorisedClientID == nil)
    }

    @Test func theSameUserAndTokenDoNothing() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.forgetEffects()
        chat.authorize()
        #expect(calls(chat) == 0)
        #expect(chat.networkCommands.isEmpty)
        #expect(chat.notices == [.authorized(.success(Chat.user))])
        #expect(chat.state == .ready)
    }

    @Test func anotherTokenOfTheSameUserIsUsedAndEverythingIsRequestedAgain() {
        var chat = Chat()
        _ = chat.server.says("unread", uuid: "o-1")
        chat.authorize()
        chat.forgetEffects()
        chat.authorize(Chat.user, WireCredentials(token: "t-2"))
        let tokens = chat.networkCommands.compactMap { command -> String? in
            if case .call(_, let call) = command { call.credentials.token } else { nil }
        }
        #expect(tokens == ["t-2", "t-2"])
        #expect(chat.notices.first == .unread(0), "reported once for a new token")
        #expect(chat.screen.messages.count == 1, "no message was removed")
    }

    @Test func theOutcomeIsTheFirstFailure() {
        var chat = Chat()
        chat.server.configurationStatus = 500
        chat.authorize()
        #expect(
            chat.notices.contains(.authorized(.failure(.transport(TransportFailure(.refused, status: 500))))))
        var offline = Chat()
        offline.isLive = false
        offline.authorize()
        for command in offline.commands {
            guard case .call(let id, _) = command else { continue }
            offline.handle(.network(.answered(id, .failure(TransportFailure(.noConnectivity)))))
        }
        #expect(
            offline.notices.contains(.authorized(.failure(.transport(TransportFailure(.noConnectivity))))))
    }

    // MARK: logout

    @Test func logoutOnALiveSocketIsSentOnIt() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.send("secret", "a-1")
        let store = chat.stores.of("ann")
        chat.handle(.logout(Ticket(5)))
        #expect(chat.server.offline == ["ann"])
        #expect(chat.openedSockets == 1)
        #expect(chat.notices.contains(.loggedOut(Ticket(5), .server)))
        #expect(store.contents.isEmpty)
    }

    @Test func logoutErasesFirstEvenIfTheServerIsUnreachable() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.close()
        chat.server.silence = .upgrade
        let store = chat.stores.of("ann")
        chat.handle(.logout(Ticket(5)))
        var onlyFarewell = MemoryStore()
        try? onlyFarewell.commit(
            StoreTransaction(
                user: "ann", changes: [.farewell(Farewell(clientID: "ann", deviceAddress: "device-of-ann"))]))
        #expect(store.contents == onlyFarewell.contents, "only a row without token and text is left")
        #expect(chat.screen.messages.isEmpty)
        onlyFarewell = store
        chat.advance(milliseconds: 60_000)
        #expect(chat.notices.contains(.loggedOut(Ticket(5), .localOnlyPending)))
        #expect(chat.core.liveGeneration == nil)
        #expect(chat.core.nextWake == nil)

        // Later it is reported.
        chat.server.silence = []
        chat.handle(.enteredBackground)
        chat.handle(.enteredForeground)
        #expect(chat.server.deletedDevices == ["device-of-ann"])
        #expect(store.contents.isEmpty)
        #expect(chat.core.liveGeneration == nil)
    }

    @Test func logoutWithoutADeviceAddressIsNotReported() {
        var chat = Chat()
        chat.authorize()
        chat.handle(.logout(Ticket(5)))
        #expect(chat.notices.contains(.loggedOut(Ticket(5), .server)))
        #expect(chat.openedSockets == 0)
        chat.handle(.logout(Ticket(6)))
        #expect(chat.notices.contains(.loggedOut(Ticket(6), .notAuthorized)))
    }

    @Test func theBackgroundEndsALogoutInProgress() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.server.silence = .offline
        chat.handle(.logout(Ticket(5)))
        #expect(chat.core.liveGeneration != nil)
        chat.handle(.enteredBackground)
        // The answer may still arrive during the grace period.
        chat.advance(milliseconds: 4999)
        #expect(chat.core.liveGeneration != nil)
        chat.advance(milliseconds: 1)
        #expect(chat.notices.contains(.loggedOut(Ticket(5), .localOnlyPending)))
        #expect(chat.core.nextWake == nil)
        #expect(chat.core.liveGeneration == nil)

        var dialling = Chat()
        dialling.authorize()
        dialling.open()
        dialling.close()
        dialling.server.silence = .upgrade
        dialling.handle(.logout(Ticket(6)))
        dialling.handle(.enteredBackground)
        #expect(dialling.notices.contains(.loggedOut(Ticket(6), .localOnlyPending)), "no socket is ready")
        #expect(dialling.core.nextWake == nil)
    }

    @Test func deauthorizeErasesWithoutReportingToTheServer() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.handle(.prefill("draft"))
        let store = chat.stores.of("ann")
        chat.forgetEffects()
        chat.handle(.deauthorize)
        #expect(chat.server.offline.isEmpty)
        #expect(store.contents.isEmpty)
        #expect(chat.networkCommands == [.closeSocket(Generation(1), .loggedOut)])
        chat.authorize()
        chat.handle(.getChat(ScreenID(2)))
        #expect(chat.screen.input.prefill == nil)
    }

    @Test func pendingCallsFailWhenTheUserLeaves() {
        var chat = Chat()
        chat.authorize()
        chat.isLive = false
        chat.handle(.unreadCount(Ticket(1)))
        chat.handle(.search(Ticket(2), query: "x", page: 0))
        chat.handle(.deauthorize)
        #expect(chat.notices.contains(.unreadAnswer(Ticket(1), .failure(.superseded))))
        #expect(chat.notices.contains(.searchAnswer(Ticket(2), .failure(.superseded))))
        chat.handle(.unreadCount(Ticket(3)))
        #expect(chat.notices.contains(.unreadAnswer(Ticket(3), .failure(.notAuthorized))))
    }

    @Test func authorisingAnotherUserLogsTheFirstOneOutInOrder() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.send("of Ann", "a-1")
        chat.forgetEffects()
        chat.authorize(Self.bob)
        #expect(chat.server.offline == ["ann"])
        #expect(chat.stores.of("ann").contents.isEmpty)
        #expect(chat.core.authorisedClientID == "bob")
        chat.open(2)
        #expect(chat.server.registrations.map(\.clientID) == ["ann", "bob"])
        #expect(chat.stores.of("bob").contents.deviceAddress == "device-of-bob")
        // There are never two sockets: the first one is closed before the second one opens.
        let life = chat.networkCommands.compactMap { command -> String? in
            switch command {
            case .openSocket(let generation, _): "open \(generation.number)"
            case .closeSocket(let generation, _): "close \(generation.number)"
            default: nil
            }
        }
        #expect(life == ["close 1", "open 2"])
    }

    // MARK: The token

    func withProvider() -> Chat { Chat(ChatSettings(providerUID: "p", hasTokenProvider: true)) }

    func questions(_ chat: Chat) -> [TokenAttempt] {
        chat.effects.compactMap { if case .askForToken(let attempt) = $0 { attempt } else { nil } }
    }

    @Test func anExpiredTokenIsRequestedOnceAndReplaced() throws {
        var chat = withProvider()
        chat.authorize()
        chat.server.refusesRegister = .tokenExpired
        chat.open()
        #expect(chat.state == .closed(.unauthorized))
        #expect(questions(chat).count == 1)
        chat.advance(milliseconds: 600_000)
        #expect(chat.openedSockets == 1, "no attempt is made with a refused token")
        let attempt = try #require(questions(chat).first)
        chat.handle(.token(attempt, WireCredentials(token: "t-2")))
        #expect(chat.state == .ready)
        let tokens = chat.networkCommands.compactMap { command -> String? in
            if case .openSocket(_, let request) = command { request.credentials.token } else { nil }
        }
        #expect(tokens == ["t-1", "t-2"])
    }

    @Test func aSecondRefusalIsFinal() throws {
        var chat = withProvider()
        chat.authorize()
        chat.server.refusesRegister = .tokenExpired
        chat.open()
        chat.server.refusesRegister = .tokenInvalid
        chat.handle(.token(try #require(questions(chat).first), WireCredentials(token: "t-2")))
        #expect(questions(chat).count == 1)
        let refusal = ServerRefusal(code: "UNAUTHORIZED", details: "invalid")
        #expect(chat.notices.contains(.reauthorizationNeeded(refusal)))
        #expect(chat.screen.banners.contains(.unauthorized(refusal)))
        chat.advance(milliseconds: 600_000)
        #expect(chat.openedSockets == 2)
        chat.authorize(Chat.user, WireCredentials(token: "t-3"))
        #expect(chat.state == .ready)
        #expect(!chat.screen.banners.contains(.unauthorized(refusal)))
    }

    @Test func withoutAProviderTheHostApplicationIsNotified() {
        var chat = Chat()
        chat.authorize()
        chat.server.refusesRegister = .tokenExpired
        chat.open()
        #expect(questions(chat).isEmpty)
        #expect(chat.notices.contains(.reauthorizationNeeded(ServerRefusal(code: "UNAUTHORIZED", details: "expired"))))
    }

    @Test func severalRefusalsRequestOneToken() {
        var chat = withProvider()
        chat.server.configurationStatus = 401
        chat.server.historyStatus = 401
        chat.authorize()
        chat.server.refusesRegister = .tokenExpired
        chat.open()
        #expect(questions(chat).count == 1)
    }

    @Test func aRefusalOfTheProviderIsFinal() throws {
        var chat = withProvider()
        chat.server.historyStatus = 401
        chat.authorize()
        chat.handle(.token(try #require(questions(chat).first), nil))
        #expect(chat.notices.contains { if case .reauthorizationNeeded = $0 { true } else { false } })
    }

    @Test func aMessageSurvivesAnExpiredToken() throws {
        var chat = withProvider()
        chat.authorize()
        chat.open()
        chat.server.refusesMessage = .tokenExpired
        chat.send("1", "a-1")
        chat.send("2", "a-2")
        #expect(chat.own("a-1") == .queued)
        chat.handle(.token(try #require(questions(chat).first), WireCredentials(token: "t-2")))
        #expect(chat.server.accepted == ["a-1", "a-2"])
    }

    @Test func withoutAProviderTheMessageFailsAtOnce() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.server.refusesMessage = .tokenExpired
        chat.send("1", "a-1")
        #expect(chat.own("a-1") == .failed(.refused(ServerRefusal(code: "UNAUTHORIZED", details: "expired"))))
    }

    @Test func anUnrequestedTokenIsNotUsed() {
        var chat = Chat()
        chat.authorize()
        chat.handle(.token(TokenAttempt(77), WireCredentials(token: "evil")))
        chat.open()
        let tokens = chat.networkCommands.compactMap { command -> String? in
            if case .openSocket(_, let request) = command { request.credentials.token } else { nil }
        }
        #expect(tokens == ["t-1"])
    }

    // MARK: Registration

    @Test func theDeviceDescription() {
        let device = DeviceDescription(
            uid: "u", timeZone: "Europe/Berlin", osName: "Linux", osVersion: "6", locale: "de", model: "x86")
        var chat = Chat(ChatSettings(providerUID: "p", appMarker: "bank", apiVersion: 21, device: device))
        chat.handle(.pushToken("apns"))
        chat.authorize(UserIdentity(clientID: "ann", data: ["k": "v"], signature: "sig", isEncrypted: true))
        chat.open()
        #expect(
            chat.server.registrations == [
                DeviceRegistration(
                    clientID: "ann", providerUID: "p", appMarker: "bank", deviceUID: "u", timeZone: "Europe/Berlin",
                    osName: "Linux", osVersion: "6", locale: "de", deviceModel: "x86", apiVersion: 21,
                    pushToken: "apns", signature: "sig", isEncrypted: true)
            ])
        #expect(chat.server.infos == [ClientInfo(data: ["k": "v"], locale: "de", preRegister: false)])
        chat.close()
        chat.handle(.userData(["k": "w"]))
        chat.open(2)
        #expect(chat.server.registrations.last?.deviceAddress == "device-of-ann")
        #expect(chat.server.infos.last?.data == ["k": "w"])
    }

    @Test func theRefusedTokenIsRetriedWhenTheHostApplicationAsks() {
        var chat = Chat()
        chat.authorize()
        chat.server.refusesRegister = .tokenInvalid
        chat.open()
        #expect(chat.state == .closed(.unauthorized))
        chat.forgetEffects()
        chat.authorize()
        #expect(calls(chat) > 0)
        #expect(chat.state == .ready)
        #expect(chat.screen.banners.isEmpty)
        #expect(chat.notices.contains(.authorized(.success(Chat.user))), "according to the current answers")
    }

    @Test("a logout before the outcome of authorize reports it as superseded", arguments: [true, false])
    func superseded(_ isLogout: Bool) {
        let leave: ChatEvent = isLogout ? .logout(Ticket(1)) : .deauthorize
        var chat = Chat()
        chat.isLive = false
        chat.authorize()
        chat.handle(leave)
        #expect(chat.notices.count { $0 == .authorized(.failure(.superseded)) } == 1)

        var told = Chat()
        told.authorize()
        told.handle(leave)
        #expect(!told.notices.contains(.authorized(.failure(.superseded))))
    }

    @Test func ifAnotherUserTakesOverOnlyThatOutcomeIsReported() {
        var chat = Chat()
        chat.isLive = false
        chat.authorize()
        chat.authorize(Self.bob)
        chat.serve()
        let outcomes = chat.notices.filter { if case .authorized = $0 { true } else { false } }
        #expect(outcomes == [.authorized(.success(Self.bob))])
    }
}
