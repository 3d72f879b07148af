import HTTPTypes

extension PreparedRequest {
    /// The fields of the request as every version but HTTP/1.1 sends them: without the host, and without those that are about the
    /// connection (RFC 9113, 8.2.2).
    var messageFields: [HTTPField] {
        var fields = Array(fields)
        fields.removeAll { Self.leftOut.contains($0.name) || (body.isAbsent && $0.name == .expect) }
        if addsCoding { fields.append(HTTPField(name: .acceptEncoding, value: ContentCoding.offered)) }
        if let length = body.length, !body.isAbsent || Self.announcesAbsence(method) {
            fields.append(HTTPField(name: .contentLength, value: String(length)))
        }
        return fields
    }

    /// RFC 9110, 8.6: where a method has a meaning for a body, its absence is said.
    static func announcesAbsence(_ method: HTTPRequest.Method) -> Bool {
        method == .post || method == .put || method == .patch
    }

    /// The length is the client's to say.
    private static let leftOut: [HTTPField.Name] =
        [.connection, .contentLength] + ["Keep-Alive", "Proxy-Connection"].compactMap { HTTPField.Name($0) }
}
