import HTTPTypes

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
