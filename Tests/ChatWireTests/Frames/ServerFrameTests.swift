import ChatWire
import Testing

@Suite struct ServerFrameTests {
    @Test(arguments: [
        #"{"action":"registerDevice","correlationId":"1","data":{"deviceAddress":"d-1"}}"#,
        #"{"action":"sendMessage","correlationId":"2","data":{"messageId":"m-1","sentAt":"2025-03-06T16:12:51.438Z","status":"sent"}}"#,
        #"{"action":"updateStatuses","correlationId":"3","data":{}}"#,
        #"{"action":"ping","correlationId":"4","data":{}}"#,
        #"{"action":"sendMessage","correlationId":"5","data":{"error":"UNAUTHORIZED","errorDetails":"expired"}}"#,
        #"{"action":"getStatuses","createdAt":1741277571438,"data":{"statuses":[{"messageId":"m-1","status":"read"}]}}"#,
        #"{"action":"getMessages","createdAt":1741277571438,"data":{"messages":[{"messageId":"m-2","sentAt":"2025-03-06T16:12:51.438Z","notification":"Hello","content":{"type":"MESSAGE","uuid":"u","operator":{"name":"Ivan","gender":null},"text":"Hello"},"attributes":null,"important":false,"messageType":"NORMAL"}]}}"#,
        #"{"action":"getMessages","data":{"messages":[{"messageId":"m-3","sentAt":"2025-03-06T16:12:51.438Z","content":{"type":"MESSAGE","uuid":"v"},"attributes":"{\"a\":1}","important":true,"messageType":"MIRROR"}]}}"#,
        #"{"action":"getMessages","data":{"messages":[]}}"#,
        #"{"action":"fireworks","data":{"colour":"red"}}"#,
    ])
    func everyFrameIsReadAndWrittenByteForByte(_ text: String) throws {
        let frame = try ServerFrame(parsing: Array(text.utf8))
        #expect(String(decoding: frame.bytes, as: UTF8.self) == text)
    }

    @Test func aFailureWinsOverTheActionsOwnFields() throws {
        let text =
            #"{"action":"registerDevice","correlationId":"1","data":{"error":"UNAUTHORIZED","errorDetails":"invalid"}}"#
        let frame = try ServerFrame(parsing: Array(text.utf8))
        #expect(frame.body == .failure(action: "registerDevice", .tokenInvalid))
        #expect(WireFailure.tokenInvalid.isUnauthorized)
    }

    @Test func sentAtIsReadAsTextAndAsMilliseconds() throws {
        for sentAt in [#""2025-03-06T16:12:51.438Z""#, "1741277571438"] {
            let text = #"{"action":"sendMessage","correlationId":"2","data":{"messageId":5,"sentAt":\#(sentAt)}}"#
            let frame = try ServerFrame(parsing: Array(text.utf8))
            #expect(
                frame.body == .receipt(SendReceipt(messageID: "5", sentAt: 1_741_277_571_438, status: .sent)))
        }
    }

    @Test func oneBadElementDoesNotCostTheBatch() throws {
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

    /// Whatever one byte is changed to, reading ends with a frame or with a typed error.
    @Test func noSingleByteBreaksTheReader() throws {
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
                    #expect(try ServerFrame(parsing: frame.bytes) == frame, "what was read can be written and read")
                }
            }
        }
        #expect(read > 100)
    }
}
