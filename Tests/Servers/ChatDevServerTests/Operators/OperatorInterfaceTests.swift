import ChatWire
import HTTPTypes
import HoldfastTransport
import Testing

@testable import ChatDevServer

@Suite("The operators' interface", .timeLimit(.minutes(1)))
struct OperatorInterfaceTests {
    private static let token = "0123456789abcdef"

    private func serving<R: Sendable>(
        _ configure: (inout ChatDevServerConfiguration) -> Void = { _ in },
        _ body: (ServerUnderTest) async throws -> R
    ) async throws -> R {
        let token = try OperatorToken(Self.token)
        let authority = try ServerUnderTest.authority.get()
        return try await ServerUnderTest.with(
            {
                $0.operatorToken = token
                $0.isBotEnabled = false
                $0.authority = authority
                configure(&$0)
            }, body)
    }

    private func ask(
        _ subject: ServerUnderTest, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil,
        token: String? = Self.token
    ) async throws -> CollectedResponse {
        var headers = HTTPFields()
        if let token { headers[.authorization] = "Bearer " + token }
        return try await subject.request(
            method, "/operator" + path, headers: headers, body: body.map { .bytes(Array($0.utf8)) })
    }

    private func json(_ response: CollectedResponse) throws -> JSONObject {
        try #require(try JSONValue(parsing: String(decoding: response.body, as: UTF8.self)).objectValue)
    }

    @Test("The interface needs a configured token, which requests must send")
    func access() async throws {
        try await ServerUnderTest.with { subject in
            let answer = try await ask(subject, .get, "")
            #expect(answer.status == 404)
        }
        try await serving { subject in
            for wrong in [nil, "0123456789abcdeX", "0123456789abcde", ""] {
                for (method, path) in [
                    (HTTPRequest.Method.get, ""), (.get, "/clients"), (.get, "/clients/a"),
                    (.get, "/clients/a/messages"), (.post, "/actions"), (.post, "/clients/a/actions"),
                    (.put, "/script"),
                ] {
                    let body = method == .get ? nil : "{}"
                    let answer = try await ask(subject, method, path, body, token: wrong)
                    #expect(answer.status == 401, "\(method) \(path)")
                    #expect(answer.response.headerFields[.wwwAuthenticate] == "Bearer")
                }
            }
            #expect(try await ask(subject, .get, "").status == 200)
        }
    }

    @Test("Requests through a local proxy are refused, even with a token, unless allowed")
    func proxies() async throws {
        for isAllowed in [false, true] {
            try await serving {
                $0.dangerouslyAllowsRemoteOperators = isAllowed
            } _: { subject in
                var headers: HTTPFields = [.authorization: "Bearer " + Self.token]
                headers[try #require(HTTPField.Name("X-Forwarded-For"))] = "203.0.113.9"
                let answer = try await subject.request(.get, "/operator", headers: headers)
                #expect(answer.status == (isAllowed ? 200 : 403))
            }
        }
    }

    @Test("A token must be long and printable, and no text contains it")
    func tokens() throws {
        for bad in [
            "short", "with space in the middle", "ünprintable-and-long-enough", String(repeating: "x", count: 5_000),
        ] {
            #expect(throws: ChatDevServerError.self) { try OperatorToken(bad) }
        }
        let token = try OperatorToken("  \(Self.token)\n")
        #expect(token.isShown(by: "bearer \(Self.token)"))
        #expect(!token.isShown(by: "Basic \(Self.token)"))
        #expect(!token.isShown(by: Self.token))
        #expect(!"\(token)".contains(Self.token))
        var dumped = ""
        dump(token, to: &dumped)
        #expect(!dumped.contains("48"))
    }

    @Test("Operators list clients, read a conversation, and take part in it")
    func conversation() async throws {
        try await serving { subject in
            let socket = try await subject.join("al/ice é")
            try await socket.say("Hello", uuid: "u1")
            let list = try json(try await ask(subject, .get, "/clients"))
            #expect(list["total"]?.integerValue == 1)
            #expect(list["clients"]?.arrayValue?.first?.objectValue?["client"]?.stringValue == "al/ice é")
            let path = "/clients/" + ChatDialect.percentEncoded("al/ice é")
            let client = try json(try await ask(subject, .get, path))
            #expect(client["unanswered"]?.integerValue == 1)

            let said = try await ask(subject, .post, path + "/actions", #"{"action":"say","text":"Good morning"}"#)
            #expect(said.status == 200)
            let id = try #require(
                try json(said)["done"]?.arrayValue?.first?.objectValue?["messageId"]?.stringValue)
            #expect(try await socket.message("Good morning").messageID == id)
            // Several actions at once, in order.
            let several = try await ask(
                subject, .post, path + "/actions",
                #"[{"action":"read"},{"action":"edit","message":"\#(id)","text":"Good evening"},"#
                    + #"{"action":"requestClose","hideAfter":5}]"#
            )
            #expect(try json(several)["done"]?.arrayValue?.count == 3)
            #expect(try await socket.push { $0.content.body == .messageEdited }.content.text == "Good evening")
            _ = try await socket.push { $0.content.body == .requestCloseThread(hideAfter: 5) }

            let history = try json(try await ask(subject, .get, path + "/messages?count=2&before=\(id)"))
            let messages = try #require(history["messages"]?.arrayValue)
            #expect(
                messages.compactMap { $0.objectValue?["content"]?.objectValue?["type"]?.stringValue }
                    == ["THREAD_OPENED", "MESSAGE"])
            #expect(messages.last?.objectValue?["status"]?.stringValue == "read")
        }
    }

