/// What a server answered to a `RESTRequest`, read.
package enum RESTAnswer: Hashable, Sendable {
    case configuration(ConfigurationAnswer)
    case history(HistoryAnswer)
    case unread(UnreadAnswer)
    case search(SearchAnswer)
    /// The device is deleted.
    case deviceDeleted
    /// A status outside of 200 to 299, with what the body says where it says something, and how long the server asks to
    /// wait.
    case refused(status: Int, ErrorAnswer?, retryAfterMilliseconds: Int64?)
    /// A good status with a body that is not the answer to this request.
    case unreadable(WireError)

    /// Reads the answer to `request`; `retryAfterMilliseconds` is what the header `Retry-After` said.
    package init(
        to request: RESTRequest, status: Int, body: [UInt8], retryAfterMilliseconds: Int64? = nil,
        limits: JSONLimits = .answer, dialect: ChatDialect = .documented
    ) {
        guard (200..<300).contains(status) else {
            self = .refused(
                status: status, ErrorAnswer(parsing: body, dialect: dialect),
                retryAfterMilliseconds: retryAfterMilliseconds)
            return
        }
        do {
            switch request {
            case .configuration:
                self = .configuration(
                    try ConfigurationAnswer(parsing: body, limits: limits, dialect: dialect))
            case .history: self = .history(try HistoryAnswer(parsing: body, limits: limits, dialect: dialect))
            case .unread: self = .unread(try UnreadAnswer(parsing: body, limits: limits, dialect: dialect))
            case .search: self = .search(try SearchAnswer(parsing: body, limits: limits, dialect: dialect))
            case .deleteDevice: self = .deviceDeleted
            }
        } catch {
            self = .unreadable(error)
        }
    }
}

/// A call of the REST interface as a value; `ChatDialect` gives it its path.
package enum RESTRequest: Hashable, Sendable {
    case configuration(appMarker: String?, apiVersion: Int64)
    case history(HistoryRequest)
    case unread
    /// `page` counts from 0.
    case search(query: String, page: Int64, size: Int64)
    /// Deletes the caller's device after a logout, so that the server sends no more pushes to it.
    case deleteDevice
}

/// The answer to the unread call.
package struct UnreadAnswer: Hashable, Sendable {
    package var count: Int64
    package var extra: JSONObject = [:]

    package init(count: Int64) {
        self.count = count
    }

    package init(
        parsing bytes: [UInt8], limits: JSONLimits = .answer, dialect: ChatDialect = .documented
    ) throws(WireError) {
        var fields = FieldReader(try JSONValue.object(parsing: bytes, limits: limits, in: "unread", dialect))
        count = try fields.integer("count").required("count", in: "unread")
        extra = fields.rest
    }

    package var bytes: [UInt8] { bytes(in: .documented) }

    /// The answer as JSON in the words of `dialect`.
    package func bytes(in dialect: ChatDialect) -> [UInt8] {
        var object: JSONObject = ["count": .integer(count)]
        object.append(missingFrom: extra)
        return dialect.written(object)
    }
}
