import ChatWire
import Testing

@Suite struct ClientFrameTests {
    @Test(arguments: Fixtures.clientFrames)
    func everyFrameRoundTrips(_ text: String) throws {
        let frame = try ClientFrame(parsing: Array(text.utf8))
        #expect(String(decoding: frame.bytes, as: UTF8.self) == text)
        #expect(try ClientFrame(parsing: frame.bytes) == frame)
        #expect(frame.problems.isEmpty)
    }

    @Test func fieldsAreWrittenToTheirPlaces() throws {
        let text =
            #"{"action":"updateStatuses","correlationId":"3","data":{"statuses":[{"messageId":"m1","status":"read"},{"messageId":"m2","status":"eaten"},3]}}"#
        let frame = try ClientFrame(parsing: Array(text.utf8))
        #expect(
            frame.body == .updateStatuses([StatusChange(messageID: "m1", status: .read)], deviceAddress: nil))
        #expect(frame.correlationID == "3")
        #expect(frame.problems.map(\.path) == ["data.statuses[1]", "data.statuses[2]"])
        #expect(String(decoding: frame.bytes, as: UTF8.self) == text, "unreadable parts are written back")
    }

    @Test(arguments: [
        ("[]", WireError(.notAnObject, in: "frame")), ("{}", WireError(.missingField("action"), in: "frame")),
        (#"{"action":5,"correlationId":"1"}"#, WireError(.missingField("action"), in: "frame")),
        (#"{"action":"ping"}"#, WireError(.missingField("correlationId"), in: "ping")),
        (#"{"action":"registerDevice","correlationId":"1"}"#, WireError(.missingField("data"), in: "registerDevice")),
        (
            #"{"action":"registerDevice","correlationId":"1","data":{}}"#,
            WireError(.missingField("clientId"), in: "registerDevice")
        ),
        (
            #"{"action":"sendMessage","correlationId":"1","data":{"content":"x"}}"#,
            WireError(.missingField("content"), in: "sendMessage")
        ),
        (
            #"{"action":"updateStatuses","correlationId":"1","data":{}}"#,
            WireError(.missingField("statuses"), in: "updateStatuses")
        ),
        ("{", WireError(.json(JSONError(.unexpectedEnd, at: 1)), in: "frame")),
    ])
    func malformedFramesAreTypedErrors(_ text: String, _ error: WireError) {
        #expect(throws: error) { try ClientFrame(parsing: Array(text.utf8)) }
    }
}
