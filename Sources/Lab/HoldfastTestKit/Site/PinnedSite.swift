public import HoldfastTestSupport
public import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A website for tests: its certificates, its pins, and the authorities that a client under test trusts.
///
/// The site's server has a certificate of ``authority``, below an intermediate authority. The clients under test also
/// trust ``otherAuthority``, from which attackers get certificates for the same host. A client that only verifies the
/// chain therefore accepts such an attacker, and a client that pins refuses it. The pins are those of the server's key
/// and of a backup key, but a client may also pin the key of the intermediate or of ``authority``.
///
/// Keys and certificates are generated for each site. They are valid from a day before the clock's time to 90 days
/// after it. A site is safe to use from any thread.
public final class PinnedSite: Sendable {
    /// The host in the site's URLs and certificates. The certificates are also valid for `localhost` and `127.0.0.1`.
    public let host: String
    /// Mints further certificates around the site's time.
    public let factory: CertificateFactory
    /// The root authority of the site's server.
    public let authority: Identity
    /// Another root authority that the client trusts. It issues certificates for the host to attackers.
    public let otherAuthority: Identity
    /// The certificate and the key of the site's server.
    public let identity: Identity
    /// The key of the backup pin. It has no certificate.
    public let backupKey: Key
    /// Pins the keys of the server and of the backup for the host, `localhost` and `127.0.0.1`.
    public let policy: PinningPolicy
    /// The path of a PEM file with both authorities, for clients that read their roots from a file. It is deleted with
    /// the site.
    public let caFile: String
    /// The issuer of ``identity``.
    let intermediate: Identity
    private let folder: URL

    /// Creates a site with new keys. Writes ``caFile`` to the temporary folder.
    ///
    /// - Parameters:
    ///   - host: A DNS name or an IPv4 address. A client connects to the URL's host, so another name than `localhost`
    ///     must be mapped to 127.0.0.1 by the client's own configuration, such as `hostOverrides` or curl's
    ///     `--resolve`.
    ///   - clock: The clock of the clients under test, around which the certificates are valid.
    /// - Throws: ``TestKitError`` with the code `invalidHost`, or an error of the file system.
    public init(host: String = "localhost", clock: TrustClock = .system) throws {
        let canonical: CanonicalHost
        do throws(HostError) {
            canonical = try CanonicalHost(host)
        } catch {
            throw TestKitError(.invalidHost, "\(host) is not a valid host: \(error.reason)")
        }
        guard !canonical.text.contains(":") else {
            throw TestKitError(.invalidHost, "\(host) is an IPv6 address, but the servers listen on 127.0.0.1.")
        }
        self.host = canonical.text
        factory = CertificateFactory(now: clock.now())
        authority = try factory.authority("Holdfast Test Authority")
        otherAuthority = try factory.authority("Holdfast Other Authority")
        intermediate = try factory.intermediate("Holdfast Test Intermediate", signedBy: authority)
        let names = Names(host: canonical)
        identity = try factory.leaf(names.dns, ipAddresses: names.addresses, signedBy: intermediate)
        backupKey = try Key()
        policy = try Self.policy(names, keys: [identity.spkiDigest, backupKey.spkiDigest])

        folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-site-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "ca.pem")
        try Data((authority.certificatePEM + "\n" + otherAuthority.certificatePEM + "\n").utf8).write(to: file)
        caFile = file.path
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// The pinned keys: that of the server, then that of the backup.
    public var pins: [SPKIDigest] { [identity.spkiDigest, backupKey.spkiDigest] }

    /// Both authorities, as the roots of a client under test.
    public var anchors: TrustAnchors { .only([authority.view, otherAuthority.view]) }

    /// The policy with these roots, for Holdfast's own clients.
    public var trust: TrustContext { .policy(policy, anchors: anchors) }

    /// The roots without pins: the trust of a client that does not pin.
    public var unpinnedTrust: TrustContext { .system(anchors: anchors) }

    /// Returns the site's policy with another enforcement, or with addresses that receive reports of pin failures.
    public func policy(
        enforcement: PinningRule.Enforcement = .enforce, reportURIs: [String] = []
    ) throws -> PinningPolicy {
        try Self.policy(
            Names(host: CanonicalHost(host)), keys: pins, enforcement: enforcement, reportURIs: reportURIs)
    }

    /// Returns a certificate for the site's names, from another authority or with other options than the site's own.
    ///
    /// - Parameters:
    ///   - issuer: The issuer; `nil` for a self-signed certificate.
    ///   - options: The differences from a valid certificate.
    public func certificate(signedBy issuer: Identity?, _ options: CertificateOptions = .init()) throws -> Identity {
        let names = Names(host: try CanonicalHost(host))
        return try factory.leaf(names.dns, ipAddresses: names.addresses, signedBy: issuer, options)
    }

    private static func policy(
        _ names: Names, keys: [SPKIDigest], enforcement: PinningRule.Enforcement = .enforce, reportURIs: [String] = []
    ) throws -> PinningPolicy {
        let rules = try (names.dns + names.addresses).map { name in
            var rule = try PinningRule(HostPattern(name), keys: keys, enforcement: enforcement)
            rule.reportURIs = reportURIs
            return rule
        }
        return try PinningPolicy(name: "test site", rules: rules)
    }

    /// The names in the certificates and rules of a site, each once.
    private struct Names {
        var dns = ["localhost"]
        var addresses = ["127.0.0.1"]

        init(host: CanonicalHost) {
            if host.isIPLiteral {
                if !addresses.contains(host.text) { addresses.insert(host.text, at: 0) }
            } else if !dns.contains(host.text) {
                dns.insert(host.text, at: 0)
            }
        }
    }
}
