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
    public mutating func take(_ bytes: [UInt8]) -> [WireFrame] {
        translator.take(bytes).flatMap { part -> [WireFrame] in
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
