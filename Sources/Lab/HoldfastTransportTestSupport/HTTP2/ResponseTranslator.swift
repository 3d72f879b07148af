import NIOHPACK

/// Translates the bytes of one HTTP/1.1 response, which is the format of scripts, into the parts of an HTTP/2 response.
struct ResponseTranslator {
    /// A part to send on the stream.
    enum Part: Hashable {
        case fields(HPACKHeaders, ends: Bool)
        case data([UInt8], ends: Bool)
    }

    private enum State {
        case head
        case length(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailers
        case untilClose
        case ended
    }

    private let hasBody: Bool
    private var state = State.head
    private var waiting: [UInt8] = []

    /// Creates a translator. `method` is the method of the request.
    init(to method: String) {
        self.hasBody = method != "HEAD"
    }

    /// Takes bytes of the script. Returns the parts that are complete.
    mutating func take(_ bytes: [UInt8]) -> [Part] {
        waiting += bytes
        var parts: [Part] = []
        while let part = next() { parts += part }
        return parts
    }

    /// Handles the end of the script's connection. Returns `nil` if the response is not complete at this point.
    mutating func close() -> [Part]? {
        switch state {
        case .untilClose:
            state = .ended
            return [.data([], ends: true)]
        case .ended: return []
        default: return nil
        }
    }

    /// Returns the next parts; `nil` if more bytes are necessary.
    private mutating func next() -> [Part]? {
        switch state {
        case .head:
            guard let lines = section() else { return nil }
            return head(lines)
        case .length(let missing):
            guard !waiting.isEmpty else { return nil }
            let part = takeBytes(missing)
            state = part.count == missing ? .ended : .length(missing - part.count)
            return [.data(part, ends: part.count == missing)]
        case .chunkSize:
            guard let line = line() else { return nil }
            let size = Int(line.prefix { $0 != ";" }, radix: 16) ?? 0
            state = size == 0 ? .trailers : .chunk(size)
            return []
        case .chunk(let missing):
            guard !waiting.isEmpty else { return nil }
            let part = takeBytes(missing)
            state = part.count == missing ? .chunkEnd : .chunk(missing - part.count)
            return [.data(part, ends: false)]
        case .chunkEnd:
            guard line() != nil else { return nil }
            state = .chunkSize
            return []
        case .trailers:
            if waiting.starts(with: Array("\r\n".utf8)) {
                state = .ended
                return [.data([], ends: true)]
            }
            guard let lines = section() else { return nil }
            state = .ended
            return [.fields(HPACKHeaders(lines.map(Self.field)), ends: true)]
        case .untilClose:
            guard !waiting.isEmpty else { return nil }
            return [.data(takeBytes(.max), ends: false)]
        case .ended:
            return nil
        }
    }

    private mutating func head(_ lines: [String]) -> [Part] {
        let status = String((lines.first ?? "").dropFirst(9).prefix(3))
        let fields = lines.dropFirst().map(Self.field)
        let value = { (name: String) in fields.first { $0.0 == name }?.1 }
        let kept = fields.filter { !["connection", "keep-alive", "transfer-encoding"].contains($0.0) }
        if status.hasPrefix("1") {
            state = .head
        } else if !hasBody || status == "204" || status == "304" {
            state = .ended
        } else if value("transfer-encoding") != nil {
            state = .chunkSize
        } else if let length = value("content-length").flatMap({ Int($0) }) {
            state = length == 0 ? .ended : .length(length)
        } else {
            state = .untilClose
        }
        let ends = if case .ended = state { true } else { false }
        return [.fields(HPACKHeaders([(":status", status)] + kept), ends: ends)]
    }

    private static func field(_ line: String) -> (String, String) {
        let name = line.prefix { $0 != ":" }
        let value = line.dropFirst(name.count + 1)
        return (name.lowercased(), String(value.drop { $0 == " " }))
    }

    /// Returns the lines before the next empty line; `nil` if it has not arrived.
    private mutating func section() -> [String]? {
        guard let end = waiting.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let text = String(decoding: waiting[..<end.lowerBound], as: UTF8.self)
        waiting.removeFirst(end.upperBound)
        return text.split(separator: "\r\n").map(String.init)
    }

    private mutating func line() -> String? {
        guard let end = waiting.firstRange(of: Array("\r\n".utf8)) else { return nil }
        defer { waiting.removeFirst(end.upperBound) }
        return String(decoding: waiting[..<end.lowerBound], as: UTF8.self)
    }

    private mutating func takeBytes(_ count: Int) -> [UInt8] {
        let part = Array(waiting.prefix(count))
        waiting.removeFirst(part.count)
        return part
    }
}

/// Translates HTTP/1.1 scripts into frames for one HTTP/2 stream. A large body requires a flow-control window of its
/// size.
public struct WireTranslator {
    private let stream: UInt32
    private var translator: ResponseTranslator

    /// Creates a translator for one stream.
    public init(stream: UInt32 = 1, to method: String = "GET") {
        self.stream = stream
        self.translator = ResponseTranslator(to: method)
    }

    /// Takes bytes of the script. Returns the frames that are complete.
    public mutating func take(_ bytes: [UInt8]) -> [RawHTTP2Frame] {
        translator.take(bytes).flatMap { part -> [RawHTTP2Frame] in
            switch part {
            case .fields(let fields, let ends):
                return [.head(stream, fields.map { ($0.name, $0.value) }, ends: ends)]
            case .data(let bytes, let ends):
                guard !bytes.isEmpty else { return [.data(stream, ends: ends)] }
                // The largest frame size that every client accepts.
                return stride(from: 0, to: bytes.count, by: 16_384).map { start in
                    let end = min(bytes.count, start + 16_384)
                    return .data(stream, Array(bytes[start..<end]), ends: ends && end == bytes.count)
                }
            }
        }
    }
}
