/// The host application's token and where it goes.
package struct WireCredentials: Hashable, Sendable {
    package enum Method: String, Hashable, Sendable {
        case headers
        case cookies
    }

    package var token: String?
    package var scheme: String?
    package var method: Method

    package init(token: String? = nil, scheme: String? = nil, method: Method = .headers) {
        self.token = token
        self.scheme = scheme
        self.method = method
    }
}
