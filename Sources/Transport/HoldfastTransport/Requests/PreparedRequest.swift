import HTTPTypes

/// A checked request, encoded as bytes on the caller's thread.
struct PreparedRequest: Sendable {
    /// The target of the connection.
    let target: DialTarget
    /// The method.
    let method: HTTPRequest.Method
    /// The URL of the request.
    let url: RequestURL
    /// The head as sent in HTTP/1.1, including the final empty line.
    let head: [UInt8]
    /// The fields as supplied by the caller.
    let fields: HTTPFields
    /// Whether to add `Accept-Encoding` to the fields.
    let addsCoding: Bool
    /// The body.
    let body: PreparedBody
    /// Whether the caller asked to close the connection after this exchange.
    let closesAfterwards: Bool

    /// Whether the body waits for a `100` response (`Expect: 100-continue`, RFC 9110, 10.1.1).
    let expectsContinue: Bool

    /// Whether sending the request twice has the same effect as sending it once (RFC 9110, 9.2.2).
    var isIdempotent: Bool {
        switch method {
        case .get, .head, .options, .trace, .put, .delete: true
        default: false
        }
    }

    /// Checks a request.
    ///
    /// - Parameters:
    /// - body: The body, already opened.
    /// - asksForCoding: Whether the response body may be compressed.
    /// - url: The URL of the request, if it is already parsed.
    /// - variation: The choices that select the connections of the request.
    init(
        _ request: HTTPRequest, body: PreparedBody, asksForCoding: Bool = false, versions: HTTPVersions = .http1Only,
        url: RequestURL? = nil, variation: DialVariation? = nil
    ) throws(TransportError) {
        guard request.method != .connect else {
            throw Self.invalid("CONNECT is not supported: it opens a tunnel.")
        }
        guard request.method != .trace || body.isAbsent else {
            throw Self.invalid("A TRACE request must not have a body (RFC 9110, 9.3.8).")
        }
        let url = if let url { url } else { try RequestURL(request) }
        try url.requireHTTP()
        guard url.target != "*" || request.method == .options else {
            throw TransportError(.invalidURL, in: .preparing, "The target * is valid only for OPTIONS.")
        }
        self.target = url.dialTarget(alpn: versions.applicationProtocols, variation: variation)
        self.url = url
        self.method = request.method
        self.body = body
        var closes = false
        var expectsContinue = false
        var head: [UInt8] = []
        head.reserveCapacity(256)
        head.append(contentsOf: request.method.rawValue.utf8)
        head.append(UInt8(ascii: " "))
        head.append(contentsOf: url.target.utf8)
        head.append(contentsOf: " HTTP/1.1\r\nHost: ".utf8)
        head.append(contentsOf: url.authority.utf8)
        head.append(contentsOf: "\r\n".utf8)
        for field in request.headerFields {
            switch field.name {
            case .transferEncoding, .upgrade, .te, .trailer:
                throw Self.invalid("The field \(field.name) is set by the client itself.")
            case .contentLength:
                // The client sets the length. A caller may repeat it but must not contradict it.
                guard let length = body.length, field.value == String(length) else {
                    throw Self.invalid("The Content-Length differs from the length of the body.")
                }
                continue
            case .connection:
                guard field.value.equalsIgnoringASCIICase("close") else {
                    throw Self.invalid("The field Connection must be \"close\".")
                }
                closes = true
            case .expect:
                guard field.value.equalsIgnoringASCIICase("100-continue") else {
                    throw Self.invalid("The field Expect must be \"100-continue\".")
                }
                // A client must not send `Expect` without a body (RFC 9110, 10.1.1).
                if body.isAbsent { continue }
                expectsContinue = true
            default:
                guard field.name.canonicalName != "host" else {
                    throw Self.invalid("The field Host is set by the client itself.")
                }
            }
            head.append(contentsOf: field.name.rawName.utf8)
            head.append(contentsOf: ": ".utf8)
            head.append(contentsOf: field.value.utf8)
            head.append(contentsOf: "\r\n".utf8)
        }
        // A range of a coded body cannot be decoded.
        let addsCoding =
            asksForCoding && !request.headerFields.contains(.acceptEncoding) && !request.headerFields.contains(.range)
        if addsCoding {
            head.append(contentsOf: "Accept-Encoding: \(ContentCoding.offered)\r\n".utf8)
        }
        if !body.isAbsent {
            if let length = body.length {
                head.append(contentsOf: "Content-Length: \(length)\r\n".utf8)
            } else {
                head.append(contentsOf: "Transfer-Encoding: chunked\r\n".utf8)
            }
        } else if Self.announcesAbsence(request.method) {
            head.append(contentsOf: "Content-Length: 0\r\n".utf8)
        }
        head.append(contentsOf: "\r\n".utf8)
        self.head = head
        self.fields = request.headerFields
        self.addsCoding = addsCoding
        self.closesAfterwards = closes
        self.expectsContinue = expectsContinue
    }

    private static func invalid(_ reason: String) -> TransportError {
        TransportError(.invalidRequest, in: .preparing, reason)
    }
}

extension PreparedRequest {
    /// The fields of the request as sent in every version except HTTP/1.1: without the host and the connection-specific
    /// fields (RFC 9113, 8.2.2).
    var messageFields: [HTTPField] {
        var fields = Array(fields)
        fields.removeAll { Self.leftOut.contains($0.name) || (body.isAbsent && $0.name == .expect) }
        if addsCoding { fields.append(HTTPField(name: .acceptEncoding, value: ContentCoding.offered)) }
        if let length = body.length, !body.isAbsent || Self.announcesAbsence(method) {
            fields.append(HTTPField(name: .contentLength, value: String(length)))
        }
        return fields
    }

    /// Returns whether the method requires `Content-Length: 0` for an absent body (RFC 9110, 8.6).
    static func announcesAbsence(_ method: HTTPRequest.Method) -> Bool {
        method == .post || method == .put || method == .patch
    }

    /// The client itself sets the length.
    private static let leftOut: [HTTPField.Name] =
        [.connection, .contentLength] + ["Keep-Alive", "Proxy-Connection"].compactMap { HTTPField.Name($0) }
}
