package import HTTPTypes
import HoldfastTrust

extension HTTPRequest {
    /// Whether the request names this machine and shows no proxy.
    ///
    /// A page in a browser on this machine comes from loopback too, under a name of its own that points here (DNS
    /// rebinding): its `Host` shows it. So do strangers behind a reverse proxy on this machine, and not every proxy shows:
    /// nginx with only `proxy_pass` sends `Host: 127.0.0.1:PORT` and no field that says what it is. Check the address of
    /// the peer as well: ``PeerAddress/isLoopback``.
    package var namesThisMachine: Bool {
        guard let authority, !HostField.isRepeated(among: headerFields.lazy.map(\.name.rawName)) else { return false }
        return HostField(authority)?.host.isLoopback == true && !Self.forwarding.contains { headerFields.contains($0) }
    }

    private static let forwarding = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"]
        .compactMap { HTTPField.Name($0) }
}
