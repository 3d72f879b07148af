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
    case refused(status: Int, WireFailure?, retryAfterMilliseconds: Int64?)
    /// A good status with a body that is not the answer to this request.
    case unreadable(WireError)

    /// Reads the answer to `request`; `retryAfterMilliseconds` is what the header `Retry-After` said.
    package init(
        to request: RESTRequest, status: Int, body: [UInt8], retryAfterMilliseconds: Int64? = nil,
        limits: JSONLimits = .answer, dialect: ChatDialect = .documented
    ) {
        guard (200..<300).contains(status) else {
            self = .refused(
                status: status, WireFailure(parsing: body, dialect: dialect),
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
