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
