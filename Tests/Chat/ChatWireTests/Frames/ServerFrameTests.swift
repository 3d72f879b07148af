import ChatWire
import Testing

@Suite struct ServerFrameTests {
    @Test(arguments: Fixtures.serverFrames)
    func everyFrameRoundTrips(_ text: String) throws {
        let frame = try ServerFrame(parsing: Array(text.utf8))
        #expect(String(decoding: frame.bytes, as: UTF8.self) == text)
        #expect(try ServerFrame(parsing: frame.bytes) == frame)
    }

    @Test func unknownKeysInTheEnvelopeAndTheDataAreKept() throws {
        let texts = [
            #"{"action":"sendMessage","correlationId":"2","data":{"messageId":"m","status":"sent","lane":2,"x":null},"trace":"t"}"#,
            #"{"action":"registerDevice","correlationId":"1","data":{"deviceAddress":"d","ttl":9},"v":[1]}"#,
            #"{"action":"ping","correlationId":"4","data":{"load":0.5}}"#,
            #"{"action":"getStatuses","data":{"statuses":[{"messageId":"m","status":"read","at":1}],"more":true}}"#,
            #"{"action":"ping","correlationId":"4","data":{"error":"E","errorDetails":"d","retry":3}}"#,
        ]
        for text in texts {
            #expect(String(decoding: try ServerFrame(parsing: Array(text.utf8)).bytes, as: UTF8.self) == text)
        }
    }

    @Test func theTextOfAFailureIsKept() throws {
        let text = #"{"action":"ping","correlationId":"1","data":{"error":503,"errorDetails":{"why":"tired"}}}"#
        #expect(
            try ServerFrame(parsing: Array(text.utf8)).body
                == .failure(action: "ping", ErrorAnswer("503", details: #"{"why":"tired"}"#)))
    }

    @Test func unreadableFieldsAreReportedWithTheirPath() throws {
        let text =
            #"{"action":"getMessages","data":{"messages":[{"messageId":{},"content":{"type":"MESSAGE","read":7,"attachments":[{"size":"big"},4],"quotes":[{"type":"MESSAGE","uuid":[]}],"operator":{"gender":"X"}}}]},"createdAt":"soon"}"#
        let frame = try ServerFrame(parsing: Array(text.utf8))
        #expect(
            frame.allProblems.map(\.path) == [
                "createdAt", "data.messages[0].messageId", "data.messages[0].content.operator.gender",
                "data.messages[0].content.attachments[1]", "data.messages[0].content.attachments[0].size",
                "data.messages[0].content.read", "data.messages[0].content.quotes[0].uuid",
            ])
        #expect(frame.allProblems.first?.description == "createdAt: expected a time, found a string")
    }

    @Test func aFailureTakesPrecedenceOverTheActionsFields() throws {
        let text =
            #"{"action":"registerDevice","correlationId":"1","data":{"error":"UNAUTHORIZED","errorDetails":"invalid"}}"#
        let frame = try ServerFrame(parsing: Array(text.utf8))
        #expect(frame.body == .failure(action: "registerDevice", .tokenInvalid))
        #expect(ErrorAnswer.tokenInvalid.isUnauthorized)
    }

    @Test func sentAtIsReadAsTextAndAsMilliseconds() throws {
        for sentAt in [#""2025-03-06T16:12:51.438Z""#, "1741277571438"] {
            let text = #"{"action":"sendMessage","correlationId":"2","data":{"messageId":5,"sentAt":\#(sentAt)}}"#
            let frame = try ServerFrame(parsing: Array(text.utf8))
            #expect(
                frame.body == .receipt(SendReceipt(messageID: "5", sentAt: 1_741_277_571_438, status: .sent)))
        }
    }

    @Test func oneInvalidElementDoesNotAffectTheBatch() throws {
        let text = #"{"action":"getMessages","data":{"messages":[1,{"content":{"type":"MESSAGE","uuid":"u"}},{}]}}"#
        guard case .messages(let messages) = try ServerFrame(parsing: Array(text.utf8)).body else {
            Issue.record("not read as messages")
            return
        }
        #expect(messages.map(\.content.wireType) == ["", "MESSAGE", ""])
        #expect(messages[1].content.uuid == "u")
    }

    @Test(arguments: [
        ("7", WireError(.notAnObject, in: "frame")),
        (#"{"correlationId":"1"}"#, WireError(.missingField("action"), in: "frame")),
        (
            #"{"action":"registerDevice","data":{}}"#, WireError(.missingField("deviceAddress"), in: "registerDevice")
        ),
        (#"{"action":"sendMessage","data":{}}"#, WireError(.missingField("messageId"), in: "sendMessage")),
        (#"{"action":"getMessages","data":{}}"#, WireError(.missingField("messages"), in: "getMessages")),
        (#"{"action":"getMessages"}"#, WireError(.missingField("data"), in: "getMessages")),
    ])
    func malformedFramesAreTypedErrors(_ text: String, _ error: WireError) {
        #expect(throws: error) { try ServerFrame(parsing: Array(text.utf8)) }
    }

    /// If a single byte is changed, reading still ends with a frame or with a typed error.
    @Test func noSingleByteBreaksTheParser() throws {
        let text =
            #"{"action":"getMessages","createdAt":1741277571438,"data":{"messages":[{"messageId":"m","sentAt":"2025-03-06T16:12:51.438Z","content":{"type":"SURVEY","content":{"hideAfter":9999999999999,"questions":[{"id":-3.5e2}]},"text":"\u00e9"}}]}}"#
        var read = 0
        for index in text.utf8.indices {
            let offset = text.utf8.distance(from: text.utf8.startIndex, to: index)
            for byte in [UInt8(0), 0x22, 0x2C, 0x39, 0x5B, 0x5C, 0x7D, 0xC3, 0xFF] {
                var bytes = Array(text.utf8)
                bytes[offset] = byte
                if let frame = try? ServerFrame(parsing: bytes) {
                    read += 1
                    #expect(try ServerFrame(parsing: frame.bytes) == frame, "a frame can be written and read again")
                }
            }
        }
        #expect(read > 100)
    }
}
