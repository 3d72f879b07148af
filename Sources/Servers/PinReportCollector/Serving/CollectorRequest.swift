import HTTPTypes
import ServerKit

/// The parsed head of a request.
struct CollectorRequest: Sendable {
    let head: HTTPRequest
    let peer: PeerAddress
    /// The path without its query, as sent. It is not decoded, and only exact paths are served.
    let path: String
    let query: Substring?

    init(_ head: HTTPRequest, from peer: PeerAddress) {
        self.head = head
        self.peer = peer
        let parts = (head.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first.map(String.init) ?? "/"
        query = parts.count == 2 ? parts[1] : nil
    }
}
