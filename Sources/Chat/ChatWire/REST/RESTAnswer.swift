/// The parsed answer to a `RESTRequest`.
package enum RESTAnswer: Hashable, Sendable {
    case configuration(ConfigurationAnswer)
    case history(HistoryAnswer)
    case unread(UnreadAnswer)
    case search(SearchAnswer)
    /// The device was deleted.
    case deviceDeleted
    /// A status outside 200 to 299, with the error in the body if there is one, and the delay that the server
    /// requested.
    case refused(status: Int, ErrorAnswer?, retryAfterMilliseconds: Int64?)
    /// A successful status with a body that is not a valid answer to the request.
    case unreadable(WireError)

    /// Reads the answer to a request.
    ///
    /// - Parameter retryAfterMilliseconds: The value of the header `Retry-After`.
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

/// A call of the REST interface. `ChatDialect` provides its path.
package enum RESTRequest: Hashable, Sendable {
    case configuration(appMarker: String?, apiVersion: Int64)
    case history(HistoryRequest)
    case unread
    /// A search. `page` counts from 0.
    case search(query: String, page: Int64, size: Int64)
    /// Deletes the client's device after a logout, so that the server stops sending pushes to it.
    case deleteDevice
}

/// The answer to the call for the unread count.
package struct UnreadAnswer: Hashable, Sendable {
    package var count: Int64
    /// The date of the conversation's newest message at the time of the count; `nil` if the server does not send it.
    /// Messages with a later date are not counted.
    package var lastDate: Int64?
    package var extra: JSONObject = [:]

    package init(count: Int64, lastDate: Int64? = nil) {
        self.count = count
        self.lastDate = lastDate
    }

    package init(
        parsing bytes: [UInt8], limits: JSONLimits = .answer, dialect: ChatDialect = .documented
    ) throws(WireError) {
        var fields = FieldReader(try JSONValue.object(parsing: bytes, limits: limits, in: "unread", dialect))
        count = try fields.integer("count").required("count", in: "unread")
        lastDate = fields.time("lastDate")
        extra = fields.rest
    }

    package var bytes: [UInt8] { bytes(in: .documented) }

    /// Returns the answer as JSON with the names of `dialect`.
    package func bytes(in dialect: ChatDialect) -> [UInt8] {
        var object: JSONObject = ["count": .integer(count)]
        object.set("lastDate", time: lastDate)
        object.append(missingFrom: extra)
        return dialect.written(object)
    }
}
