import ChatDevServer
import ChatServerCore
import ChatWire
import HTTPTypes
import HoldfastTransport
import HoldfastWebSocket
import Testing

@Suite("Conversation over a socket", .timeLimit(.minutes(1)))
struct ConversationTests {
    @Test("Handshake, message, acknowledgement, read mark, typing and the operator's answer")
    func conversation() async throws {
        try await ServerUnderTest.with { subject in
            let socket = try await subject.connect()
            try await socket.register()
            #expect(socket.deviceAddress?.count == 32)
            let introduced = try await socket.ask(
                .sendMessage(Content(.clientInfo(ClientInfo(name: "Alice"))), deviceAddress: socket.deviceAddress))
            #expect(introduced.action == "sendMessage")
            let schedule = try await socket.push { $0.content.wireType == "SCHEDULE" }
            #expect(schedule.messageID == nil)

            let receipt = try #require(try await socket.say("Hello", uuid: "u1"))
            #expect(receipt.status == .sent)
            var kinds: [String] = []
            while kinds.last != "MESSAGE" {
                switch try await socket.next().body {
                case .statuses(let changes):
                    #expect(changes == [StatusChange(messageID: receipt.messageID, status: .read)])
                    kinds.append("read")
                case .messages(let messages):
                    kinds += messages.map(\.content.wireType)
                default: Issue.record("Neither a push of messages nor of statuses.")
                }
            }
            #expect(kinds == ["THREAD_OPENED", "OPERATOR_JOINED", "read", "TYPING", "MESSAGE"])
        }
    }

    @Test("A repeated message is acknowledged like the first and stored once")
    func deduplication() async throws {
        try await ServerUnderTest.with { subject in
            let socket = try await subject.join()
            let first = try #require(try await socket.say("Hello", uuid: "u1"))
            #expect(try await socket.say("Hello", uuid: "u1") == first)
            #expect(try await subject.history().messages.count { $0.uuid == "u1" } == 1)
        }
    }

    @Test("Malformed frames are answered, and the conversation continues")
    func malformedFrames() async throws {
        try await ServerUnderTest.with { subject in
            let socket = try await subject.join()
            let deep = String(repeating: "[", count: 1_000)
            for text in ["", "{", "[]", "null", "{\"action\":1}", "{\"action\":\"sendMessage\"}", deep] {
                try await socket.connection.send(.text(text))
                var failure: ErrorAnswer?
                while failure == nil {
                    if case .failure(_, let found) = try await socket.next().body { failure = found }
                }
                #expect(failure?.error == "frame.malformed", "\(text)")
            }
            let reply = try await socket.ask(.unknown(action: "dance", data: .null))
            #expect(reply.body == .failure(action: "dance", ErrorAnswer("action.unknown")))
            #expect(try await socket.say("Still here", uuid: "u1") != nil)
        }
    }

    @Test("Binary messages end the socket")
    func binary() async throws {
        try await ServerUnderTest.with { subject in
            let socket = try await subject.join()
            try await socket.connection.send(.binary([1, 2, 3]))
            #expect(await socket.end()?.code == .unsupportedData)
        }
    }

    @Test("A message above the limit ends the socket")
    func tooLarge() async throws {
        try await ServerUnderTest.with {
            $0.limits.messageBytes = 4_096
        } _: { subject in
            let socket = try await subject.join()
            try await socket.connection.send(.text(String(repeating: "x", count: 4_097)))
            #expect(await socket.end()?.code == .messageTooBig)
        }
    }

    @Test("A second socket of the same device ends the first")
    func replaced() async throws {
        try await ServerUnderTest.with { subject in
            let first = try await subject.join()
            let second = try await subject.join(deviceAddress: first.deviceAddress)
            #expect(second.deviceAddress == first.deviceAddress)
            #expect(await first.end()?.code == .policyViolation)
            #expect(try await second.say("Hello", uuid: "u1") != nil)
        }
    }

    @Test("An operator's messages reach connected clients, and wait for others")
    func operatorSays() async throws {
        try await ServerUnderTest.with {
            $0.isBotEnabled = false
        } _: { subject in
            let socket = try await subject.join()
            await subject.server.operatorSays("Good morning", to: "alice")
            #expect(try await socket.message("Good morning").content.operator?.name == "Vera")
            await socket.connection.close()
            await subject.server.operatorSays("Are you there?")
            #expect(try UnreadAnswer(parsing: try await subject.get("/api/client/history/unread").body).count == 2)
            let again = try await subject.join(deviceAddress: socket.deviceAddress)
            #expect(try await again.message("Are you there?").messageID != nil)
        }
    }

    @Test("A planned fault cuts the socket before the reply, but the message is stored")
    func fault() async throws {
        try await ServerUnderTest.with { subject in
            let socket = try await subject.join()
            await subject.server.take(.faultsPlanned([.cutBeforeReply(action: "sendMessage")]))
            await #expect(throws: (any Error).self) { try await socket.say("Hello", uuid: "u1") }
            #expect(await socket.end()?.code == .abnormal)
            #expect(try await subject.history().messages.contains { $0.uuid == "u1" })
        }
    }

    @Test("Tokens are required for the socket and for REST, in a header or a cookie")
    func tokens() async throws {
        try await ServerUnderTest.with {
            $0.acceptedTokens = ["secret"]
        } _: { subject in
            let stranger = try await subject.connect()
            let refused = try await stranger.ask(.registerDevice(DeviceRegistration(clientID: "alice")))
            #expect(refused.body == .failure(action: "registerDevice", .tokenInvalid))
            let friend = try await subject.connect(headers: [.authorization: "secret"])
            try await friend.register()
            #expect(friend.deviceAddress != nil)

            let path = "/api/chat/config?chatApiVersion=17"
            let unauthorised = try await subject.request(.get, path)
            #expect(unauthorised.status == 401)
            #expect(unauthorised.failure == .tokenInvalid)
            #expect(try await subject.request(.get, path, headers: [.authorization: "secret"]).status == 200)
            let cookie: HTTPFields = [.cookie: "a=b; Authorization=secret; X-Auth-Schema=x"]
            #expect(try await subject.request(.get, path, headers: cookie).status == 200)
            #expect(try await subject.upload([1], name: "a.png").status == 401)
        }
    }

    @Test("Upgrades are granted only at the socket's path, and not to pages of other hosts")
    func upgrades() async throws {
        try await ServerUnderTest.with { subject in
            let elsewhere = subject.address.rest.replacing("https", with: "wss") + "/elsewhere"
            let missing = await #expect(throws: WebSocketError.self) {
                try await subject.sockets.connect(elsewhere)
            }
            #expect(missing?.refusal?.status == 404)
            let foreign = await #expect(throws: WebSocketError.self) {
                try await subject.connect(headers: [.origin: "https://evil.example"])
            }
            #expect(foreign?.refusal?.status == 403)
            let own = "https://\(subject.address.host):\(subject.address.port)"
            try await subject.connect(headers: [.origin: own]).register()
            #expect(try await subject.request(.get, "/socket").status == 426)
        }
    }

    @Test("A server that stops closes its sockets")
    func goodbye() async throws {
        try await ServerUnderTest.with { subject in
            let socket = try await subject.join()
            subject.server.stop()
            #expect(await socket.end()?.code == .goingAway)
        }
    }

    @Test("Fifty concurrent sockets are served")
    func manySockets() async throws {
        try await ServerUnderTest.with { subject in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let socket = try await subject.join("client \(number)")
                        #expect(try await socket.say("Hello \(number)", uuid: "u") != nil)
                        _ = try await socket.message("You wrote: Hello \(number)")
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
