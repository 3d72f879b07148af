import NIOHPACK

/// Turns the bytes of one response of HTTP/1.1, as scripts hold them, into what HTTP/2 sends, as a value.
struct ResponseTranslator {
    /// Something to send on the stream.
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

    /// `method` is the request's.
    init(to method: String) {
        self.hasBody = method != "HEAD"
    }

    /// Takes bytes of the script.
    mutating func take(_ bytes: [UInt8]) -> [Part] {
        waiting += bytes
        var parts: [Part] = []
        while let part = next() { parts += part }
        return parts
    }

    /// The script closes the connection. Returns `nil` where that is no end of the response.
    mutating func close() -> [Part]? {
        switch state {
        case .untilClose:
            state = .ended
            return [.data([], ends: true)]
        case .ended: return []
        default: return nil
        }
    }

    /// `nil`: more is needed.
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

    /// The lines up to the empty one.
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

/// Turns scripts of HTTP/1.1 into frames for one stream, as a value. Large bodies need a window that is as large.
public struct WireTranslator {
    private let stream: UInt32
    private var translator: ResponseTranslator

    /// For one stream.
    public init(stream: UInt32 = 1, to method: String = "GET") {
        self.stream = stream
        self.translator = ResponseTranslator(to: method)
    }

    /// Takes bytes of the script.
    public mutating func take(_ bytes: [UInt8]) -> [RawHTTP2Frame] {
        translator.take(bytes).flatMap { part -> [RawHTTP2Frame] in
            switch part {
            case .fields(let fields, let ends):
                return [.head(stream, fields.map { ($0.name, $0.value) }, ends: ends)]
            case .data(let bytes, let ends):
                guard !bytes.isEmpty else { return [.data(stream, ends: ends)] }
                // No larger than every client takes.
                return stride(from: 0, to: bytes.count, by: 16_384).map { start in
                    let end = min(bytes.count, start + 16_384)
                    return .data(stream, Array(bytes[start..<end]), ends: ends && end == bytes.count)
                }
            }
        }
    }
}
