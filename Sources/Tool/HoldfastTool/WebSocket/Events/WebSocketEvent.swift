import HoldfastBase
import HoldfastSystem
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket

/// An event that `holdfast ws` prints. ``lines`` and ``json(at:)`` escape the server's text.
enum WebSocketEvent: TerminalEvent, Hashable, Sendable {
    /// The server was accepted, and the upgrade succeeded.
    case connected(WebSocketFacts)
    /// The connection failed.
    case failed(WebSocketFailure)
    /// A message was received.
    case message(WebSocketMessage)
    /// A message with this number of bytes is being sent.
    case sent(WebSocketPart.Kind, bytes: Int)
    /// The server sent a ping with this payload. It is answered.
    case ping([UInt8])
    /// The time from a ping of this client to its pong; `nil` if no pong came in time.
    case pong(Duration?)
    /// A frame was sent or received.
    case frame(FrameSighting)
    /// The connection has ended.
    case closed(WebSocketEnd)
}

/// The parameters of an upgrade.
struct WebSocketFacts: Hashable, Sendable {
    /// The address and port of the peer.
    var address: String
    /// `TLSv1.2` or `TLSv1.3`; `nil` without TLS.
    var tlsVersion: String?
    /// The IANA name of the cipher suite.
    var cipherSuite: String?
    /// The code of the finding that accepted the server; `nil` without TLS.
    var finding: String?
    var subprotocol: String?
    /// Whether permessage-deflate was negotiated.
    var usesDeflate = false
}

extension WebSocketFacts {
    init(_ connection: WebSocketConnection) {
        self.init(
            address: Printable.text(connection.facts.remoteAddress), tlsVersion: connection.facts.tlsVersion,
            cipherSuite: connection.facts.cipherSuite,
            finding: connection.facts.verdict?.decidingFinding.code.rawValue,
            subprotocol: connection.subprotocol.map { Printable.text($0) }, usesDeflate: connection.usesDeflate)
    }
}

extension WebSocketEvent {
    /// The maximum number of characters of a message that a terminal shows.
    static let shownCharacters = 16 * 1024
    /// The maximum number of bytes of a binary message that a terminal shows.
    static let shownBytes = 256

    /// Whether this is a message.
    var isOutput: Bool {
        if case .message = self { true } else { false }
    }

    /// The lines for a person at a terminal; empty if nothing is printed.
    var lines: [String] {
        switch self {
        case .connected(let facts): [Self.sentence(facts)]
        case .failed(let failure): Self.lines(failure)
        case .message(.text(let text)): Self.lines(text)
        case .message(.binary(let bytes)): [Self.line(bytes)]
        case .sent(.text, _): []
        case .sent(.binary, let count): ["sent \(Self.words(count))"]
        case .ping(let payload): ["ping from the server" + (payload.isEmpty ? "" : ": \(Self.payload(payload))")]
        case .pong(let duration?): ["pong after \(Self.milliseconds(duration))"]
        case .pong(nil): ["no pong in time"]
        case .frame(let frame): [Self.line(frame)]
        case .closed(let end): Self.lines(end)
        }
    }

    /// The message for a program at the other end of a pipe: text unchanged, bytes as hexadecimal digits.
    var plainText: String? {
        switch self {
        case .message(.text(let text)): text
        case .message(.binary(let bytes)): bytes.hexadecimal
        default: nil
        }
    }

    /// Formats milliseconds with three decimals.
    static func milliseconds(_ duration: Duration) -> String {
        let micros = microseconds(duration)
        let places = String(micros % 1_000)
        return "\(micros / 1_000)." + String(repeating: "0", count: 3 - places.count) + places + " ms"
    }

    /// Returns whole microseconds, never negative.
    static func microseconds(_ duration: Duration) -> Int64 { max(0, duration.wholeMicroseconds) }

    // MARK: Parts

    private static func sentence(_ facts: WebSocketFacts) -> String {
        let tls = [facts.tlsVersion, facts.cipherSuite].compactMap(\.self).joined(separator: " ")
        return "connected to \(facts.address), \(tls.isEmpty ? "without TLS" : tls)"
            + (facts.finding.map { ", accepted (\($0))" } ?? "")
            + (facts.subprotocol.map { ", subprotocol \($0)" } ?? "") + (facts.usesDeflate ? ", deflate" : "")
    }

    private static func lines(_ text: String) -> [String] {
        let (lines, omitted) = TerminalText.lines(text, limit: shownCharacters)
        // No line of a message begins like this tool's own lines. The terminal may wrap long lines.
        return lines.enumerated().map { ($0 == 0 ? "< " : "  ") + $1 }
            + (omitted > 0 ? ["  … and \(omitted) more characters"] : [])
    }

    private static func line(_ bytes: [UInt8]) -> String {
        let more = bytes.count > shownBytes ? " …" : ""
        let digits = HexText.spaced(bytes.prefix(shownBytes))
        return "< \(words(bytes.count))" + (digits.isEmpty ? "" : ": ") + digits + more
    }

    private static func line(_ frame: FrameSighting) -> String {
        var line = "\(frame.direction == .incoming ? "<-" : "->") \(frame.opcode), \(words(frame.length))"
        if frame.isCompressed { line += ", compressed" }
        if !frame.isFinal { line += ", continued" }
        switch frame.opcode {
        case .close where frame.payload.count >= 2:
            line += ": \(UInt16(frame.payload[0]) << 8 | UInt16(frame.payload[1]))"
        case .ping where !frame.payload.isEmpty, .pong where !frame.payload.isEmpty:
            line += ": \(payload(frame.payload))"
        default: break
        }
        return line
    }

    /// Returns the payload as text if it is valid UTF-8, otherwise as digits.
    private static func payload(_ bytes: [UInt8]) -> String {
        let isText = bytes.allSatisfy { (0x20..<0x7F).contains($0) }
        return isText ? quoted(String(decoding: bytes, as: UTF8.self)) : HexText.spaced(bytes)
    }

    /// Quotes a server's text, so that its end is visible.
    private static func quoted(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
        return "\"\(Printable.text(escaped))\""
    }

    private static func words(_ count: Int) -> String {
        count == 1 ? "1 byte" : "\(count) bytes"
    }

    private static func lines(_ end: WebSocketEnd) -> [String] {
        let closure = end.closure
        var line = "closed with \(closure.code) (\(closure.code.meaning))"
        if let fault = end.fault {
            line = "\(Printable.text(fault.reason)) [\(fault.violation ?? fault.code)]"
            if closure.code.isAllowedOnWire { line += ", closed with \(closure.code) (\(closure.code.meaning))" }
        } else {
            line += closure.initiator == .remote ? " by the server" : ""
            if !closure.reason.isEmpty { line += ": \(quoted(closure.reason))" }
            if !closure.isClean { line += ", and the server did not answer" }
        }
        guard end.missing > 0 else { return [line] }
        return [line, "\(end.missing) of the messages requested by --count did not come"]
    }

    private static func lines(_ failure: WebSocketFailure) -> [String] {
        var lines: [String] = []
        if let report = failure.report { lines += report.refusalLines }
        if let answer = failure.answer {
            lines += answer.fields.map { "\($0.name): \($0.value)" }
            // Printed as one indented line with escaped line breaks, so that it does not look like this tool's output.
            if !answer.body.isEmpty { lines.append("  " + answer.body) }
        }
        return lines + (failure.remedy.map { ["hint: \($0)"] } ?? [])
    }
}
