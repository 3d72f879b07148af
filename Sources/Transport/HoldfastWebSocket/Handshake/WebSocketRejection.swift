package import HTTPTypes

/// A server's answer to an upgrade that it does not grant.
package struct WebSocketRejection: Hashable, Sendable {
    /// The status code: not 1xx, and not 2xx, which a client could take for something else.
    package var status: Int
    /// Header fields beside those that describe the body.
    package var headers: HTTPFields
    /// One sentence, sent as a body of plain text.
    package var reason: String

    package init(status: Int, headers: HTTPFields = [:], reason: String) {
        self.status = (300..<600).contains(status) ? status : 500
        self.headers = headers
        self.reason = reason
    }
}
