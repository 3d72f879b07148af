package import ChatWire

/// How an upgrade to WebSocket is refused.
package struct UpgradeRefusal: Hashable, Sendable {
    /// The HTTP status.
    package var status: Int
    package var failure: ErrorAnswer
    /// The number of seconds in a `Retry-After` field.
    package var retryAfter: Int64?

    package init(status: Int, _ failure: ErrorAnswer, retryAfter: Int64? = nil) {
        self.status = status
        self.failure = failure
        self.retryAfter = retryAfter
    }
}
