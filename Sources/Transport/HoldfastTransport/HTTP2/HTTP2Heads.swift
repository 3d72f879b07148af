import HTTPTypes
import NIOHPACK

extension HPACKHeaders {
    /// Creates the head of a request (RFC 9113, 8.3.1). Throws `invalidRequest` if it does not fit into one frame.
    init(_ request: PreparedRequest) throws(TransportError) {
        self.init()
        for (name, value) in [
            (":method", request.method.rawValue), (":scheme", request.url.scheme.rawValue),
            (":authority", request.url.authority),
        ] {
            add(name: name, value: value)
        }
        // Values that change with every request would fill the server's table, which the server may enlarge.
        add(name: ":path", value: request.url.target, indexing: .nonIndexable)
        for field in request.messageFields {
            let name = field.name.canonicalName
            add(name: name, value: field.value, indexing: Self.indexing(of: name))
        }
        // An estimate per field: each of the two strings has a length prefix of up to three bytes, and the field at
        // least one more byte.
        let size = reduce(0) { $0 + $1.name.codedSize + $1.value.codedSize + 12 }
        guard size <= HTTP2Limits.requestHeadBytes else {
            throw TransportError(
                .invalidRequest, in: .sending,
                "The request head exceeds the \(HTTP2Limits.requestHeadBytes) bytes of an HTTP/2 frame."
            )
        }
    }

    private static func indexing(of name: String) -> HPACKIndexing {
        switch name {
        case "user-agent", "accept", "accept-encoding", "accept-language": .indexable
        // Secrets are never indexed, so that an attacker cannot verify guesses by the size of a head (RFC 7541, 7.1.3).
        case "authorization", "proxy-authorization", "cookie": .neverIndexed
        default: .nonIndexable
        }
    }
}

extension String {
    /// An upper bound for the Huffman-coded size (RFC 7541, appendix B): five to eight bits for common characters, up
    /// to fifteen for other printable ones, up to thirty for the rest.
    fileprivate var codedSize: Int {
        utf8.reduce(0) { size, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20, 0x25, 0x26, 0x2A, 0x2C...0x2F, 0x3A, 0x3B, 0x3D, 0x5F:
                size + 1
            case 0x21...0x7E: size + 2
            default: size + 4
            }
        }
    }
}

extension ResponseHead {
    /// Parses the head of an HTTP/2 response (RFC 9113, 8.3.2).
    init(_ block: HPACKHeaders, limits: TransportLimits) throws(TransportError) {
        guard let first = block.first, first.name == ":status" else {
            throw .malformed(.pseudoField, "The response head does not start with the :status field.")
        }
        let digits = Array(first.value.utf8)
        guard digits.count == 3, digits.allSatisfy(\.isDigit), digits[0] != UInt8(ascii: "0") else {
            throw .malformed(.statusLine, "The status of the response is not a three-digit number.")
        }
        self.isOldVersion = false
        self.status = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
        self.fields = try HTTPFields(block.dropFirst(), limits: limits)
    }
}

extension HTTPFields {
    /// Parses the fields of a head without the status, or of a trailer section (RFC 9113, 8.2).
    init(_ block: some Sequence<HPACKHeaders.Element>, limits: TransportLimits) throws(TransportError) {
        self.init()
        var bytes = 0
        var count = 0
        for (name, value, _) in block {
            count += 1
            bytes += name.utf8.count + value.utf8.count + 4
            guard bytes <= limits.headBytes else { throw SectionScan.tooLarge }
            guard count <= limits.headerFields else { throw SectionScan.tooMany(limits.headerFields) }
            append(try HTTPField(name, value))
        }
    }
}

extension HTTPField {
    fileprivate init(_ name: String, _ value: String) throws(TransportError) {
        if name.utf8.first == UInt8(ascii: ":") {
            throw .malformed(.pseudoField, "A pseudo-field is unknown, repeated, or follows another field.")
        }
        // Names must be in lower case (RFC 9113, 8.2.1). HTTPTypes would accept others.
        guard !name.utf8.contains(where: { (0x41...0x5A).contains($0) }), let parsed = HTTPField.Name(name) else {
            throw .malformed(.fieldName, "A header field name contains a forbidden character.")
        }
        switch name {
        case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade":
            throw .malformed(.connectionField, "The field \(name) is not permitted in HTTP/2.")
        default: break
        }
        for byte in value.utf8 where byte < 0x20 && byte != .tab || byte == 0x7F {
            throw .malformed(.controlCharacter, "The response head contains the control character \(byte).")
        }
        for byte in [value.utf8.first, value.utf8.last] where byte == .space || byte == .tab {
            throw .malformed(.surroundingSpace, "A header field value starts or ends with white space.")
        }
        self.init(name: parsed, value: value)
    }
}
