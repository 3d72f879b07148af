import HTTPTypes

extension PreparedRequest {
    /// The fields of the request as every version but HTTP/1.1 sends them: without the host, and without those that are about the
    /// connection (RFC 9113, 8.2.2).
    var messageFields: HTTPFields {
        var fields = fields
        fields[.connection] = nil
        fields[.contentLength] = nil
        for name in Self.connectionFields { fields[name] = nil }
        if body.isAbsent { fields[.expect] = nil }
        if addsCoding { fields[.acceptEncoding] = ContentCoding.offered }
        if let length = body.length, !body.isAbsent || Self.announcesAbsence(method) {
            fields[.contentLength] = String(length)
        }
        return fields
    }

    /// RFC 9110, 8.6: where a method has a meaning for a body, its absence is said.
    static func announcesAbsence(_ method: HTTPRequest.Method) -> Bool {
        method == .post || method == .put || method == .patch
    }

    private static let connectionFields = ["Keep-Alive", "Proxy-Connection"].compactMap { HTTPField.Name($0) }
}
