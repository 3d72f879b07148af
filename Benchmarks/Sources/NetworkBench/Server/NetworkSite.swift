import ChatDevServer
import HoldfastTrust

/// The certificates of the server, as clients need them.
struct NetworkSite: Sendable {
    static let host = "localhost"

    let authority: ServerCertificateAuthority

    init() throws {
        authority = try ServerCertificateAuthority(now: TrustClock.system.now())
    }

    /// The root certificate in PEM.
    var rootPEM: String { authority.root.view.pem }
}

/// The address of a server behind a relay.
struct Address: Sendable {
    var port: Int

    var origin: String { "https://\(NetworkSite.host):\(port)" }
}
