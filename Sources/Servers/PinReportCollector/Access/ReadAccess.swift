import HTTPTypes
import ServerKit

/// Who may read reports: they name hosts, apps and installations.
struct ReadAccess: Sendable {
    /// The token that readers show.
    let token: ReaderToken?
    /// Whether this machine reads where there is no token; else nobody does.
    let allowsThisMachine: Bool

    /// What is wrong with a request to read; `nil` if nothing is.
    func refusal(of request: HTTPRequest, from peer: PeerAddress) -> Refusal? {
        if let token {
            guard token.isShown(by: request.headerFields[.authorization]) else {
                return Refusal(
                    .unauthorized, "unauthorized", "Reports are read with a token: Authorization: Bearer TOKEN.",
                    headers: [.wwwAuthenticate: "Bearer"])
            }
            return nil
        }
        guard allowsThisMachine else {
            return Refusal(
                .forbidden, "forbidden",
                "Reports are read with a token alone where other machines, or a proxy, may be on the other side: set one."
            )
        }
        guard peer.isLoopback, request.namesThisMachine else {
            return Refusal(.forbidden, "forbidden", "Without a token, reports are read on the collector's own machine.")
        }
        return nil
    }
}
