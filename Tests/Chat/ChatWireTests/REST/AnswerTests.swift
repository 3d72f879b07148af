import ChatWire
import Testing

@Suite struct AnswerTests {
    @Test func theDocumentedConfigurationRoundTrips() throws {
        let answer = try ConfigurationAnswer(parsing: Array(Fixtures.configuration.utf8))
        #expect(String(decoding: answer.bytes, as: UTF8.self) == (try Fixtures.value(Fixtures.configuration).text))
        #expect(answer.settings?.pingIntervalMillis == 10_000)
        #expect(answer.channelConfig?.historyLoadingCount == 30)
        #expect(answer.schedule?.serverTime == 1_741_277_571_438)
        #expect(answer.schedule?.intervals == [.init(id: 15, weekDay: 1, startTime: 0, endTime: 86_399)])
        #expect(answer.attachmentSettings == AttachmentSettings(maxSize: 10, fileExtensions: ["jpeg", "png", "pdf"]))
    }

    @Test func everyAnswerRoundTrips() throws {
        for (call, text) in Fixtures.answers {
            let bytes = Array(text.utf8)
            #expect(String(decoding: try Rewriting.answer(bytes, to: call), as: UTF8.self) == text)
        }
    }

    @Test func unknownKeysArePreserved() throws {
        let later: [(String, String)] = [
            ("unread", #"{"count":3,"oldest":"u"}"#),
            (
                "search",
                #"{"total":1,"pages":1,"content":[],"pageable":{"offset":0,"pageSize":1,"pageNumber":0,"sorted":true},"took":4}"#
            ),
            ("upload", #"{"result":"f","optional":{"name":"n","width":3},"scan":"clean"}"#),
            (
                "configuration",
                #"{"settings":{"pingEnabled":true,"theme":"dark"},"schedule":{"content":{"type":"SCHEDULE","content":{"id":1,"zone":"UTC"},"uuid":"s"},"next":2},"beta":{}}"#
            ),
            ("history", #"{"messages":[],"cursor":"c"}"#),
        ]
        for (call, text) in later {
            #expect(String(decoding: try Rewriting.answer(Array(text.utf8), to: call), as: UTF8.self) == text)
        }
    }

    @Test func partsOfTheConfigurationMayBeMissing() throws {
        let answer = try ConfigurationAnswer(parsing: Array(#"{"channelConfig":{"searchEnabled":"false"}}"#.utf8))
        #expect(answer == ConfigurationAnswer(channelConfig: ChannelOverrides(searchEnabled: false)))
    }

    @Test func historyRoundTrips() throws {
        let text =
            #"{"messages":[{"type":"MESSAGE","uuid":"u","messageId":"m","text":"Hi","receivedDate":"2025-03-06T16:12:51.438Z"}],"agentInfo":{"name":"Ivan"},"allowedToSendMessages":true}"#
        #expect(String(decoding: try HistoryAnswer(parsing: Array(text.utf8)).bytes, as: UTF8.self) == text)
        let empty = #"{"messages":[]}"#
        #expect(String(decoding: try HistoryAnswer(parsing: Array(empty.utf8)).bytes, as: UTF8.self) == empty)
    }

    @Test func unreadSearchAndUploadRoundTrip() throws {
        let unread = #"{"count":3}"#
        #expect(String(decoding: try UnreadAnswer(parsing: Array(unread.utf8)).bytes, as: UTF8.self) == unread)
        let dated = #"{"count":3,"lastDate":"2026-11-23T15:05:32.001Z"}"#
        #expect(String(decoding: try UnreadAnswer(parsing: Array(dated.utf8)).bytes, as: UTF8.self) == dated)
        let undated = #"{"count":3,"lastDate":true}"#
        #expect(try UnreadAnswer(parsing: Array(undated.utf8)).lastDate == nil)
        #expect(String(decoding: try UnreadAnswer(parsing: Array(undated.utf8)).bytes, as: UTF8.self) == undated)
        let search =
            #"{"total":41,"pages":3,"content":[{"type":"MESSAGE","uuid":"u"}],"pageable":{"offset":20,"pageSize":20,"pageNumber":1}}"#
        #expect(String(decoding: try SearchAnswer(parsing: Array(search.utf8)).bytes, as: UTF8.self) == search)
        let upload = #"{"result":"f-1","optional":{"name":"a.png","size":3,"type":"image/png"}}"#
        #expect(String(decoding: try UploadAnswer(parsing: Array(upload.utf8)).bytes, as: UTF8.self) == upload)
    }

    @Test func missingMainFieldsAreTypedErrors() {
        #expect(throws: WireError(.missingField("messages"), in: "history")) {
            try HistoryAnswer(parsing: [0x7B, 0x7D])
        }
        #expect(throws: WireError(.missingField("count"), in: "unread")) { try UnreadAnswer(parsing: [0x7B, 0x7D]) }
        #expect(throws: WireError(.missingField("content"), in: "search")) { try SearchAnswer(parsing: [0x7B, 0x7D]) }
        #expect(throws: WireError(.missingField("result"), in: "upload")) { try UploadAnswer(parsing: [0x7B, 0x7D]) }
        #expect(throws: WireError(.notAnObject, in: "configuration")) { try ConfigurationAnswer(parsing: [0x31]) }
    }

    @Test func errorBodiesAreParsedOrNil() {
        #expect(ErrorAnswer(parsing: Array(#"{"error":"file.restricted.type"}"#.utf8)) == .restrictedFileType)
        #expect(ErrorAnswer(parsing: Array("<html>".utf8)) == nil)
        #expect(ErrorAnswer(parsing: Array("{}".utf8)) == nil)
        #expect(ErrorAnswer.tokenExpired.bytes == Array(#"{"error":"UNAUTHORIZED","errorDetails":"expired"}"#.utf8))
    }

    @Test func answersAreParsedAccordingToTheRequest() {
        let history = Array(#"{"messages":[]}"#.utf8)
        #expect(
            RESTAnswer(to: .history(HistoryRequest(.newest, count: 1)), status: 200, body: history)
                == .history(HistoryAnswer(messages: [])))
        #expect(
            RESTAnswer(to: .unread, status: 200, body: history)
                == .unreadable(WireError(.missingField("count"), in: "unread")))
        #expect(
            RESTAnswer(to: .unread, status: 401, body: ErrorAnswer.tokenExpired.bytes, retryAfterMilliseconds: 5)
                == .refused(status: 401, .tokenExpired, retryAfterMilliseconds: 5))
        #expect(
            RESTAnswer(to: .unread, status: 302, body: []) == .refused(status: 302, nil, retryAfterMilliseconds: nil))
    }

    @Test func anUpdateChangesOnlyTheFieldsThatItContains() {
        let answer = ConfigurationAnswer(
            settings: CommunicationSettings(pingEnabled: true, pingRetries: 3),
            channelConfig: ChannelOverrides(searchEnabled: true))
        let update = ConfigurationUpdate(
            settings: CommunicationSettings(pingEnabled: false), channelConfig: ChannelOverrides(keepSocketActive: true)
        )
        let merged = answer.merging(update)
        #expect(merged.settings == CommunicationSettings(pingEnabled: false, pingRetries: 3))
        #expect(merged.channelConfig == ChannelOverrides(searchEnabled: true, keepSocketActive: true))
        #expect(answer.merging(ConfigurationUpdate()) == answer)
    }
}
