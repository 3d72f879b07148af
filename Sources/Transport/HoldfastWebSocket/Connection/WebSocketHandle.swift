/// What the program holds of a connection. When nobody holds it any more, the connection is closed.
final class WebSocketHandle: Sendable {
    let link: WebSocketLink

    init(link: WebSocketLink) {
        self.link = link
    }

    deinit {
        link.dropped()
    }
}
