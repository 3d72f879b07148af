package import HTTPTypes

/// A proper request for an upgrade, as a server sees it.
package struct WebSocketUpgradeRequest: Sendable {
    /// Path and query, as they were sent.
    package let target: String
    /// The value of `Host`.
    package let host: String
    /// All header fields. They may hold credentials.
    package let headers: HTTPFields
    /// The subprotocols that the client offers, the most wanted first.
    package let subprotocols: [String]
    /// The extensions that the client offers, the most wanted first.
    package let extensions: [ExtensionOffer]
    /// The key that has to be answered.
    package let key: WebSocketKey

    package init(
        target: String, host: String, headers: HTTPFields, subprotocols: [String],
        extensions: [ExtensionOffer] = [], key: WebSocketKey
    ) {
        self.target = target
        self.host = host
        self.headers = headers
        self.subprotocols = subprotocols
        self.extensions = extensions
        self.key = key
    }

    /// The path without the query.
    package var path: String { String(target.prefix { $0 != "?" }) }

    /// What a browser says of the page that asks. A server that knows its users by cookies must look at it (RFC 6455,
    /// 10.2).
    package var origin: String? { HTTPField.Name("Origin").flatMap { headers[$0] } }
}
