package import HTTPTypes

/// The head of an HTTP/1.1 response, to be written.
package struct ResponseHead: Hashable, Sendable {
    package var status: HTTPResponse.Status
    package var fields: HTTPFields

    package init(status: HTTPResponse.Status, fields: HTTPFields) {
        self.status = status
        self.fields = fields
    }

    /// The head's bytes. A field's value holds no line break: its type sees to that.
    package var bytes: [UInt8] {
        var text = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        for field in fields {
            text += "\(field.name.rawName): \(field.value)\r\n"
        }
        return Array((text + "\r\n").utf8)
    }
}

extension WebSocketRejection {
    /// The whole answer, body included. The connection is closed behind it.
    package var bytes: [UInt8] {
        let body = Array((reason + "\n").utf8)
        var fields = headers
        fields[.contentType] = "text/plain; charset=utf-8"
        fields[.contentLength] = String(body.count)
        fields[.connection] = headers[.upgrade] == nil ? "close" : "close, Upgrade"
        return ResponseHead(status: statusWithPhrase, fields: fields).bytes + body
    }

    /// The status with the usual words, for those who read it in a capture.
    private var statusWithPhrase: HTTPResponse.Status {
        let known: [HTTPResponse.Status] = [
            .badRequest, .unauthorized, .forbidden, .notFound, .upgradeRequired, .tooManyRequests,
            .internalServerError, .serviceUnavailable,
        ]
        return known.first { $0.code == status } ?? HTTPResponse.Status(code: status)
    }
}
