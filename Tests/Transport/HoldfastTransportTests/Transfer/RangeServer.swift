import HoldfastTransport
import HoldfastTransportTestSupport

/// A server of one file with the range requests of RFC 9110, which cuts connections where a test says.
struct RangeServer: Sendable {
    var payload: [UInt8]
    /// The validator; `nil` for none.
    var validator: String? = "ETag: \"v1\""
    /// Additional fields of every response.
    var fields: [String] = []
    /// Whether ranges are served.
    var servesRanges = true
    /// The number of body bytes after which the connection is cut.
    var cut: Int?

    /// Bytes in which every range is different.
    static func payload(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    func callAsFunction(_ request: ScriptedRequest) -> [ScriptedAction] {
        let range = request.field("range").flatMap(start)
        let tag = validator.map { String($0.drop { $0 != ":" }.dropFirst(2)) }
        guard servesRanges, let range, request.field("if-range") == tag else {
            return respond("200 OK", payload[...], [])
        }
        guard range < payload.count else {
            return [.respond(status: "416 Range Not Satisfiable", fields: ["Content-Range: bytes */\(payload.count)"])]
        }
        return respond(
            "206 Partial Content", payload[range...],
            ["Content-Range: bytes \(range)-\(payload.count - 1)/\(payload.count)"])
    }

    private func start(_ field: String) -> Int? {
        field.hasPrefix("bytes=") && field.hasSuffix("-") ? Int(field.dropFirst(6).dropLast()) : nil
    }

    private func respond(_ status: String, _ body: ArraySlice<UInt8>, _ more: [String]) -> [ScriptedAction] {
        let lines =
            ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + fields + [validator].compactMap(\.self) + more
        let head = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        guard let cut, cut < body.count else { return [.send(head + body)] }
        // One turn of the event loop sends the frames before the end.
        let turn = Trigger()
        turn.fire()
        return [.send(head + body.prefix(cut)), .wait(turn), .cut]
    }
}