    @Test("Invalid requests are refused with position and reason")
    func refusals() async throws {
        try await serving { subject in
            _ = try await subject.join("alice")
            let cases: [(String, String, Int, String)] = [
                ("/clients/nobody/actions", #"{"action":"say","text":"a"}"#, 404, "unknownClient"),
                ("/clients/alice/actions", #"{"action":"delete","message":"x"}"#, 404, "unknownMessage"),
                ("/clients/alice/actions", #"{"action":"say"}"#, 422, "unusable"),
                ("/clients/alice/actions", #"{"action":"unblock"}"#, 409, "nothingToDo"),
                ("/clients/alice/actions", #"{"action":"sing"}"#, 400, "action.invalid"),
                ("/clients/alice/actions", "[]", 400, "action.invalid"),
                ("/actions", "{", 400, "action.invalid"),
                ("/clients/%zz/actions", #"{"action":"type"}"#, 400, "request.invalid"),
                ("/actions", String(repeating: " ", count: 70_000), 413, "request.too-large"),
            ]
            for (path, body, status, code) in cases {
                let answer = try await ask(subject, .post, path, body)
                #expect(answer.status == status, "\(path) \(body.prefix(40))")
                #expect(answer.failure?.error == code, "\(path) \(body.prefix(40))")
            }
            for path in ["/clients?offset=-1", "/clients?count=x", "/clients/alice/messages?before=a&after=b"] {
                #expect(try await ask(subject, .get, path).status == 400, "\(path)")
            }
            #expect(try await ask(subject, .get, "/clients/nobody").failure?.error == "unknownClient")
            // The position of the mistake is reported.
            let answer = try json(try await ask(subject, .put, "/script", "{\n \"holdfastScript\": 1, \"steps\": 7 }"))
            let problem = try #require(answer["problems"]?.arrayValue?.first?.objectValue)
            #expect(problem["line"]?.integerValue == 2)
            #expect(problem["path"]?.stringValue == "steps")
            // Actions before the first refusal stay in effect, and the answer says so.
            let partly = try json(
                try await ask(subject, .post, "/clients/alice/actions", #"[{"action":"type"},{"action":"leave"}]"#))
            #expect(partly["done"]?.arrayValue?.count == 1)
        }
    }

    @Test("Settings, tokens and scripts can be changed while the server runs")
    func administration() async throws {
        try await serving { subject in
            let socket = try await subject.join()
            _ = try await ask(
                subject, .post, "/actions",
                #"{"action":"attachmentSettings","settings":{"maxSize":1,"fileExtensions":["txt"]}}"#)
            let pushed = try await socket.push {
                if case .attachmentSettings = $0.content.body { true } else { false }
            }
            #expect(pushed.content.wireType == "ATTACHMENT_SETTINGS")
            // The rule is in effect.
            #expect(try await subject.upload([1], name: "a.png").failure == .restrictedFileType)
            #expect(try await subject.upload([1], name: "a.txt").status == 200)
            let large = [UInt8](repeating: 0, count: (1 << 20) + 1)
            #expect(try await subject.upload(large, name: "b.txt").failure == .restrictedFileSize)

            let script = #"""
                { "holdfastScript": 1, "steps": [
                    { "on": "message", "contains": "who", "do": [
                        { "action": "type" }, { "action": "say", "text": "Me" } ] } ] }
                """#
            #expect(try await ask(subject, .put, "/script", script).status == 200)
            let overview = try json(try await ask(subject, .get, ""))
            #expect(overview["steps"]?.integerValue == 1)
            try await socket.say("Who is there?", uuid: "u1")
            _ = try await socket.message("Me")

            _ = try await ask(subject, .post, "/actions", #"{"action":"tokens","valid":["new"],"expired":["old"]}"#)
            #expect(try await subject.get("/api/client/history/unread").failure == .tokenInvalid)
        }
    }

    @Test("The identity is changed for new connections")
    func identity() async throws {
        try await serving { subject in
            #expect(
                try await ask(subject, .post, "/actions", #"{"action":"identity","scenario":"otherAuthority"}"#).status
                    == 200)
            // An open connection continues; a new one is presented another authority's certificate.
            #expect(try await ask(subject, .get, "").status == 200)
            await #expect(throws: (any Error).self) { try await subject.connect() }
            #expect(
                try await ask(subject, .post, "/actions", #"{"action":"identity","scenario":"rotatedToBackupKey"}"#)
                    .status == 200)
            _ = try await subject.join()
        }
        try await serving({
            $0.tls = nil
        }) { subject in
            let answer = try await ask(subject, .post, "/actions", #"{"action":"identity","scenario":"genuine"}"#)
            #expect(answer.failure?.error == "unknownIdentity")
        }
    }
}
