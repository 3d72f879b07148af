import ChatServerCore
import ChatWire
import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket
import Testing

@testable import ChatDevServer

/// Scripts with real sockets.
@Suite("Scripts: execution", .timeLimit(.minutes(1)))
struct ScriptedFaultTests {
    private func serving<R: Sendable>(
        _ steps: String, _ configure: (inout ChatDevServerConfiguration) -> Void = { _ in },
        _ body: (ServerUnderTest) async throws -> R
    ) async throws -> R {
        let script = try ChatServerScript(json: Array(#"{ "holdfastScript": 1, "steps": [ \#(steps) ] }"#.utf8))
        let authority = try ServerUnderTest.authority.get()
        return try await ServerUnderTest.with(
            {
                $0.script = script
                $0.isBotEnabled = false
                $0.authority = authority
                configure(&$0)
            }, body)
    }

    @Test("An unanswered upgrade ends with the server, and the next one is answered")
    func ignoredUpgrade() async throws {
        try await serving(#"{ "on": "upgrade", "do": { "action": "fault", "fault": "ignoreUpgrade" } }"#) { subject in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    do {
                        _ = try await subject.connect()
                        return true
                    } catch {
                        return false
                    }
                }
                // Either one of the two is answered, and the other is not.
                group.addTask {
                    do {
                        _ = try await subject.join()
                        return true
                    } catch {
                        return false
                    }
                }
                let first = try await group.next()
                #expect(first == true)
                subject.server.stop()
                let second = try await group.next()
                #expect(second == false)
            }
        }
    }

    @Test("A refused upgrade has the script's status, error and Retry-After time")
    func refusedUpgrade() async throws {
        let step = #"""
            { "on": "start", "do": { "action": "fault", "fault": "refuseUpgrade", "status": 503, "error": "busy",
                "details": "Lunch", "retryAfter": 7 } }
            """#
        try await serving(step) { subject in
            let error = await #expect(throws: WebSocketError.self) { try await subject.connect() }
            let refusal = try #require(error?.refusal)
            #expect(refusal.status == 503)
            #expect(refusal.retryAfter == .seconds(7))
            #expect(ErrorAnswer(parsing: refusal.body) == ErrorAnswer("busy", details: "Lunch"))
            _ = try await subject.join()
        }
    }

    @Test("The reply to a step of the handshake is withheld", arguments: ["registerDevice", "CLIENT_INFO"])
    func withheld(_ frame: String) async throws {
        let step = #"""
            { "on": "frame", "frame": "\#(frame)",
                "do": { "action": "fault", "fault": "withhold", "frame": "\#(frame)" } }
            """#
        try await serving(step) { subject in
            let socket = try await subject.connect()
            if frame == "CLIENT_INFO" { try await socket.register() }
            let body: ClientFrame.Body =
                frame == "CLIENT_INFO"
                ? .sendMessage(Content(.clientInfo(ClientInfo(name: "Alice"))), deviceAddress: nil)
                : .registerDevice(DeviceRegistration(clientID: "alice"))
            let unanswered = ClientFrame(body, correlationID: "unanswered")
            try await socket.connection.send(.text(String(decoding: unanswered.bytes, as: UTF8.self)))
            // A later frame is answered: the script withholds the reply, and the server still runs.
            let pong = try await socket.ask(.ping)
            #expect(pong.body == .done(action: "ping"))
            var earlier: [String?] = []
            try await socket.connection.send(
                .text(String(decoding: ClientFrame(.ping, correlationID: "last").bytes, as: UTF8.self)))
            while true {
                let frame = try await socket.next()
                earlier.append(frame.correlationID)
                if frame.correlationID == "last" { break }
            }
            #expect(!earlier.contains("unanswered"))
        }
    }

    @Test("A socket is cut after a number of frames, without a close frame")
    func cut() async throws {
        try await serving(#"{ "on": "frame", "count": 4, "do": { "action": "cut" } }"#) { subject in
            let socket = try await subject.join()
            try await socket.say("one", uuid: "u1")
            try await socket.connection.send(
                .text(String(decoding: ClientFrame(.ping, correlationID: "p").bytes, as: UTF8.self)))
            #expect(await socket.end()?.code == .abnormal)
            // The next socket is not affected.
            _ = try await subject.join()
        }
    }

    @Test("A socket is closed with the script's code")
    func close() async throws {
        let step = #"{ "on": "ready", "do": { "action": "close", "code": 1013, "reason": "Later, please" } }"#
        try await serving(step) { subject in
            let socket = try await subject.join()
            let closure = await socket.end()
            #expect(closure?.code == .tryAgainLater)
            #expect(closure?.reason == "Later, please")
        }
    }

    @Test("Calls fail by name, also file transfers, and can be delayed")
    func calls() async throws {
        let step = #"""
            { "on": "start", "do": [
                { "action": "fault", "fault": "failCall", "call": "upload", "status": 500, "error": "disk" },
                { "action": "fault", "fault": "failCall", "call": "configuration", "status": 503, "retryAfter": 9 },
                { "action": "fault", "fault": "delayCall", "call": "unread", "milliseconds": 1 } ] }
            """#
        try await serving(step) { subject in
            #expect(try await subject.upload([1], name: "a.png").failure?.error == "disk")
            #expect(try await subject.upload([1], name: "a.png").status == 200)
            let configuration = try await subject.get("/api/chat/config")
            #expect(configuration.status == 503)
            #expect(configuration.response.headerFields[.retryAfter] == "9")
            #expect(try await subject.get("/api/chat/config").status == 200)
            #expect(try await subject.get("/api/client/history/unread").status == 200)
        }
    }

    @Test("A script rotates the key when a message requests it")
    func rotation() async throws {
        let step = #"""
            { "on": "message", "contains": "rotate", "do": [
                { "action": "identity", "scenario": "rotatedToBackupKey" }, { "action": "say", "text": "Rotated" } ] }
            """#
        try await serving(step) { subject in
            // One client pins the current key, and one pins the next.
            let authority = subject.authority
            let clients = [authority.leaf, authority.backupLeaf].map { identity in
                WebSocketClient(
                    configuration: ServerUnderTest.transport(
                        .pinnedKeysOnly(PinnedKeysOnly(certificates: [identity.view]))))
            }
            func isLetIn(_ client: WebSocketClient) async -> Bool {
                do {
                    await (try await client.connect(subject.address.webSocket)).close(.normal)
                    return true
                } catch {
                    return false
                }
            }
            #expect(await isLetIn(clients[0]))
            #expect(await !isLetIn(clients[1]))
            let socket = try await subject.join()
            try await socket.say("Please rotate", uuid: "u1")
            _ = try await socket.message("Rotated")
            #expect(await !isLetIn(clients[0]))
            #expect(await isLetIn(clients[1]))
        }
    }

    @Test("A script that changes identities needs a server with TLS")
    func noIdentities() async throws {
        let script = try ChatServerScript(
            json: Array(
                #"{"holdfastScript":1,"steps":[{"on":"start","do":{"action":"identity","scenario":"expired"}}]}"#.utf8))
        var configuration = ChatDevServerConfiguration()
        configuration.script = script
        let error = #expect(throws: ChatDevServerError.self) { try ChatDevServer(configuration: configuration) }
        #expect(error?.code == .noTLS)
    }

    @Test("Blocked clients, operators and pending changes survive a restart")
    func restart() async throws {
        let directory = try TemporaryDirectory()
        func configure(_ configuration: inout ChatDevServerConfiguration) {
            configuration.databasePath = directory.file("chat.sqlite")
        }
        let step = #"""
            { "on": "message", "do": [
                { "action": "join", "operator": { "id": "9", "name": "Ada" } }, { "action": "say", "text": "Helo" },
                { "action": "block", "text": "Enough." } ] },
            { "on": "disconnected", "do": { "action": "edit", "text": "Hello" } }
            """#
        let device = try await serving(step, configure) { subject in
            let socket = try await subject.join()
            try await socket.say("Hi", uuid: "u1")
            let said = try await socket.message("Helo")
            #expect(said.content.operator?.name == "Ada")
            let id = try #require(said.messageID)
            try await socket.ask(
                .updateStatuses([StatusChange(messageID: id, status: .read)], deviceAddress: socket.deviceAddress))
            await socket.connection.close(.normal)
            // The server has processed the disconnection when the edit is in the history.
            while try await subject.history().messages.last(where: { $0.operator != nil && $0.body == .message })?.text
                != "Hello"
            {}
            return socket.deviceAddress
        }
        try await serving("", configure) { subject in
            let socket = try await subject.join(deviceAddress: device)
            let notice = try await socket.push { $0.content.body == .messageEdited }
            #expect(notice.content.text == "Hello")
            let refused = try await socket.ask(
                .sendMessage(Content(.message, uuid: "u2", text: "Still here"), deviceAddress: socket.deviceAddress))
            #expect(refused.body == .failure(action: "sendMessage", ErrorAnswer("client.blocked")))
        }
    }
}
