import HTTPTypes

/// A request that has been checked and turned into bytes, on the caller's thread.
struct PreparedRequest: Sendable {
    /// Whom to dial.
    let target: DialTarget
    /// The method.
    let method: HTTPRequest.Method
    /// Whom it is for, and what is asked for.
    let url: RequestURL
    /// The head as HTTP/1.1 sends it, up to and with the empty line.
    let head: [UInt8]
    /// The fields as the caller gave them.
    let fields: HTTPFields
    /// Whether `Accept-Encoding` is added to them.
    let addsCoding: Bool
    /// The body's bytes.
    let body: PreparedBody
    /// Whether the connection ends with this exchange, because the caller says so.
    let closesAfterwards: Bool

    /// Whether the body waits for the server to ask for it (`Expect: 100-continue`, RFC 9110, 10.1.1).
    let expectsContinue: Bool

    /// Whether sending the request twice has the same effect as sending it once (RFC 9110, 9.2.2).
    var isIdempotent: Bool {
        switch method {
        case .get, .head, .options, .trace, .put, .delete: true
        default: false
        }
    }

    /// Checks a request. `body` has been opened already. `asksForCoding`: the response's body may be compressed. `url`: the
    /// request's, where it has been read already.
    init(
        _ request: HTTPRequest, body: PreparedBody, asksForCoding: Bool = false, versions: HTTPVersions = .http1Only,
        url: RequestURL? = nil
    ) throws(TransportError) {
        guard request.method != .connect else {
            throw Self.invalid("CONNECT opens a tunnel; it is no request of this client.")
        }
        guard request.method != .trace || body.isAbsent else {
            throw Self.invalid("A TRACE has no body (RFC 9110, 9.3.8).")
        }
        let url = if let url { url } else { try RequestURL(request) }
        guard url.scheme == .http || url.scheme == .https else {
            throw TransportError(
                .invalidURL, in: .preparing, "\(url.scheme.rawValue): is no scheme of an HTTP request.")
        }
        guard url.target != "*" || request.method == .options else {
            throw TransportError(.invalidURL, in: .preparing, "The target * is for OPTIONS alone.")
        }
        self.target = url.dialTarget(alpn: versions.applicationProtocols)
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
                throw Self.invalid("The field \(field.name) is the client's own to set.")
            case .contentLength:
                // The client sets it; a caller may repeat it, and must not contradict it.
                guard let length = body.length, field.value == String(length) else {
                    throw Self.invalid("The Content-Length is not the body's.")
                }
                continue
            case .connection:
                guard field.value.equalsIgnoringASCIICase("close") else {
                    throw Self.invalid("The field Connection may say \"close\" and nothing else.")
                }
                closes = true
            case .expect:
                guard field.value.equalsIgnoringASCIICase("100-continue") else {
                    throw Self.invalid("The field Expect may say \"100-continue\" and nothing else.")
                }
                // Without a body there is nothing to wait for, and a client must not say so.
                if body.isAbsent { continue }
                expectsContinue = true
            default:
                guard field.name.canonicalName != "host" else {
                    throw Self.invalid("The field Host is the client's own to set.")
                }
            }
            head.append(contentsOf: field.name.rawName.utf8)
            head.append(contentsOf: ": ".utf8)
            head.append(contentsOf: field.value.utf8)
            head.append(contentsOf: "\r\n".utf8)
        }
        // A range of a coded body would be of no use.
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
