import ChatServerCore
import ChatWire
import HoldfastSystem
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import ChatDevServer

@Suite("Scripts: reading")
struct ScriptReaderTests {
    private func script(_ steps: String) -> String { #"{ "holdfastScript": 1, "steps": [ \#(steps) ] }"# }

    private func read(_ text: String) throws(ChatScriptError) -> [ScriptStep] {
        try ChatServerScript(json: Array(text.utf8)).script.steps
    }

    /// Returns the actions of a step that starts with the script.
    private func actions(_ text: String) throws(ChatScriptError) -> [ScriptAction] {
        try read(script(#"{ "on": "start", "do": \#(text) }"#)).flatMap(\.actions)
    }

    @Test("A step has an event, conditions, a delay and a number of times")
    func step() throws {
        let steps = try read(
            script(
                #"""
                { "comment": "one", "on": "message", "contains": "help", "client": "alice", "count": 3, "after": 250,
                  "times": 2, "do": [ { "action": "type" }, { "action": "say", "text": "Hi", "client": "*" } ] },
                { "on": "frame", "frame": "CLIENT_INFO", "times": "always", "do": { "action": "cut" } },
                { "on": "call", "call": "upload", "do": [] }
                """#))
        #expect(
            steps == [
                ScriptStep(
                    ScriptTrigger(.message, text: "help", clientID: "alice", count: 3), delay: 250_000_000, times: 2,
                    actions: [.act(.types, .trigger), .act(.writes(Content(.message, text: "Hi")), .everyone)]),
                ScriptStep(ScriptTrigger(.frame, name: "CLIENT_INFO"), times: nil, actions: [.cut(.trigger)]),
                ScriptStep(ScriptTrigger(.call, name: "upload"), actions: []),
            ])
    }

    static let conversation: [(String, OperatorAction)] = [
        (
            #"{"action":"say","text":"a","uuid":"u","operator":{"name":"Ada","role":"OPERATOR"},"#
                + #""settings":{"blockInput":true}}"#,
            .writes(
                Content(
                    .message, uuid: "u", operator: Operator(name: "Ada", role: .operator), text: "a",
                    settings: MessageSettings(blockInput: true)))
        ),
        (
            #"{"action":"say","quickReplies":[{"text":"Yes"}],"attachments":[{"result":"f","state":"READY"}]}"#,
            .writes(
                Content(
                    .message, attachments: [Attachment(result: "f", state: .ready)],
                    quickReplies: [QuickReply(type: nil, text: "Yes")]))
        ),
        (#"{"action":"type"}"#, .types),
        (#"{"action":"receive"}"#, .receives),
        (#"{"action":"read"}"#, .reads),
        (#"{"action":"edit","text":"b"}"#, .edits(message: "lastOfOperator", text: "b")),
        (#"{"action":"edit","message":"m1","text":"b"}"#, .edits(message: "m1", text: "b")),
        (#"{"action":"delete"}"#, .deletes(message: "lastOfOperator")),
        (
            #"{"action":"files","attachments":[{"result":"f"}]}"#,
            .updatesAttachments(message: "lastOfClient", [Attachment(result: "f")])
        ),
        (
            #"{"action":"transcribe","status":"READY","text":"hm"}"#,
            .transcribes(message: "lastOfClient", status: "READY", text: "hm")
        ),
        (#"{"action":"join","operator":{"name":"Ada"}}"#, .joins(Operator(name: "Ada"))),
        (#"{"action":"leave"}"#, .leaves),
        (#"{"action":"announce","notice":"THREAD_ENQUEUED","text":"Wait"}"#, .announces(.enqueued, text: "Wait")),
        (#"{"action":"requestClose","hideAfter":9999999999999}"#, .requestsClose(hideAfter: 9_999_999_999_999)),
        (
            #"{"action":"survey","buttons":true,"survey":{"id":1,"questions":["#
                + #"{"id":2,"buttons":[{"text":"A","value":"1"}]}]}}"#,
            .surveys(
                Survey(id: 1, questions: [SurveyQuestion(id: 2, buttons: [.init(text: "A", value: "1")])]),
                asButtons: true)
        ),
        (#"{"action":"closeThread"}"#, .closesThread),
        (#"{"action":"block","text":"x"}"#, .blocks(text: "x")),
        (#"{"action":"unblock"}"#, .unblocks(text: nil)),
        (#"{"action":"personalData","text":"x"}"#, .informsOfProcessing(text: "x")),
        (
            #"{"action":"push","content":{"type":"NOVEL","a":[1.5]},"keep":false}"#,
            .pushes(
                Content(.object(["type": "NOVEL", "a": .array([(try? JSONValue(parsing: "1.5")) ?? .null])])),
                isKept: false)
        ),
    ]

    @Test("Every action of a conversation", arguments: 0..<20)
    func conversations(_ index: Int) throws {
        let (text, action) = Self.conversation[index]
        #expect(try actions(text) == [.act(action, .trigger)])
        // For one client, or for all of them, if an action may have a target.
        let named = text.dropLast() + #","client":"bob"}"#
        #expect(try actions(String(named)) == [.act(action, .client("bob"))])
    }

    static let others: [(String, ScriptAction)] = [
        (
            #"{"action":"schedule","schedule":{"active":false,"intervals":[{"weekDay":1,"startTime":0,"endTime":5}]}}"#,
            .settings(
                .schedule(Schedule(active: false, intervals: [.init(weekDay: 1, startTime: 0, endTime: 5)])))
        ),
        (
            #"{"action":"attachmentSettings","settings":{"maxSize":1,"fileExtensions":["txt"]}}"#,
            .settings(.attachments(AttachmentSettings(maxSize: 1, fileExtensions: ["txt"])))
        ),
        (
            #"{"action":"settings","channelConfig":{"keepSocketActive":true}}"#,
            .settings(.update(ConfigurationUpdate(channelConfig: ChannelOverrides(keepSocketActive: true))))
        ),
        (#"{"action":"tokens","valid":["a"],"expired":["b"]}"#, .access(.tokens(valid: ["a"], expired: ["b"]))),
        (#"{"action":"tokens","anyone":true}"#, .access(.anyone)),
        (#"{"action":"identity","scenario":"otherAuthority"}"#, .identity("otherAuthority")),
        (
            #"{"action":"network","latency":300,"loss":10,"duplicates":5}"#,
            .network(NetworkConditions(latency: 300_000_000, lossPercent: 10, duplicatePercent: 5))
        ),
        (#"{"action":"network"}"#, .network(.perfect)),
        (#"{"action":"close","code":1013,"reason":"later"}"#, .close(code: 1_013, reason: "later", .trigger)),
        (#"{"action":"close","code":4000,"client":"*"}"#, .close(code: 4_000, reason: "", .everyone)),
        (#"{"action":"cut","client":"bob"}"#, .cut(.client("bob"))),
        (#"{"action":"fault","fault":"lose","frame":"MESSAGE"}"#, .plan(.lose(action: "MESSAGE"), times: 1)),
        (
            #"{"action":"fault","fault":"withhold","frame":"registerDevice","times":3}"#,
            .plan(.withhold(action: "registerDevice"), times: 3)
        ),
        (
            #"{"action":"fault","fault":"fail","frame":"sendMessage","error":"UNAUTHORIZED","details":"expired"}"#,
            .plan(.fail(action: "sendMessage", .tokenExpired), times: 1)
        ),
        (
            #"{"action":"fault","fault":"delay","frame":"sendMessage","milliseconds":1500}"#,
            .plan(.delayReply(action: "sendMessage", nanoseconds: 1_500_000_000), times: 1)
        ),
        (#"{"action":"fault","fault":"repeatReply","frame":"ping"}"#, .plan(.repeatReply(action: "ping"), times: 1)),
        (
            #"{"action":"fault","fault":"cutBeforeReply","frame":"sendMessage"}"#,
            .plan(.cutBeforeReply(action: "sendMessage"), times: 1)
        ),
        (#"{"action":"fault","fault":"cut","afterFrames":7}"#, .plan(.cut(afterFrames: 7), times: 1)),
        (#"{"action":"fault","fault":"repeatPush"}"#, .plan(.repeatPush, times: 1)),
        (#"{"action":"fault","fault":"losePush"}"#, .plan(.losePush, times: 1)),
        (#"{"action":"fault","fault":"swapPushes"}"#, .plan(.swapPushes, times: 1)),
        (#"{"action":"fault","fault":"ignoreUpgrade"}"#, .plan(.ignoreUpgrade, times: 1)),
        (
            #"{"action":"fault","fault":"refuseUpgrade","status":503,"error":"busy","retryAfter":7}"#,
            .plan(.refuseUpgrade(UpgradeRefusal(status: 503, ErrorAnswer("busy"), retryAfter: 7)), times: 1)
        ),
        (
            #"{"action":"fault","fault":"failCall","call":"history","status":500}"#,
            .plan(.refuseCall(.history, status: 500, ErrorAnswer("script"), retryAfter: nil), times: 1)
        ),
        (
            #"{"action":"fault","fault":"delayCall","milliseconds":10}"#,
            .plan(.delayCall(nil, nanoseconds: 10_000_000), times: 1)
        ),
    ]

    @Test("All other actions", arguments: 0..<25)
    func rest(_ index: Int) throws {
        let (text, action) = Self.others[index]
        #expect(try actions(text) == [action])
    }

    @Test("The tests above contain all actions and all faults")
    func complete() {
        let texts = (Self.conversation.map(\.0) + Self.others.map(\.0)).joined()
        for name in ScriptActionName.allCases { #expect(texts.contains(#""action":"\#(name.rawValue)""#), "\(name)") }
        for name in ScriptFaultName.allCases { #expect(texts.contains(#""fault":"\#(name.rawValue)""#), "\(name)") }
    }

    struct Mistake {
        var text: String
        var code: ScriptProblem.Code
        var path: String
        var column: Int
    }

    static let mistakes: [Mistake] = [
        Mistake(text: "{", code: .json, path: "", column: 2),
        Mistake(text: "[]", code: .wrongType, path: "", column: 1),
        Mistake(text: #"{"steps":[]}"#, code: .version, path: "", column: 1),
        Mistake(text: #"{"holdfastScript":2,"steps":[]}"#, code: .version, path: "holdfastScript", column: 19),
        Mistake(text: #"{"holdfastScript":1}"#, code: .missingKey, path: "", column: 1),
        Mistake(text: #"{"holdfastScript":1,"steps":{}}"#, code: .wrongType, path: "steps", column: 29),
        Mistake(text: #"{"holdfastScript":1,"steps":[],"stpes":[]}"#, code: .unknownKey, path: "", column: 32),
        Mistake(text: #"{"holdfastScript":1,"steps":[7]}"#, code: .wrongType, path: "steps[0]", column: 30),
        Mistake(text: #"{"holdfastScript":1,"steps":[{"do":[]}]}"#, code: .missingKey, path: "steps[0]", column: 30),
        Mistake(
            text: #"{"holdfastScript":1,"steps":[{"on":"start"}]}"#, code: .missingKey, path: "steps[0]", column: 30),
        Mistake(
            text: #"{"holdfastScript":1,"steps":[{"on":"starts","do":[]}]}"#, code: .invalidValue, path: "steps[0].on",
            column: 36),
        // A key of another kind of event would have no effect.
        Mistake(
            text: #"{"holdfastScript":1,"steps":[{"on":"start","count":2,"do":[]}]}"#, code: .unknownKey,
            path: "steps[0]",
            column: 44),
        Mistake(
            text: #"{"holdfastScript":1,"steps":[{"on":"ready","count":0,"do":[]}]}"#, code: .invalidValue,
            path: "steps[0].count", column: 52),
        Mistake(
            text: #"{"holdfastScript":1,"steps":[{"on":"ready","after":-1,"do":[]}]}"#, code: .invalidValue,
            path: "steps[0].after", column: 52),
        Mistake(
            text: #"{"holdfastScript":1,"steps":[{"on":"ready","after":1.5,"do":[]}]}"#, code: .wrongType,
            path: "steps[0].after", column: 52),
        Mistake(
            text: #"{"holdfastScript":1,"steps":[{"on":"ready","times":"ever","do":[]}]}"#, code: .wrongType,
            path: "steps[0].times", column: 52),
        Mistake(
            text: #"{"holdfastScript":1,"steps":[{"on":"frame","frame":"registerdevice","do":[]}]}"#,
            code: .invalidValue, path: "steps[0].frame", column: 52),
    ]

    @Test("Each mistake in a script is reported with its position", arguments: 0..<17)
    func mistakes(_ index: Int) {
        let mistake = Self.mistakes[index]
        let error = #expect(throws: ChatScriptError.self) { try read(mistake.text) }
        let problem = error?.problems.first
        #expect(problem?.code == mistake.code)
        #expect(problem?.path == mistake.path)
        #expect(problem?.line == 1)
        #expect(problem?.column == mistake.column)
        #expect(error?.problems.count == 1)
    }

    static let badActions: [(String, ScriptProblem.Code, String)] = [
        (#"{}"#, .missingKey, ""),
        (#"{"action":"sing"}"#, .invalidValue, ".action"),
        (#"{"action":"type","text":"a"}"#, .unknownKey, ""),
        (#"{"action":"say","txt":"a"}"#, .unknownKey, ""),
        (#"{"action":"say","text":7}"#, .wrongType, ".text"),
        (#"{"action":"say","text":"a","quickReplies":[7]}"#, .wrongType, ".quickReplies"),
        (#"{"action":"say","text":"a","quickReplies":[{"txt":"a"}]}"#, .invalidValue, ".quickReplies[0]"),
        (#"{"action":"say","text":"a","attachments":[{"size":"big"}]}"#, .invalidValue, ".attachments[0]"),
        (#"{"action":"say","text":"a","operator":{"nmae":"Ada"}}"#, .invalidValue, ".operator"),
        (#"{"action":"say","text":"a","settings":{"blockInput":7}}"#, .invalidValue, ".settings"),
        (#"{"action":"edit"}"#, .missingKey, ""),
        (#"{"action":"files"}"#, .missingKey, ""),
        (#"{"action":"join","operator":"Ada"}"#, .wrongType, ".operator"),
        (#"{"action":"announce","notice":"THREAD_LOST"}"#, .invalidValue, ".notice"),
        (#"{"action":"survey"}"#, .missingKey, ""),
        (#"{"action":"survey","survey":{"questions":[{"id":1,"texxt":"?"}]}}"#, .invalidValue, ".survey.questions[0]"),
        (#"{"action":"survey","survey":{"questions":[{"id":1},5]}}"#, .invalidValue, ".survey.questions"),
        (#"{"action":"survey","survey":[]}"#, .wrongType, ".survey"),
        (#"{"action":"requestClose","hideAfter":-1}"#, .invalidValue, ".hideAfter"),
        (#"{"action":"push","content":{}}"#, .missingKey, ".content"),
        (#"{"action":"push","content":7}"#, .wrongType, ".content"),
        (#"{"action":"schedule","schedule":{"open":true}}"#, .invalidValue, ".schedule"),
        (
            #"{"action":"schedule","schedule":{"intervals":[{"weekDay":8,"startTime":0,"endTime":1}]}}"#, .invalidValue,
            ".schedule"
        ),
        (#"{"action":"settings","channelConfig":{"searchEnable":true}}"#, .invalidValue, ".channelConfig"),
        (#"{"action":"settings","settings":7}"#, .wrongType, ".settings"),
        (#"{"action":"tokens"}"#, .invalidValue, ""),
        (#"{"action":"tokens","anyone":true,"valid":[]}"#, .invalidValue, ""),
        (#"{"action":"tokens","valid":[7]}"#, .wrongType, ".valid[0]"),
        (#"{"action":"identity","scenario":"forged"}"#, .invalidValue, ".scenario"),
        (#"{"action":"network","loss":101}"#, .invalidValue, ".loss"),
        (#"{"action":"close"}"#, .missingKey, ""),
        (#"{"action":"close","code":1006}"#, .invalidValue, ".code"),
        (#"{"action":"close","code":2000}"#, .invalidValue, ".code"),
        (#"{"action":"fault"}"#, .missingKey, ""),
        (#"{"action":"fault","fault":"lose"}"#, .missingKey, ""),
        (#"{"action":"fault","fault":"repeatPush","frame":"ping"}"#, .unknownKey, ""),
        (#"{"action":"fault","fault":"failCall","status":200}"#, .invalidValue, ".status"),
        (#"{"action":"fault","fault":"delayCall","milliseconds":86400001}"#, .invalidValue, ".milliseconds"),
        (#"{"action":"fault","fault":"losePush","times":1001}"#, .invalidValue, ".times"),
    ]

    @Test("Each mistake in an action is reported with its position", arguments: 0..<39)
    func actionMistakes(_ index: Int) {
        let (text, code, path) = Self.badActions[index]
        let error = #expect(throws: ChatScriptError.self, "\(text)") { try actions(text) }
        #expect(error?.problems.first?.code == code, "\(text): \(error?.description ?? "")")
        let paths = error?.problems.map(\.path) ?? []
        #expect(paths.last == "steps[0].do" + path, "\(text)")
        // An invalid element is reported together with its container.
        #expect(paths.allSatisfy { "steps[0].do\(path)".hasPrefix($0) }, "\(text): \(paths)")
        #expect(paths.count <= 2, "\(text): \(paths)")
    }

    @Test("All mistakes are reported, up to a hundred, each with its line")
    func everyMistake() {
        let lines = (0..<150).map { _ in #"{ "on": "nothing", "do": [] }"# }
        let error = #expect(throws: ChatScriptError.self) {
            try read(script(lines.joined(separator: ",\n")))
        }
        #expect(error?.problems.count == 100)
        #expect(error?.problems.map(\.line) == Array(1...100))
        #expect(error?.description.contains("and 99 more") == true)
    }

    @Test("Steps, actions and bytes of a script are limited")
    func limits() {
        let step = #"{ "on": "start", "do": [] }"#
        let steps = Array(repeating: step, count: 1_001).joined(separator: ",")
        #expect(throws: ChatScriptError.self) { try read(script(steps)) }
        let actions = Array(repeating: #"{"action":"type"}"#, count: 101).joined(separator: ",")
        #expect(throws: ChatScriptError.self) { try self.actions("[\(actions)]") }
        let error = #expect(throws: ChatScriptError.self) {
            try ChatServerScript(json: Array(repeating: 0x20, count: ChatServerScript.maximumBytes + 1))
        }
        #expect(error?.problems.first?.code == .tooMany)
        #expect(throws: ChatScriptError.self) { try ChatServerScript(file: "/no/such/file") }
    }

    @Test("The schema names the same actions, faults and events as the reader")
    func schema() throws {
        let bytes = try RegularFile.read(
            Repository.path("docs/schema/holdfast-chat-script-1.schema.json"), limit: 1 << 20)
        let schema = try JSONReader.read(bytes)
        var strings: Set<String> = []
        func collect(_ node: JSONNode) {
            switch node.value {
            case .string(let text): strings.insert(text)
            case .array(let elements): elements.forEach(collect)
            case .object(let members): members.forEach { collect($0.value) }
            default: break
            }
        }
        collect(schema)
        let names =
            ScriptActionName.allCases.map(\.rawValue) + ScriptFaultName.allCases.map(\.rawValue)
            + ScriptTrigger.Kind.allCases.map(\.rawValue) + CertificateScenario.allCases.map(\.rawValue)
            + ThreadNotice.allCases.map(\.rawValue) + CallName.allCases.map(\.rawValue) + ScriptReader.frameNames
        for name in names { #expect(strings.contains(name), "\(name)") }
    }
}
