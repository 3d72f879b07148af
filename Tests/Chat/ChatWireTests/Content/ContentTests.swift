import ChatWire
import Testing

@Suite struct ContentTests {
    @Test(arguments: Fixtures.contents)
    func everyTypeRoundTrips(_ text: String) throws {
        let content = Content(try Fixtures.value(text))
        #expect(content.json.text == text)
        #expect(content.extra.isEmpty, "every documented key has a field")
    }

    @Test func everyDocumentedTypeIsKnown() throws {
        let known = try Fixtures.contents.filter { text in
            if case .unknown = Content(try Fixtures.value(text)).body { false } else { true }
        }
        #expect(known.count == Fixtures.contents.count - 1)
    }

    @Test func anUnknownTypeIsKeptWithItsText() throws {
        let raw = try Fixtures.value(#"{"type":"HOLOGRAM","uuid":"u","receivedDate":"1970-01-01T00:00:01.000Z"}"#)
        let content = Content(raw)
        #expect(content.body == .unknown(type: "HOLOGRAM", raw: raw))
        #expect(content.uuid == "u")
        #expect(content.receivedDate == 1000)
    }

    @Test(arguments: [
        "5", "null", "[]", "{}", #"{"type":5}"#, #"{"type":"SURVEY","text":"no json"}"#,
        #"{"type":"SURVEY","content":[]}"#, #"{"type":"MESSAGES_READ","ids":"m"}"#, #"{"type":"SCHEDULE"}"#,
        #"{"type":"SURVEY_QUESTION_ANSWER","rate":1}"#, #"{"type":"SETTINGS_UPDATED","content":1}"#,
    ])
    func unreadableContentIsKeptAsUnknown(_ text: String) throws {
        let raw = try Fixtures.value(text)
        guard case .unknown(_, let kept) = Content(raw).body else {
            Issue.record("read as \(Content(raw).wireType)")
            return
        }
        #expect(kept == raw)
        #expect(Content(raw).json == raw)
    }

    @Test func oneInvalidItemDoesNotAffectTheBatch() throws {
        let bytes = Array(#"{"messages":[7,{"type":"MESSAGE","uuid":"a"},{"kind":1},null]}"#.utf8)
        let answer = try HistoryAnswer(parsing: bytes)
        #expect(answer.messages.count == 4)
        #expect(answer.messages[1].uuid == "a")
        #expect(answer.messages[2].body == .unknown(type: "", raw: .object(["kind": .integer(1)])))
    }

    @Test func aVoiceMessageHasADuration() throws {
        let text = #"{"type":"MESSAGE","attachments":[{"name":"v.ogg","type":"audio/ogg","size":9,"duration":2400}]}"#
        let content = Content(try Fixtures.value(text))
        #expect(content.attachments.first?.duration == 2400)
        #expect(content.attachments.first?.isAudio == true)
        #expect(content.attachments.first?.extra.isEmpty == true)
        #expect(content.json.text == text)
        // Another kind of value is kept and not used.
        let strange = #"{"type":"MESSAGE","attachments":[{"type":"Audio/OGG","duration":"long"}]}"#
        let other = Content(try Fixtures.value(strange))
        #expect(other.attachments.first?.duration == nil)
        #expect(other.attachments.first?.isAudio == true)
        #expect(other.json.text == strange)
    }

    @Test func booleansAndNumbersAsTextAreTolerated() throws {
        let content = Content(
            try Fixtures.value(
                #"{"type":"MESSAGE","threadId":"7","read":"true","display":"false","settings":{"blockInput":"TRUE"}}"#))
        #expect(content.read == true)
        #expect(content.display == false)
        #expect(content.settings?.blockInput == true)
        #expect(content.threadID == 7)
    }

    @Test func aFieldOfTheWrongKindCountsAsAbsentAndIsKept() throws {
        let text = #"{"type":"MESSAGE","uuid":"u","text":{"rich":true},"gadget":[1]}"#
        let content = Content(try Fixtures.value(text))
        #expect(content.text == nil)
        #expect(content.extra.keys == ["text", "gadget"])
        #expect(content.json.text == text)
    }

    @Test func theSurveyInContentWinsOverTheCopyInText() throws {
        let both = Content(
            try Fixtures.value(#"{"type":"SURVEY","text":"{\"id\":1}","content":{"id":2}}"#))
        #expect(both.body == .survey(Survey(id: 2)))
        let old = Content(try Fixtures.value(#"{"type":"SURVEY","text":"{\"id\":1,\"hideAfter\":9999999999999}"}"#))
        #expect(old.body == .survey(Survey(id: 1, hideAfter: 9_999_999_999_999, isTextual: true)))
    }

    @Test func aContentWithoutOperatorBelongsToTheClient() throws {
        #expect(Content(try Fixtures.value(#"{"type":"MESSAGE","operator":null}"#)).operator == nil)
    }

    @Test func aScheduleIntervalWithoutADayIsOmitted() throws {
        let content = Content(
            try Fixtures.value(
                #"""
                {"type":"SCHEDULE","content":{"intervals":[{"weekDay":8,"startTime":0,"endTime":1},
                {"weekDay":1,"startTime":0,"endTime":1},{"weekDay":2}]}}
                """#))
        guard case .schedule(let schedule) = content.body else {
            Issue.record("\(content.body)")
            return
        }
        #expect(schedule.intervals == [.init(weekDay: 1, startTime: 0, endTime: 1)])
        #expect(schedule.extra["intervals"]?.arrayValue?.count == 2, "the unreadable interval is kept")
        #expect(content.problems.map(\.path) == ["content.intervals[0]", "content.intervals[2]"])
    }
}
