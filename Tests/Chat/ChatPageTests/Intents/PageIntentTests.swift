@testable import ChatCenterCore
@testable import ChatPage
import Testing

/// Tests the reader of intents: one literal for each intent and each error. A change of a literal changes version 1 of
/// the protocol.
@Suite struct PageIntentTests {
    private static let uuid = "3f2a1c9e-0d4b-4a7e-9b1f-2c5d8e7f6a01"

    private func read(_ json: String, limits: PageProtocolLimits = PageProtocolLimits()) -> Result<
        PageIntent, PageProtocolError
    > {
        var session = Samples.session(limits: limits)
        do throws(PageProtocolError) {
            guard case .perform(1, let intent) = try session.receive(Array(json.utf8), from: "client-1") else {
                return .failure(PageProtocolError(.malformed, reason: "not performed"))
            }
            return .success(intent)
        } catch {
            return .failure(error)
        }
    }

    private func frame(_ fields: String) -> String {
        #"{"v":1,"session":"visitor","client":"client-1","to":1,"intent":\#(fields)}"#
    }

    static let samples: [(String, PageIntent)] = [
        (#""send","id":"\#(uuid)","text":"Hi \u0041\ud83d\ude00""#, .send(id: MessageID(uuid), text: "Hi A😀")),
        (
            #""press","id":"\#(uuid)","message":"o-1","index":2"#,
            .press(id: MessageID(uuid), message: MessageID("o-1"), index: 2)
        ),
        (#""retry","message":"m-1""#, .retry(message: MessageID("m-1"))),
        (#""delete","message":"m-1""#, .delete(message: MessageID("m-1"))),
        (#""typed","text":"" "#, .typed(text: "")),
        (#""quote","message":"o-1""#, .quote(message: MessageID("o-1"))),
        (#""quote","message":null"#, .quote(message: nil)),
        (#""loadOlder""#, .loadOlder),
        (#""rate","survey":"s","question":1,"rate":-5"#, .rate(survey: MessageID("s"), question: 1, rate: -5)),
        (#""comment","survey":"s","text":"Well""#, .comment(survey: MessageID("s"), text: "Well")),
        (#""submit","survey":"s""#, .submit(survey: MessageID("s"))),
        (#""closeThread","request":"r""#, .closeThread(request: MessageID("r"))),
        (#""reopenThread","request":"r""#, .reopenThread(request: MessageID("r"))),
        (#""search","text":"hi""#, .search(text: "hi")),
        (#""searchMore""#, .searchMore),
        (#""showContext","message":"m-1""#, .showContext(message: MessageID("m-1"))),
        (#""loadOlderContext""#, .loadOlderContext),
        (#""loadNewerContext""#, .loadNewerContext),
        (#""closeContext""#, .closeContext),
        (#""reload""#, .reload),
        (#""appeared""#, .appeared),
        (#""disappeared""#, .disappeared),
        (#""cancelUpload","message":"m-1""#, .cancelUpload(message: MessageID("m-1"))),
        (#""opened","url":"https://example.com/""#, .opened(url: "https://example.com/")),
    ]

    @Test(arguments: samples)
    func intents(fields: String, intent: PageIntent) {
        #expect(read(frame(fields)) == .success(intent))
        #expect(fields.hasPrefix("\"\(intent.name)\""))
        let written = intent.frame(session: "visitor", client: "client-1", number: 1)
        #expect(read(String(decoding: written, as: UTF8.self)) == .success(intent))
    }

    @Test func numbersThatJavaScriptWouldRoundCanBeTexts() {
        let intent = PageIntent.rate(survey: MessageID("s"), question: 9_007_199_254_740_993, rate: .min)
        #expect(
            read(frame(#""rate","survey":"s","question":"9007199254740993","rate":"-9223372036854775808""#))
                == .success(intent))
        let written = intent.frame(session: "visitor", client: "client-1", number: 1)
        #expect(read(String(decoding: written, as: UTF8.self)) == .success(intent))
    }

    @Test func unknownFieldsAreIgnored() {
        #expect(read(frame(#""loadOlder","later":[{"a":[1,true,null]},"x"],"text":7"#)) == .success(.loadOlder))
    }

    @Test(
        arguments: [
            ("", PageProtocolError.Code.malformed, nil), ("[]", .malformed, nil), ("7", .malformed, nil),
            ("{", .malformed, nil), (#"{"v":1}x"#, .malformed, nil), (#"{"v":01}"#, .malformed, nil),
            (#"{"v":1,"v":1}"#, .malformed, nil), ("{\"v\":\"\u{1}\"}", .malformed, nil),
            (#"{"v":"\ud800"}"#, .malformed, nil), (#"{"v":1,}"#, .malformed, nil),
            ("{}", .missingField, "v"), (#"{"v":2}"#, .unknownVersion, "v"), (#"{"v":"1"}"#, .unknownVersion, "v"),
            (#"{"v":null}"#, .unknownVersion, "v"), (#"{"v":1.0}"#, .unknownVersion, "v"),
            (#"{"v":1}"#, .missingField, "session"), (#"{"v":1,"session":1}"#, .invalidField, "session"),
            (#"{"v":1,"session":"visitor"}"#, .missingField, "client"),
            (#"{"v":1,"session":"visitor","client":"short"}"#, .invalidField, "client"),
            (#"{"v":1,"session":"visitor","client":"client 1"}"#, .invalidField, "client"),
            (#"{"v":1,"session":"visitor","client":"client-1"}"#, .missingField, "to"),
            (#"{"v":1,"session":"visitor","client":"client-1","to":0}"#, .invalidField, "to"),
            (#"{"v":1,"session":"visitor","client":"client-1","to":-1}"#, .invalidField, "to"),
            (#"{"v":1,"session":"visitor","client":"client-1","to":1.5}"#, .invalidField, "to"),
            (#"{"v":1,"session":"visitor","client":"client-1","to":"1"}"#, .invalidField, "to"),
            (#"{"v":1,"session":"visitor","client":"client-1","to":9007199254740992}"#, .invalidField, "to"),
            (#"{"v":1,"session":"visitor","client":"client-1","to":1e999}"#, .invalidField, "to"),
            (#"{"v":1,"session":"visitor","client":"client-1","to":1}"#, .missingField, "intent"),
            (#"{"v":1,"session":"other","client":"client-1","to":1,"intent":"reload"}"#, .wrongSession, nil),
        ] as [(String, PageProtocolError.Code, String?)])
    func heads(json: String, code: PageProtocolError.Code, field: String?) {
        guard case .failure(let error) = read(json) else {
            Issue.record("\(json) was accepted")
            return
        }
        #expect(error.code == code && error.field == field, "\(error)")
        #expect(error.answer == nil, "the number is not used up")
    }

    @Test(arguments: [
        (#""dance""#, PageProtocolError.Code.unknownIntent, "intent"), (#""Send""#, .unknownIntent, "intent"),
        (#""send","text":"Hi""#, .missingField, "id"), (#""send","id":"\#(uuid)""#, .missingField, "text"),
        (#""send","id":"\#(uuid)","text":null"#, .invalidField, "text"),
        (#""send","id":"3F2A1C9E-0D4B-4A7E-9B1F-2C5D8E7F6A01","text":"Hi""#, .invalidField, "id"),
        (#""send","id":"3f2a1c9e0d4b4a7e9b1f2c5d8e7f6a01","text":"Hi""#, .invalidField, "id"),
        (#""send","id":"","text":"Hi""#, .invalidField, "id"),
        (#""press","id":"\#(uuid)","message":"o","index":-1"#, .invalidField, "index"),
        (#""press","id":"\#(uuid)","message":"o","index":1000"#, .invalidField, "index"),
        (#""press","id":"\#(uuid)","message":"o","index":1.5"#, .invalidField, "index"),
        (#""press","id":"\#(uuid)","index":1"#, .missingField, "message"),
        (#""retry","message":"" "#, .invalidField, "message"), (#""retry""#, .missingField, "message"),
        (#""delete","message":["m"]"#, .invalidField, "message"), (#""quote""#, .missingField, "message"),
        (#""quote","message":false"#, .invalidField, "message"), (#""quote","message":"" "#, .invalidField, "message"),
        (#""rate","survey":"s","question":1"#, .missingField, "rate"),
        (#""rate","survey":"s","question":9223372036854775808,"rate":1"#, .invalidField, "question"),
        (#""rate","survey":"s","question":1,"rate":true"#, .invalidField, "rate"),
        (#""opened","url":"" "#, .invalidField, "url"), (#""opened","url":"https://a b""#, .invalidField, "url"),
        (#""opened","url":"https://a\n""#, .invalidField, "url"),
    ])
    func fields(fields: String, code: PageProtocolError.Code, field: String) {
        guard case .failure(let error) = read(frame(fields)) else {
            Issue.record("\(fields) was accepted")
            return
        }
        #expect(error.code == code && error.field == field, "\(error)")
        #expect(error.answer != nil && error.number == 1)
    }

    @Test func limits() {
        let longID = String(repeating: "i", count: PageIntent.longestID)
        #expect(read(frame(#""retry","message":"\#(longID)""#)) == .success(.retry(message: MessageID(longID))))
        #expect(code(frame(#""retry","message":"\#(longID)i""#)) == .invalidField)
        let path = String(repeating: "p", count: PageIntent.longestURL)
        #expect(code(frame(#""opened","url":"\#(path)""#)) == nil)
        #expect(code(frame(#""opened","url":"\#(path)p""#)) == .invalidField)

        let shortest = frame(#""typed","text":"t""#)
        let text = String(repeating: "t", count: (64 << 10) - shortest.utf8.count + 1)
        #expect(read(frame(#""typed","text":"\#(text)""#)) == .success(.typed(text: text)))
        #expect(code(frame(#""typed","text":"\#(text)t""#)) == .tooLarge)

        func nested(_ depth: Int) -> String {
            frame(#""reload","x":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        }
        #expect(code(nested(7)) == nil)
        #expect(code(nested(8)) == .tooDeep)
        #expect(code(nested(30_000)) == .tooDeep)
        func many(_ count: Int) -> String {
            frame(#""reload","x":["# + String(repeating: "1,", count: count) + "1]")
        }
        #expect(code(many(200)) == nil)
        #expect(code(many(300)) == .tooLarge)
    }

    private func code(_ json: String) -> PageProtocolError.Code? {
        if case .failure(let error) = read(json) { error.code } else { nil }
    }

    @Test func errorsDoNotRepeatThePagesText() {
        for json in [frame(#""<script>""#), frame(#""retry","message":7,"<script>":1"#), "{\"<script>"] {
            guard case .failure(let error) = read(json) else {
                Issue.record("\(json) was accepted")
                continue
            }
            #expect(!error.reason.isEmpty && !"\(error)".contains("<script>"))
        }
    }

    // MARK: Forms

    @Test func formsHaveTheSameIntents() throws {
        #expect(
            try PageIntent(name: "send", form: ["id": Self.uuid, "text": "Hi", "form": "token"])
                == .send(id: MessageID(Self.uuid), text: "Hi"))
        #expect(
            try PageIntent(name: "rate", form: ["survey": "s", "question": "1", "rate": "5"])
                == .rate(survey: MessageID("s"), question: 1, rate: 5))
        #expect(try PageIntent(name: "quote", form: ["message": ""]) == .quote(message: nil))
        #expect(try PageIntent(name: "quote", form: [:]) == .quote(message: nil))
        #expect(try PageIntent(name: "quote", form: ["message": "m"]) == .quote(message: MessageID("m")))
        #expect(throws: PageProtocolError.missing("text")) { try PageIntent(name: "send", form: ["id": Self.uuid]) }
        #expect(throws: PageProtocolError.self) {
            try PageIntent(name: "rate", form: ["survey": "s", "question": "one"])
        }
    }

    // MARK: Mutations

    @Test func randomChangesNeverTrap() {
        var mutator = PageMutator(seed: 7)
        var accepted = 0
        var codes: Set<PageProtocolError.Code> = []
        let frames = Self.samples.map { Array(frame($0.0).utf8) }
        for round in 0..<1000 {
            let bytes = mutator.mutate(frames[round % frames.count], head: frame("").utf8.count)
            var session = Samples.session()
            do throws(PageProtocolError) {
                _ = try session.receive(bytes, from: "client-1")
                accepted += 1
            } catch {
                codes.insert(error.code)
                #expect(!error.reason.isEmpty)
            }
        }
        #expect(accepted > 0, "\(accepted)")
        #expect(codes.isSuperset(of: [.malformed, .missingField, .invalidField, .unknownIntent, .wrongSession]))
    }
}
