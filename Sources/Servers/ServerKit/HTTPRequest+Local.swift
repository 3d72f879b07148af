package import HTTPTypes
import HoldfastTrust

extension HTTPRequest {
    /// Whether the request names this machine and shows no sign of a proxy.
    ///
    /// A web page in a browser on this machine also connects from loopback, under its own host name that resolves to a
    /// loopback address (DNS rebinding). Its `Host` field reveals that. Remote clients behind a local reverse proxy
    /// connect from loopback, too, and not every proxy is visible: nginx with only `proxy_pass` sends `Host:
    /// 127.0.0.1:PORT` and no proxy fields. Check the peer's address as well: ``PeerAddress/isLoopback``.
    package var namesThisMachine: Bool {
        guard let authority, !HostField.isRepeated(among: headerFields.lazy.map(\.name.rawName)) else { return false }
        return HostField(authority)?.host.isLoopback == true && !Self.forwarding.contains { headerFields.contains($0) }
    }

    private static let forwarding = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"]
        .compactMap { HTTPField.Name($0) }
}
