import ChatDevServer
import Foundation
import HoldfastTrust

/// The certificates of the server, as clients need them.
struct NetworkSite: Sendable {
    static let host = "localhost"

    let authority: ServerCertificateAuthority

    init() throws {
        authority = try ServerCertificateAuthority(now: TrustClock.system.now())
    }

    /// The root certificate in PEM.
    var rootPEM: String {
        let base64 = Data(authority.root.certificateDER)
            .base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
    }
}

/// The address of a server behind a relay.
struct Address: Sendable {
    var port: Int

    var origin: String { "https://\(NetworkSite.host):\(port)" }
}
