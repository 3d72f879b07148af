import HTTPTypes
import HoldfastTrust

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
        // A page in a browser on this machine comes from loopback too: under a name of its own that it has let point here
        // (DNS rebinding). So do strangers behind a reverse proxy on this machine, and not every one
        // shows: nginx with nothing but `proxy_pass` sends `Host: 127.0.0.1:PORT` and no field that says what it is.
        guard peer.isLoopback, Self.isLocalName(request), !Self.isForwarded(request.headerFields) else {
            return Refusal(.forbidden, "forbidden", "Without a token, reports are read on the collector's own machine.")
        }
        return nil
    }

    private static func isLocalName(_ request: HTTPRequest) -> Bool {
        let isRepeated = HostField.isRepeated(among: request.headerFields.lazy.map(\.name.rawName))
        guard let authority = request.authority, !isRepeated else { return false }
        return HostField(authority)?.host.isLoopback == true
    }

    private static let forwarding = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"]
        .compactMap { HTTPField.Name($0) }

    private static func isForwarded(_ headers: HTTPFields) -> Bool {
        forwarding.contains { headers.contains($0) }
    }
}
