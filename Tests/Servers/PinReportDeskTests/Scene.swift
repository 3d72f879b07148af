import Foundation
import HoldfastTestSupport
import HoldfastTrust
import PinReports
import Testing

@testable import PinReportDesk

/// Certificates and policies of a shop whose server changes its key, made for the run.
struct Scene: Sendable {
    static let now = CertificateFactory.referenceTime
    static let app = "com.example.shop"

    let host: CanonicalHost
    /// A public authority, and one that an interceptor has made.
    let publicRoot: Identity
    let foreignRoot: Identity
    /// The key that apps expect, the server's new key, and a backup.
    let current: Identity
    let changed: Identity
    let intercepted: Identity
    let elsewhere: Identity

    /// Created once for all tests, because they do not modify it.
    static let shared = Result { try Scene() }

    private init() throws {
        let factory = CertificateFactory()
        host = try CanonicalHost("api.example.com")
        publicRoot = try factory.authority("Public Root")
        foreignRoot = try factory.authority("Company Proxy")
        current = try factory.leaf(["api.example.com"], signedBy: publicRoot)
        changed = try factory.leaf(["api.example.com", "*.cdn.example.com"], signedBy: publicRoot)
        intercepted = try factory.leaf(["api.example.com"], signedBy: foreignRoot)
        elsewhere = try factory.leaf(["login.hotel.example"], signedBy: publicRoot)
    }

    func chain(_ identities: Identity...) -> DecodedChain {
        DecodedChain(identities.map { DecodedCertificate($0.view) })
    }

    func pin(_ identity: Identity) -> String { identity.view.spkiDigest.description }

    var authorities: PublicAuthorities { PublicAuthorities([DecodedCertificate(publicRoot.view)]) }

    /// A pin that no server has.
    static let backup = SPKIDigest(hashing: [1]).description

    /// Evidence of a server that shows a key that nobody has pinned.
    var evidence: IncidentEvidence {
        IncidentEvidence(
            host: host, application: Self.app, result: .failedNoMatchingPin, chain: chain(changed, publicRoot),
            expectedPins: [pin(current), Self.backup], authorities: authorities,
            clocks: [.init(reportedAt: Self.now, receivedAt: Self.now.advanced(bySeconds: 5))], now: Self.now)
    }

    /// A policy for the host.
    func policy(
        _ pins: [String], version: Int64? = nil, name: String = "shop.bundle", scope: String? = nil,
        expires: String? = nil
    ) throws -> KnownPolicy {
        let list = pins.map { pin in
            let value = pin.replacing("sha256/", with: "")
            return scope.map { "{\"sha256\": \"\(value)\", \"scope\": \"\($0)\"}" } ?? "\"sha256/\(value)\""
        }
        let end = expires.map { ", \"expires\": \"\($0)\"" } ?? ""
        let text = """
            {"holdfast": 1, "name": "shop", "domains": [
              {"host": "example.com", "includesSubdomains": true, "pins": [\(list.joined(separator: ", "))]\(end)},
              {"host": "status.example.com", "excluded": true}]}
            """
        var policy = try #require(KnownPolicy(name: name, contents: Array(text.utf8)))
        policy.version = version
        policy.application = version == nil ? nil : Self.app
        return policy
    }

    func kinds(_ evidence: IncidentEvidence) -> [IncidentDiagnosis.Kind] {
        IncidentDiagnosis.all(evidence).map(\.kind)
    }
}
