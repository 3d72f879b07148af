import HTTPTypes

/// The lines of an HTTP/1 head, read strictly (RFC 9112, 2.2 and 5): lines end in CR LF, and no line is folded.
struct HeadBytes {
    /// The first line: of a request or of a status.
    let firstLine: [UInt8]
    /// The fields; `nil` where one is malformed.
    let fields: HTTPFields?
    /// The size of the head, the blank line included.
    let size: Int

    /// Reads the head at the start of `bytes`; `nil` while its end has not come.
    ///
    /// - Parameter known: How many of the bytes were searched before without finding the end.
    init?(_ bytes: UnsafeRawBufferPointer, known: Int = 0) {
        let tail = max(0, min(known, bytes.count) - 3)
        let blankLine: [UInt8] = [13, 10, 13, 10]
        guard bytes.count >= 4,
            let end = (tail...max(tail, bytes.count - 4)).first(where: { bytes[$0...].starts(with: blankLine) })
        else { return nil }
        let lines = Self.split(Array(bytes[..<end])[...])
        self.firstLine = lines.first.map { Array($0) } ?? []
        self.size = end + 4
        var fields: HTTPFields? = [:]
        for line in lines.dropFirst() {
            guard let field = Self.field(line) else {
                fields = nil
                break
            }
            fields?.append(field)
        }
        self.fields = fields
    }

    /// A name, a colon without a blank before it, a value.
    private static func field(_ line: ArraySlice<UInt8>) -> HTTPField? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
        else { return nil }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let value = line[(colon + 1)...].drop(while: isBlank)
        let text = value.prefix(upTo: (value.lastIndex { !isBlank($0) } ?? value.startIndex - 1) + 1)
        guard text.allSatisfy({ $0 == 0x09 || (0x20...0x7E).contains($0) || $0 >= 0x80 }) else { return nil }
        return HTTPField(name: name, value: String(decoding: text, as: UTF8.self))
    }

    private static func split(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes
        while let end = rest.indices.first(where: { rest[$0] == 13 && rest[$0...].starts(with: [13, 10]) }) {
            lines.append(rest[..<end])
            rest = rest[(end + 2)...]
        }
        lines.append(rest)
        return lines
    }
}
