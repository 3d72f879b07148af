import ChatWire
import Testing

@Suite struct ChatDialectTests {
    let dialect = ChatDialect.documented

    @Test func theDefaultPathsAreAsDocumented() {
        #expect(
            dialect.target(of: .configuration(appMarker: "my bank&x=1", apiVersion: 17))
                == "/api/chat/config?appMarker=my%20bank%26x%3D1&chatApiVersion=17")
        #expect(
            dialect.target(of: .configuration(appMarker: nil, apiVersion: 21)) == "/api/chat/config?chatApiVersion=21")
        #expect(
            dialect.target(of: .history(HistoryRequest(.before(uuid: "a/b"), count: 30)))
                == "/api/client/history?before=a%2Fb&count=30")
        #expect(
            dialect.target(of: .history(HistoryRequest(.after(uuid: "u"), count: 5)), newRoutesEnabled: false)
                == "/history?after=u&count=5")
        #expect(dialect.target(of: .history(HistoryRequest(.newest, count: 1))) == "/api/client/history?count=1")
        #expect(dialect.target(of: .unread, newRoutesEnabled: false) == "/api/client/history/unread")
        #expect(
            dialect.target(of: .search(query: "карта", page: 0, size: 20))
                == "/api/client/search?query=%D0%BA%D0%B0%D1%80%D1%82%D0%B0&page=0&size=20")
    }

    @Test func theTokenIsSentAsTheMethodSays() {
        let headers = WireCredentials(token: "Bearer t", scheme: "jwt")
        #expect(
            dialect.headers(for: headers)
                == [WireHeader("Authorization", "Bearer t"), WireHeader("X-Auth-Schema", "jwt")])
        let cookies = WireCredentials(token: "t", scheme: "jwt", method: .cookies)
        #expect(
            dialect.headers(for: cookies) == [WireHeader("Cookie", "Authorization=t; X-Auth-Schema=jwt")])
        #expect(dialect.headers(for: WireCredentials(method: .cookies)).isEmpty)
    }

    @Test func theClientIsNamedByItsDeviceOnceItIsKnown() {
        #expect(dialect.identity(clientID: "c", deviceAddress: nil) == WireHeader("X-Client-Id", "c"))
        #expect(dialect.identity(clientID: "c", deviceAddress: "d") == WireHeader("X-Device-Address", "d"))
    }
}

/// The same conversation with the names of another backend.
@Suite struct SecondDialectTests {
    static let other: ChatDialect = {
        var dialect = ChatDialect()
        dialect.configurationPath = "/v2/settings"
        dialect.historyPath = "/v2/messages"
        dialect.clientIDHeader = "Client"
        dialect.queryItems = WireNames(["count": "limit", "before": "until"])
        dialect.envelope = WireNames(["action": "op", "correlationId": "ref", "data": "payload"])
        dialect.actions = WireNames(["sendMessage": "say", "getMessages": "hear"])
        dialect.types = WireNames(["MESSAGE": "msg"])
        dialect.fields = WireNames(["text": "body", "uuid": "key", "messages": "items", "error": "fault"])
        return dialect
    }()

    @Test func framesUseTheNamesOfTheDialect() throws {
        let text =
            #"{"op":"say","ref":"1","payload":{"content":{"type":"msg","key":"u","body":"Hi","text":"theirs"}}}"#
        let frame = try ClientFrame(parsing: Array(text.utf8), dialect: Self.other)
        guard case .sendMessage(let content, _) = frame.body else {
            Issue.record("\(frame.body)")
            return
        }
        #expect(content.body == .message)
        #expect(content.uuid == "u")
        #expect(content.text == "Hi")
        #expect(
            String(decoding: frame.bytes(in: Self.other), as: UTF8.self) == text,
            "the backend's own 'text' is not the documented one")
        #expect(throws: WireError(.missingField("action"), in: "frame")) { try ClientFrame(parsing: Array(text.utf8)) }

        let push =
            #"{"op":"hear","payload":{"items":[{"messageId":"m","content":{"type":"msg","key":"u"},"attributes":null,"messageType":"NORMAL"},{"type":"poem","body":{"body":[1]}}]}}"#
        let heard = try ServerFrame(parsing: Array(push.utf8), dialect: Self.other)
        #expect(String(decoding: heard.bytes(in: Self.other), as: UTF8.self) == push)
        let fault = #"{"op":"say","ref":"1","payload":{"fault":"NO"}}"#
        #expect(
            try ServerFrame(parsing: Array(fault.utf8), dialect: Self.other).body
                == .failure(action: "sendMessage", ErrorAnswer("NO")))
    }

    @Test func theApplicationsOwnMapIsUnchanged() throws {
        let info = Content(.clientInfo(ClientInfo(data: ["text": "t", "type": "MESSAGE"])))
        let frame = ClientFrame(.sendMessage(info, deviceAddress: nil), correlationID: "1")
        let bytes = frame.bytes(in: Self.other)
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""data":{"text":"t","type":"MESSAGE"}"#))
        #expect(try ClientFrame(parsing: bytes, dialect: Self.other) == frame)
    }

    @Test func callsAndAnswersUseTheNamesOfTheDialect() {
        let request = RESTRequest.history(HistoryRequest(.before(uuid: "u"), count: 5))
        #expect(Self.other.target(of: request) == "/v2/messages?until=u&limit=5")
        let body = Array(#"{"items":[{"type":"msg","body":"Hi"}]}"#.utf8)
        #expect(
            RESTAnswer(to: request, status: 200, body: body, dialect: Self.other)
                == .history(HistoryAnswer(messages: [Content(.message, text: "Hi")])))
        #expect(
            RESTAnswer(to: request, status: 500, body: Array(#"{"fault":"X"}"#.utf8), dialect: Self.other)
                == .refused(status: 500, ErrorAnswer("X"), retryAfterMilliseconds: nil))
    }

    @Test(arguments: Fixtures.contents) func everyTypeRoundTripsThroughIt(_ text: String) throws {
        let frame = ClientFrame(
            .sendMessage(Content(try Fixtures.value(text)), deviceAddress: "d"), correlationID: "1")
        let bytes = frame.bytes(in: Self.other)
        #expect(try ClientFrame(parsing: bytes, dialect: Self.other) == frame)
        #expect(try ClientFrame(parsing: bytes, dialect: Self.other).bytes(in: Self.other) == bytes)
    }

    @Test func anyNamesRoundTrip() {
        let names = WireNames(["a": "b", "b": "c", "d": "d", "x": "c", "y": "dialect:z"])
        for name in ["a", "b", "c", "d", "e", "x", "y", "dialect:a", "dialect:z", "dialect:dialect:z", ""] {
            #expect(names.outward(names.inward(name)) == name)
        }
        #expect(WireNames().inward("dialect:a") == "dialect:a")
    }
}

@Suite struct APIFeatureTests {
    /// The table of the vendor's versions; 17 is the first one.
    @Test func eachVersionAddsItsDocumentedFields() {
        let table: [(Int64, [APIFeature])] = [
            (17, []), (18, [.personalDataProcessing]), (19, [.personalDataProcessing, .buttonSurveys]),
            (20, [.personalDataProcessing, .buttonSurveys, .clientUnblocked]), (21, APIFeature.allCases),
        ]
        for (version, features) in table {
            #expect(APIFeature.allCases.filter { $0.isPart(of: version) } == features)
        }
    }
}
