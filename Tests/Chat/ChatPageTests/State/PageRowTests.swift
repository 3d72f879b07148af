@testable import ChatCenterCore
@testable import ChatPage
import ChatWire
import Testing

/// Tests the JSON of rows: one literal for each field and each case. A change of a literal changes version 1 of the
/// protocol.
@Suite struct PageRowTests {
    private func json(_ change: (inout ChatScreenMessage) -> Void) -> String {
        Samples.json { $0.write(row: Samples.row("m-1", change)) }
    }

    private static let eva: ChatOperator = {
        var eva = Operator(id: "7", name: "Eva K.", alias: "Eva", gender: .female, role: .operator)
        eva.status = "online"
        eva.photoURL = "https://a.example/eva.png"
        return ChatOperator(eva)
    }()

    @Test func theSmallestRow() {
        #expect(json { _ in } == #"{"id":"m-1","author":{"kind":"system"},"kind":{"kind":"message"},"time":5}"#)
    }

    @Test func theLargestRow() {
        let row = json { row in
            row.text = "Hi <b>\u{2028}\"x\"\\"
            row.formattedText = "**Hi**"
            row.quoted = ["not sent"]
            row.quotes = [ChatScreenQuote(Content(.message, uuid: "q-1", text: "Quote"))]
            row.speech = ChatScreenMessage.Speech(status: "SUCCESS", text: "Spoken")
            row.previewLink = "https://example.com/"
            row.isCampaign = true
            row.isPersonalOffer = true
            row.isMasked = true
            row.isEdited = true
            row.isUnread = true
        }
        #expect(
            row == #"{"id":"m-1","author":{"kind":"system"},"kind":{"kind":"message"},"# + "\"text\":\"Hi <b>\u{2028}"
                + #"\"x\"\\","formatted":"**Hi**","quotes":[{"id":"q-1","text":"Quote","fileCount":0}],"#
                + #""speech":{"status":"SUCCESS","text":"Spoken"},"link":"https://example.com/","isCampaign":true,"#
                + #""isPersonalOffer":true,"isMasked":true,"time":5,"isEdited":true,"isUnread":true}"#)
    }

