import HTTPTypes
import ServerKit

/// Decides who may read reports, which contain hosts, apps and installations.
struct ReadAccess: Sendable {
    /// The readers' token.
    let token: ReaderToken?
    /// Whether requests from this machine may read without a token. If not, reading is disabled without a token.
    let allowsThisMachine: Bool

    /// Returns why a request may not read; `nil` if it may.
    func refusal(of request: HTTPRequest, from peer: PeerAddress) -> Refusal? {
        if let token {
            guard token.isShown(by: request.headerFields[.authorization]) else {
                return Refusal(
                    .unauthorized, "unauthorized", "Reading reports needs a token: Authorization: Bearer TOKEN.",
                    headers: [.wwwAuthenticate: "Bearer"])
            }
            return nil
        }
        guard allowsThisMachine else {
            return Refusal(
                .forbidden, "forbidden",
                "Reading reports needs a token, because other machines or a proxy may connect: configure one."
            )
        }
        guard peer.isLoopback, request.namesThisMachine else {
            return Refusal(
                .forbidden, "forbidden", "Without a token, reports can only be read on the collector's own machine.")
        }
        return nil
    }
}
