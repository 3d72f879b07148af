/// Which requests may be sent a second time after a server may have seen them.
public enum RetriedMethods: Hashable, Sendable {
    /// Those whose method is idempotent (RFC 9110, 9.2.2: `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PUT`, `DELETE`), and those
    /// that carry an `Idempotency-Key`. The others are sent again only if they never left.
    case idempotent
    /// All, as GentleNetworking does it: an order whose answer is lost is placed twice.
    case all

    /// Whether a request with this method may be repeated after it has been sent.
    func allow(method: String?, hasKey: Bool) -> Bool {
        switch self {
        case .all: true
        case .idempotent:
            hasKey || ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(method ?? "GET")
        }
    }
}