    @Test(arguments: [
        (ChatMessageState.queued, #"{"kind":"queued"}"#, #","actions":["delete"]"#),
        (.uploading, #"{"kind":"uploading"}"#, #","actions":["delete"]"#),
        (.sending, #"{"kind":"sending"}"#, ""),
        (.sent, #"{"kind":"sent"}"#, ""),
        (.delivered, #"{"kind":"delivered"}"#, ""),
        (.read, #"{"kind":"read"}"#, ""),
        (
            .failed(.expired), #"{"kind":"failed","text":"The message waited too long for a connection."}"#,
            #","actions":["retry","delete"]"#
        ),
    ])
    func ownMessages(state: ChatMessageState, expected: String, actions: String) {
        #expect(
            json { $0.author = .me(state) }
                == #"{"id":"m-1","author":{"kind":"me","state":\#(expected)},"kind":{"kind":"message"},"time":5\#(actions)}"#
        )
    }

    @Test func operators() {
        #expect(
            json { $0.author = .other(Self.eva) }
                == #"{"id":"m-1","author":{"kind":"other","operator":{"id":"7","name":"Eva","photo":"/images/25","#
                + #""status":"online","role":"operator","gender":"female"}},"kind":{"kind":"message"},"time":5}"#)
        var insecure = Operator(name: "Bot", role: .bot)
        insecure.photoURL = "http://a.example/bot.png"
        #expect(
            Samples.json { $0.object { $0.members(of: ChatOperator(insecure)) } }
                == #"{"name":"Bot","isBot":true,"role":"bot"}"#, "a picture without a path is not sent")
    }

    @Test(arguments: [
        (Operator.Role.operator, #"{"role":"operator"}"#), (.bot, #"{"isBot":true,"role":"bot"}"#),
        (.externalBot, #"{"isBot":true,"role":"externalBot"}"#), (.supervisor, #"{"role":"supervisor"}"#),
        (.system, #"{"role":"system"}"#), (.integration, #"{"role":"integration"}"#),
        (.other("JUDGE"), #"{"role":"JUDGE"}"#),
    ])
    func roles(role: Operator.Role, expected: String) {
        #expect(Samples.json { $0.object { $0.members(of: ChatOperator(Operator(role: role))) } } == expected)
        #expect(
            Samples.json { $0.object { $0.members(of: ChatOperator(Operator(gender: .male))) } }
                == #"{"gender":"male"}"#)
    }

    @Test(arguments: [
        (ChatScreenMessage.Kind.message, #"{"kind":"message"}"#), (.notice, #"{"kind":"notice"}"#),
        (.survey, #"{"kind":"survey"}"#), (.deleted, #"{"kind":"deleted"}"#),
        (.unsupported("MAP"), #"{"kind":"unsupported","name":"MAP"}"#),
    ])
    func kinds(kind: ChatScreenMessage.Kind, expected: String) {
        #expect(json { $0.kind = kind }.contains(#","kind":\#(expected),"time":5"#))
    }

    @Test(arguments: [
        (ChatScreenMessage.File.State.pending, #"{"kind":"pending"}"#),
        (.uploading(3, of: nil), #"{"kind":"uploading","sent":3}"#),
        (.uploading(3, of: 9), #"{"kind":"uploading","sent":3,"total":9}"#),
        (.ready, #"{"kind":"ready"}"#),
        (.failed(code: nil, message: nil), #"{"kind":"failed","text":"E"}"#),
        (.failed(code: "VIRUS", message: "Infected"), #"{"kind":"failed","code":"VIRUS","text":"Infected"}"#),
        (.expired, #"{"kind":"expired"}"#),
    ])
    func fileStates(state: ChatScreenMessage.File.State, expected: String) {
        let row = json { row in
            var file = ChatScreenMessage.File(Attachment(name: "a.ogg", type: "audio/ogg", size: 12))
            (file.state, file.error, file.reference, file.voice) = (state, "E", nil, nil)
            row.files = [file]
        }
        #expect(row.contains(#","files":[{"name":"a.ogg","type":"audio/ogg","size":12,"state":\#(expected)}],"#))
    }

    @Test func theReferenceOfAFileIsNotSent() {
        var file = ChatScreenMessage.File(Attachment(result: "secret-id", name: "a.ogg"))
        file.voice = ChatScreenMessage.File.Voice(durationMilliseconds: 1500)
        var silent = file
        silent.voice = ChatScreenMessage.File.Voice(durationMilliseconds: nil)
        let row = json { $0.files = [file, silent] }
        #expect(
            row.contains(
                #""files":[{"has":true,"name":"a.ogg","state":{"kind":"ready"},"voice":{"ms":1500}},"#
                    + #"{"has":true,"name":"a.ogg","state":{"kind":"ready"},"voice":{}}]"#))
        #expect(!row.contains("secret-id"))
    }

    @Test func quotes() {
        var campaign = Content(
            .message, operator: Operator(name: "Eva", role: .operator), attachments: [Attachment(name: "a")])
        campaign.massPushMessage = true
        #expect(
            json { $0.quotes = [ChatScreenQuote(campaign)] }.contains(
                #""quotes":[{"author":{"name":"Eva","role":"operator"},"fileCount":1,"isCampaign":true}],"#))
        #expect(json { $0.quoted = ["A", "B"] }.contains(#""quoted":["A","B"],"#))
    }

    @Test func buttonsAreNamedByTheirIndexWithoutTheirPayload() {
        let row = json { row in
            row.buttons = [
                ChatScreenMessage.Button(text: "Yes", url: nil, id: nil, imageURL: nil, payload: "secret"),
                ChatScreenMessage.Button(
                    text: "Map", url: "https://m.example", id: "b", imageURL: "https://m.example/i", payload: nil),
            ]
        }
        #expect(
            row.contains(
                #""buttons":[{"text":"Yes","index":0},{"text":"Map","url":"https://m.example","id":"b","#
                    + #""image":"/images/19","index":1}],"#))
        #expect(!row.contains("secret"))
    }

    @Test(arguments: [
        (ChatNotice.operatorJoined(PageRowTests.eva), "operatorJoined"), (.operatorLeft(nil), "operatorLeft"),
        (.lookingForOperator, "lookingForOperator"), (.threadOpened, "threadOpened"),
        (.threadInProgress, "threadInProgress"), (.threadClosed, "threadClosed"), (.threadEnqueued, "threadEnqueued"),
        (.threadWillBeReassigned, "threadWillBeReassigned"), (.averageWaitTime, "averageWaitTime"),
        (.partingAfterSurvey, "partingAfterSurvey"), (.clientBlocked, "clientBlocked"),
        (.clientUnblocked, "clientUnblocked"), (.personalDataProcessing, "personalDataProcessing"),
    ])
    func notices(notice: ChatNotice, name: String) {
        let other =
            notice == .operatorJoined(Self.eva)
            ? #","operator":{"id":"7","name":"Eva","photo":"/images/25","status":"online","role":"operator","gender":"female"}"#
            : ""
        #expect(json { $0.notice = notice }.contains(#","notice":{"kind":"\#(name)"\#(other)},"time":5"#))
    }

    @Test(arguments: [
        (
            SendFailure.refused(ServerRefusal(code: "NO", details: "a\u{202E}b")),
            #"The server refused the message: NO (a\\u{202e}b)"#
        ),
        (.timedOut, "The server did not confirm the message in time. The message may have arrived."),
        (.lost(tries: 3), "The message was sent 3 times and did not arrive."),
        (.upload(TransportFailure(.noConnectivity)), "A file could not be uploaded. There is no network."),
    ])
    func failures(failure: SendFailure, sentence: String) {
        #expect(
            Samples.json { $0.write(ChatMessageState.failed(failure)) } == #"{"kind":"failed","text":"\#(sentence)"}"#)
    }
}
