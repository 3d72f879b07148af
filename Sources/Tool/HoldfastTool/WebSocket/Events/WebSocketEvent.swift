import HoldfastBase
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket

/// Something that `holdfast ws` tells. ``lines`` and ``json(at:)`` make what a server wrote safe to print.
enum WebSocketEvent: TerminalEvent, Hashable, Sendable {
    /// The server is accepted, and has granted the upgrade.
    case connected(WebSocketFacts)
    /// There is no connection, and why.
    case failed(WebSocketFailure)
    /// A message has come.
    case message(WebSocketMessage)
    /// A message of this many bytes is on its way.
    case sent(WebSocketPart.Kind, bytes: Int)
    /// The server has sent a ping with this payload. It is answered.
    case ping([UInt8])
    /// The pong to a ping of ours came after this time; `nil`: it did not come in time.
    case pong(Duration?)
    /// A frame went by.
    case frame(FrameSighting)
    /// The connection has ended.
    case closed(WebSocketEnd)
}

/// What an upgrade settled.
struct WebSocketFacts: Hashable, Sendable {
    /// The address and port at the other end of the socket.
    var address: String
    /// `TLSv1.2` or `TLSv1.3`; `nil` without TLS.
    var tlsVersion: String?
    /// The IANA name of the cipher suite.
    var cipherSuite: String?
    /// The code of the finding that let the server through; `nil` without TLS.
    var finding: String?
    var subprotocol: String?
    /// Whether permessage-deflate was agreed on.
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
    /// The most characters of a message that a terminal is shown.
    static let shownCharacters = 16 * 1024
    /// The most bytes of a binary message that a terminal is shown.
    static let shownBytes = 256

    /// Whether it is a message.
    var isOutput: Bool {
        if case .message = self { true } else { false }
    }

    /// The lines for a person at a terminal. Empty: nothing is said of it.
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

    /// A message as a program at the other end of a pipe gets it: text as it came, bytes as hexadecimal digits.
    var plainText: String? {
        switch self {
        case .message(.text(let text)): text
        case .message(.binary(let bytes)): bytes.hexadecimal
        default: nil
        }
    }

    /// Milliseconds with three places.
    static func milliseconds(_ duration: Duration) -> String {
        let micros = microseconds(duration)
        let places = String(micros % 1_000)
        return "\(micros / 1_000)." + String(repeating: "0", count: 3 - places.count) + places + " ms"
    }

    /// Whole microseconds, never negative.
    static func microseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !overflows, whole < .max - 1_000_000 else { return .max }
        return max(0, whole + attoseconds / 1_000_000_000_000)
    }

    // MARK: Parts

    private static func sentence(_ facts: WebSocketFacts) -> String {
        let tls = [facts.tlsVersion, facts.cipherSuite].compactMap(\.self).joined(separator: " ")
        return "connected to \(facts.address), \(tls.isEmpty ? "without TLS" : tls)"
            + (facts.finding.map { ", accepted (\($0))" } ?? "")
            + (facts.subprotocol.map { ", subprotocol \($0)" } ?? "") + (facts.usesDeflate ? ", deflate" : "")
    }

    private static func lines(_ text: String) -> [String] {
        let (lines, omitted) = TerminalText.lines(text, limit: shownCharacters)
        // No line of a message begins as this tool's own lines do. Where a terminal breaks a long one is its own affair.
        return lines.enumerated().map { ($0 == 0 ? "< " : "  ") + $1 }
            + (omitted > 0 ? ["  … and \(omitted) characters more"] : [])
    }

    private static func line(_ bytes: [UInt8]) -> String {
        let more = bytes.count > shownBytes ? " …" : ""
        let digits = HexText.spaced(bytes.prefix(shownBytes))
        return "< \(words(bytes.count))" + (digits.isEmpty ? "" : ": ") + digits + more
    }

    private static func line(_ frame: FrameSighting) -> String {
        var line = "\(frame.direction == .incoming ? "<-" : "->") \(frame.opcode.name), \(words(frame.length))"
        if frame.isCompressed { line += ", compressed" }
        if !frame.isFinal { line += ", more to come" }
        switch frame.opcode {
        case .close where frame.payload.count >= 2:
            line += ": \(UInt16(frame.payload[0]) << 8 | UInt16(frame.payload[1]))"
        case .ping where !frame.payload.isEmpty, .pong where !frame.payload.isEmpty:
            line += ": \(payload(frame.payload))"
        default: break
        }
        return line
    }

    /// Text where it is some, else digits.
    private static func payload(_ bytes: [UInt8]) -> String {
        let isText = bytes.allSatisfy { (0x20..<0x7F).contains($0) }
        return isText ? quoted(String(decoding: bytes, as: UTF8.self)) : HexText.spaced(bytes)
    }

    /// Text of a server between quotation marks, which ends where it seems to end.
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
            if !closure.isClean { line += ", and the server did not answer that" }
        }
        guard end.missing > 0 else { return [line] }
        return [line, "\(end.missing) of the messages that --count asks for did not come"]
    }

    private static func lines(_ failure: WebSocketFailure) -> [String] {
        var lines: [String] = []
        if let report = failure.report { lines += report.refusalLines }
        if let answer = failure.answer {
            lines += answer.fields.map { "\($0.name): \($0.value)" }
            // One line, its breaks escaped; indented, it is none of this tool's own.
            if !answer.body.isEmpty { lines.append("  " + answer.body) }
        }
        return lines + (failure.remedy.map { ["hint: \($0)"] } ?? [])
    }
}
