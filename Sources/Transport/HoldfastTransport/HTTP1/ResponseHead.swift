package import HTTPTypes
import NIOCore

/// The head of a response that ``SectionScan`` accepted.
struct ResponseHead: Hashable, Sendable {
    /// Whether the version is HTTP/1.0 instead of HTTP/1.1.
    var isOldVersion: Bool
    var status: Int
    var fields: HTTPFields

    /// Parses a head that ``SectionScan`` found complete.
    init(scanned bytes: ByteBuffer) throws(TransportError) {
        self = try bytes.withUnsafeReadableBytes { bytes throws(TransportError) in try ResponseHead(scanned: bytes) }
    }

    private init(scanned bytes: UnsafeRawBufferPointer) throws(TransportError) {
        let digits = bytes.dropFirst(9).prefix(3)
        self.isOldVersion = bytes.dropFirst(7).first == UInt8(ascii: "0")
        self.status = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
        guard let lineEnd = bytes.firstIndex(of: .lineFeed) else {
            throw .malformed(.statusLine, "The response has no status line.")
        }
        self.fields = try HTTPFields(scanned: bytes[(lineEnd + 1)...])
    }

    /// Whether the connection ends with this response. An HTTP/1.0 connection is assumed to end.
    var closesConnection: Bool {
        isOldVersion || fields.tokens(of: .connection).contains("close")
    }

    /// Whether the fields announce a body, which is invalid in a 204.
    var announcesBody: Bool {
        fields.contains(.transferEncoding) || fields[.contentLength].map { $0 != "0" } == true
    }

    /// The response as callers see it.
    var response: HTTPResponse {
        HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields)
    }
}

extension HTTPFields {
    /// Parses fields that ``SectionScan`` accepted, up to and including the empty line.
    package init(scanned bytes: Slice<UnsafeRawBufferPointer>) throws(TransportError) {
        self.init()
        var rest = bytes
        while let lineFeed = rest.firstIndex(of: .lineFeed) {
            let line = rest[..<lineFeed].dropLast()
            rest = rest[rest.index(after: lineFeed)...]
            if line.isEmpty { break }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
            else {
                throw .malformed(.fieldName, "A header field name contains a forbidden character.")
            }
            var value = line[line.index(after: colon)...]
            value = value.drop { $0 == .space || $0 == .tab }
            while let last = value.last, last == .space || last == .tab { value = value.dropLast() }
            append(HTTPField(name: name, value: String(decoding: value, as: UTF8.self)))
        }
    }

    /// Returns the elements of a list field, of all its lines together, in lower case.
    package func tokens(of name: HTTPField.Name) -> [String] {
        self[values: name].flatMap { $0.listElements.lazy.filter { !$0.isEmpty }.map(\.asciiLowercased) }
    }
}
