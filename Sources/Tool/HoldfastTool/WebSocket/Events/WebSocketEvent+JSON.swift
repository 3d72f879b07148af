import Foundation
import HoldfastBase
import HoldfastTrust
import HoldfastWebSocket

extension WebSocketEvent {
    /// Returns one JSON object on one line, without a trailing line break. docs/ws.md lists the fields.
    ///
    /// - Parameter time: The time since the command began to connect.
    func json(at time: Duration) -> String {
        let (name, fields) = parts
        let head: Fields = [("event", .string(name)), ("atMicros", Self.number(time))]
        return TerminalSafety.json(JSONWriter.line(.fields(head + fields)))
    }

    private typealias Fields = [(String, JSONNode.Value?)]

    /// The event's name and fields.
    private var parts: (name: String, fields: Fields) {
        switch self {
        case .connected(let facts): ("connected", Self.fields(facts))
        case .failed(let failure): ("failed", Self.fields(failure))
        case .message(let message): ("message", Self.fields(message))
        case .sent(let kind, let count): ("sent", [("kind", .string("\(kind)")), ("bytes", .number("\(count)"))])
        case .ping(let payload): ("ping", [("payload", .string(Self.base64(payload)))])
        case .pong(let duration): ("pong", [("durationMicros", duration.map(Self.number) ?? .null)])
        case .frame(let frame): ("frame", Self.fields(frame))
        case .closed(let end): ("closed", Self.fields(end))
        }
    }

    private static func fields(_ facts: WebSocketFacts) -> Fields {
        [
            ("address", .string(facts.address)), ("tlsVersion", facts.tlsVersion.map { .string($0) } ?? .null),
            ("cipherSuite", facts.cipherSuite.map { .string($0) } ?? .null),
            ("finding", facts.finding.map { .string($0) } ?? .null),
            ("subprotocol", facts.subprotocol.map { .string($0) } ?? .null), ("deflate", .bool(facts.usesDeflate)),
        ]
    }

    private static func fields(_ message: WebSocketMessage) -> Fields {
        switch message {
        case .text(let text):
            [("kind", .string("text")), ("bytes", .number("\(message.byteCount)")), ("text", .string(text))]
        case .binary(let bytes):
            [
                ("kind", .string("binary")), ("bytes", .number("\(message.byteCount)")),
                ("base64", .string(base64(bytes))),
            ]
        }
    }

    private static func fields(_ frame: FrameSighting) -> Fields {
        [
            ("direction", .string(frame.direction.rawValue)), ("opcode", .string("\(frame.opcode)")),
            ("final", .bool(frame.isFinal)), ("compressed", .bool(frame.isCompressed)),
            ("bytes", .number("\(frame.length)")),
            ("payload", frame.opcode.isControl ? .string(base64(frame.payload)) : nil),
        ]
    }

    private static func fields(_ end: WebSocketEnd) -> Fields {
        [
            ("code", .number("\(end.closure.code)")), ("meaning", .string(end.closure.code.meaning)),
            ("reason", .string(end.closure.reason)),
            ("by", .string(end.closure.initiator == .remote ? "server" : "client")),
            ("clean", .bool(end.closure.isClean)),
            (
                "fault",
                end.fault.map {
                    .fields([
                        ("code", .string($0.code)), ("violation", $0.violation.map { .string($0) }),
                        ("reason", .string($0.reason)),
                    ])
                }
            ),
            ("received", .number("\(end.received)")), ("missing", .number("\(end.missing)")),
            ("exitCode", .number("\(end.status.rawValue)")),
        ]
    }

    private static func fields(_ failure: WebSocketFailure) -> Fields {
        [
            ("code", .string(failure.code)), ("reason", .string(failure.reason)),
            ("status", failure.answer.map { .number("\($0.status)") }),
            (
                "fields",
                failure.answer.map { answer in
                    .list(answer.fields.map { .fields([("name", .string($0.name)), ("value", .string($0.value))]) })
                }
            ), ("body", failure.answer.map { .string($0.body) }),
            ("remedy", failure.remedy.map { .string($0) }), ("probe", failure.report.map(\.json)),
            ("exitCode", .number("\(failure.status.rawValue)")),
        ]
    }

    private static func number(_ duration: Duration) -> JSONNode.Value {
        .number("\(microseconds(duration))")
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
    }
}
