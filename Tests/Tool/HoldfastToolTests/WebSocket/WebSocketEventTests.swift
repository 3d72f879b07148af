import HoldfastWebSocket
import Testing

@testable import HoldfastTool

/// The format of events: for a person, and as JSON byte for byte.
@Suite("Tool: ws, events") struct WebSocketEventTests {
    private static let facts = WebSocketFacts(
        address: "192.0.2.1:443", tlsVersion: "TLSv1.3", cipherSuite: "TLS_AES_128_GCM_SHA256", finding: "pinMatched",
        subprotocol: "chat", usesDeflate: true)

    private static func end(
        _ code: UInt16, _ reason: String = "", _ initiator: WebSocketClosure.Initiator = .remote, isClean: Bool = true,
        error: WebSocketError? = nil, missing: Int = 0, wasAsked: Bool = false
    ) throws -> WebSocketEnd {
        let code = try #require(WebSocketCloseCode(rawValue: code))
        return WebSocketEnd(
            WebSocketClosure(code: code, reason: reason, initiator: initiator, isClean: isClean), error: error,
            received: 2, missing: missing, wasAsked: wasAsked)
    }

    @Test func json() throws {
        let lost = WebSocketError(.connectionLost, "The connection ended without a close frame.")
        var refused = WebSocketFailure(code: "upgradeRefused", reason: "No.", status: .failure)
        refused.answer = WebSocketFailure.Answer(
            status: 401, fields: [.init(name: "WWW-Authenticate", value: "Bearer")], body: "no")
        refused.remedy = "try"
        let rows: [(WebSocketEvent, String)] = [
            (
                .connected(Self.facts),
                #""event":"connected","atMicros":1500,"address":"192.0.2.1:443","tlsVersion":"TLSv1.3","#
                    + #""cipherSuite":"TLS_AES_128_GCM_SHA256","finding":"pinMatched","#
                    + #""subprotocol":"chat","deflate":true"#
            ),
            (
                .connected(WebSocketFacts(address: "127.0.0.1:80")),
                #""event":"connected","atMicros":1500,"address":"127.0.0.1:80","tlsVersion":null,"cipherSuite":null,"#
                    + #""finding":null,"subprotocol":null,"deflate":false"#
            ),
            (
                .message(.text("a\"\n\u{1B}[31m\u{202E}é\u{9B}\u{E0001}\t")),
                #""event":"message","atMicros":1500,"kind":"text","bytes":20,"#
                    + #""text":"a\"\n\u001b[31m\u202eé\u009b\udb40\udc01\t""#
            ),
            (
                .message(.binary([0, 255, 128])),
                #""event":"message","atMicros":1500,"kind":"binary","bytes":3,"base64":"AP+A""#
            ),
            (.sent(.text, bytes: 5), #""event":"sent","atMicros":1500,"kind":"text","bytes":5"#),
            (.sent(.binary, bytes: 0), #""event":"sent","atMicros":1500,"kind":"binary","bytes":0"#),
            (.ping([1]), #""event":"ping","atMicros":1500,"payload":"AQ==""#),
            (.pong(.milliseconds(2)), #""event":"pong","atMicros":1500,"durationMicros":2000"#),
            (.pong(nil), #""event":"pong","atMicros":1500,"durationMicros":null"#),
            (
                .frame(
                    FrameSighting(
                        direction: .incoming, opcode: .text, isFinal: false, isCompressed: true, length: 70_000)),
                #""event":"frame","atMicros":1500,"direction":"in","opcode":"text","final":false,"#
                    + #""compressed":true,"bytes":70000"#
            ),
            (
                .frame(
                    FrameSighting(
                        direction: .outgoing, opcode: .pong, isFinal: true, isCompressed: false, length: 1, payload: [1]
                    )),
                #""event":"frame","atMicros":1500,"direction":"out","opcode":"pong","final":true,"compressed":false,"#
                    + #""bytes":1,"payload":"AQ==""#
            ),
            (
                .closed(try Self.end(1000, "bye")),
                #""event":"closed","atMicros":1500,"code":1000,"meaning":"normal closure","reason":"bye","#
                    + #""by":"server","#
                    + #""clean":true,"received":2,"missing":0,"exitCode":0"#
            ),
            (
                .closed(try Self.end(1006, "", isClean: false, error: lost, missing: 1)),
                #""event":"closed","atMicros":1500,"code":1006,"meaning":"no close frame was sent","reason":"","#
                    + #""by":"server","clean":false,"fault":{"code":"connectionLost","#
                    + #""reason":"The connection ended without a close frame."},"received":2,"missing":1,"exitCode":1"#
            ),
            (
                .failed(refused),
                #""event":"failed","atMicros":1500,"code":"upgradeRefused","reason":"No.","status":401,"#
                    + #""fields":[{"name":"WWW-Authenticate","value":"Bearer"}],"#
                    + #""body":"no","remedy":"try","exitCode":1"#
            ),
        ]
        for (event, text) in rows { #expect(event.json(at: .microseconds(1_500)) == "{\(text)}") }
    }

    @Test func text() throws {
        let long = String(repeating: "x", count: WebSocketEvent.shownCharacters + 3)
        let violation = WebSocketError(violation: .reservedOpcode, closure: nil)
        var refused = WebSocketFailure(code: "upgradeRefused", reason: "No.", status: .failure)
        refused.answer = WebSocketFailure.Answer(
            status: 503, fields: [.init(name: "Retry-After", value: "5")], body: "hint: all is well")
        refused.remedy = "try"
        let rows: [(WebSocketEvent, [String])] = [
            // The server's text in a refusal is indented, unlike the tool's own lines.
            (.failed(refused), ["Retry-After: 5", "  hint: all is well", "hint: try"]),
            (
                .connected(Self.facts),
                [
                    "connected to 192.0.2.1:443, TLSv1.3 TLS_AES_128_GCM_SHA256, accepted (pinMatched), "
                        + "subprotocol chat, deflate"
                ]
            ),
            (.connected(WebSocketFacts(address: "127.0.0.1:80")), ["connected to 127.0.0.1:80, without TLS"]),
            (.message(.text("Hello")), ["< Hello"]),
            (.message(.text("")), ["< "]),
            // Text that looks like an event is indented, and control characters are escaped.
            (
                .message(.text("a\r\nclosed with 1000\n\u{1B}[2J\u{202E}\u{7F}\u{9B}é\t🙂")),
                ["< a", "  closed with 1000", "  \\u{1b}[2J\\u{202e}\\u{7f}\\u{9b}é\t🙂"]
            ),
            (
                .message(.text(long)),
                ["< " + long.dropLast(3), "  … and 3 more characters"]
            ),
            (.message(.binary([])), ["< 0 bytes"]), (.message(.binary([0, 255])), ["< 2 bytes: 00 ff"]),
            (
                .message(.binary(Array(repeating: 1, count: 300))),
                ["< 300 bytes: " + Array(repeating: "01", count: 256).joined(separator: " ") + " …"]
            ),
            (.sent(.text, bytes: 5), []), (.sent(.binary, bytes: 1), ["sent 1 byte"]),
            (.ping([]), ["ping from the server"]), (.ping(Array("a\"b".utf8)), [#"ping from the server: "a\"b""#]),
            (.ping([0x1B, 0x5B]), ["ping from the server: 1b 5b"]),
            (.pong(.microseconds(12_045)), ["pong after 12.045 ms"]), (.pong(nil), ["no pong in time"]),
            (
                .frame(
                    FrameSighting(
                        direction: .incoming, opcode: .text, isFinal: false, isCompressed: true, length: 70_000)),
                ["<- text, 70000 bytes, compressed, continued"]
            ),
            (
                .frame(
                    FrameSighting(
                        direction: .outgoing, opcode: .close, isFinal: true, isCompressed: false, length: 2,
                        payload: [3, 232])), ["-> close, 2 bytes: 1000"]
            ),
            (
                .closed(try Self.end(1000, "see\u{7}you")),
                ["closed with 1000 (normal closure) by the server: \"see\\u{7}you\""]
            ),
            (
                .closed(try Self.end(1000, #"a", or \"#)),
                [#"closed with 1000 (normal closure) by the server: "a\", or \\""#]
            ),
            (.closed(try Self.end(1001, "", .local, wasAsked: true)), ["closed with 1001 (going away)"]),
            (
                .closed(try Self.end(1002, "", .local, isClean: false, error: violation)),
                ["The peer sent a reserved opcode. [reservedOpcode], closed with 1002 (protocol error)"]
            ),
            (
                .closed(try Self.end(1006, "", .local, isClean: false, missing: 2, wasAsked: true)),
                [
                    "closed with 1006 (no close frame was sent), and the server did not answer",
                    "2 of the messages requested by --count did not come",
                ]
            ),
        ]
        for (event, lines) in rows { #expect(event.lines == lines) }
    }

    @Test func plain() {
        #expect(WebSocketEvent.message(.text("a\nb")).plainText == "a\nb")
        #expect(WebSocketEvent.message(.binary([0, 255])).plainText == "00ff")
        #expect(WebSocketEvent.ping([]).plainText == nil)
    }

    @Test func exitCodes() throws {
        #expect(try Self.end(1000).status == .success)
        #expect(try Self.end(1001).status == .success)
        #expect(try Self.end(1005).status == .success)
        for code: UInt16 in [1002, 1008, 1011, 1012, 3000, 4000] { #expect(try Self.end(code).status == .failure) }
        #expect(try Self.end(4000, "", .local, wasAsked: true).status == .success)
        // This side closed without being asked: a message could not be completed.
        #expect(try Self.end(1011, "", .local).status == .failure)
        #expect(try Self.end(1000, "", .local, isClean: false, wasAsked: true).status == .failure)
        #expect(try Self.end(1000, "", .local, missing: 1, wasAsked: true).status == .failure)
        #expect(WebSocketEnd(nil, error: nil, wasAsked: true).status == .failure)
    }

    @Test func codesHaveMeanings() {
        for number in UInt16(1000)...4999 {
            guard let code = WebSocketCloseCode(rawValue: number) else { continue }
            #expect(!code.meaning.isEmpty && code.meaning != "a reserved code")
        }
        #expect(WebSocketCloseCode.goingAway.meaning == "going away")
        #expect(WebSocketCloseCode(rawValue: 3003)?.meaning == "forbidden")
        #expect(WebSocketCloseCode(rawValue: 4999)?.meaning == "a code of this application")
    }
}
