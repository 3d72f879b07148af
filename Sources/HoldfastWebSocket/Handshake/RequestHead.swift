package import HTTPTypes

/// The head of an HTTP/1 request, read strictly: what this parser does not take may still be HTTP, and is left to an HTTP server.
package struct RequestHead: Hashable, Sendable {
    package var method: String
    /// What stands between method and version.
    package var target: String
    /// Whether the version is 1.1; otherwise it is 1.0.
    package var isHTTP11: Bool
    /// All fields, `Host` among them.
    package var fields: HTTPFields

    /// What the first bytes of a connection are.
    package enum Finding: Hashable, Sendable {
        /// The start of a head, perhaps: wait for more.
        case incomplete
        /// Nothing that could ask for an upgrade, or nothing that this parser takes.
        case other
        /// A complete head, and the number of its bytes.
        case head(RequestHead, size: Int)
    }

    /// Looks at the first bytes of a connection. Anything but a `GET` is ``Finding/other`` by its first bytes.
    ///
    /// - Parameter known: How many of the bytes were looked at before, and found incomplete: they are not searched again.
    package static func examine(_ bytes: UnsafeRawBufferPointer, known: Int = 0) -> Finding {
        guard zip(bytes, "GET ".utf8).allSatisfy(==) else { return .other }
        let tail = max(0, min(known, bytes.count) - 3)
        let blankLine: [UInt8] = [13, 10, 13, 10]
        guard bytes.count >= 4,
            let end = (tail...max(tail, bytes.count - 4)).first(where: { bytes[$0...].starts(with: blankLine) })
        else { return .incomplete }
        let lines = split(Array(bytes[..<end])[...])
        guard let head = lines.first.flatMap(RequestHead.init(requestLine:)) else { return .other }
        var result = head
        for line in lines.dropFirst() {
            guard let field = field(line) else { return .other }
            result.fields.append(field)
        }
        return .head(result, size: end + 4)
    }

    private init?(requestLine: ArraySlice<UInt8>) {
        let parts = requestLine.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[1].isEmpty, parts[1].allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        switch String(decoding: parts[2], as: UTF8.self) {
        case "HTTP/1.1": self.isHTTP11 = true
        case "HTTP/1.0": self.isHTTP11 = false
        default: return nil
        }
        self.method = String(decoding: parts[0], as: UTF8.self)
        self.target = String(decoding: parts[1], as: UTF8.self)
        self.fields = [:]
    }

    /// RFC 9112, 5: a name, a colon without a blank before it, a value. No folded lines.
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
