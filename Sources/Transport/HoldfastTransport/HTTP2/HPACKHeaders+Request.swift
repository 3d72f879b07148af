import HTTPTypes
import NIOHPACK

extension HPACKHeaders {
    /// The head of a request, as RFC 9113, 8.3.1 wants it. Throws where it does not fit into one frame.
    init(_ request: PreparedRequest) throws(TransportError) {
        self.init()
        for (name, value) in [
            (":method", request.method.rawValue), (":scheme", request.url.scheme.rawValue),
            (":authority", request.url.authority),
        ] {
            add(name: name, value: value)
        }
        // What changes with every request would fill the table that the other end keeps, and that it may make large.
        add(name: ":path", value: request.url.target, indexing: .nonIndexable)
        for field in request.messageFields {
            let name = field.name.canonicalName
            add(name: name, value: field.value, indexing: Self.indexing(of: name))
        }
        // Each of the two strings has its length before it, in up to three bytes here, and the field a byte of its own or more.
        let size = reduce(0) { $0 + $1.name.codedSize + $1.value.codedSize + 12 }
        guard size <= HTTP2Limits.requestHeadBytes else {
            throw TransportError(
                .invalidRequest, in: .sending,
                "The head of the request is larger than the \(HTTP2Limits.requestHeadBytes) bytes of a frame of HTTP/2."
            )
        }
    }

    private static func indexing(of name: String) -> HPACKIndexing {
        switch name {
        case "user-agent", "accept", "accept-encoding", "accept-language": .indexable
        // RFC 7541, 7.1.3: whoever can guess at a value must not learn from the size of a head whether it was right.
        case "authorization", "proxy-authorization", "cookie": .neverIndexed
        default: .nonIndexable
        }
    }
}

extension String {
    /// No fewer bytes than Huffman coding (RFC 7541, appendix B) makes of it: five to eight bits for the usual characters,
    /// up to fifteen for other printable ones, up to thirty for the rest.
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
