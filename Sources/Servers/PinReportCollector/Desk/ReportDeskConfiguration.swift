public import HoldfastTrust
import PinReportDesk
import PinReports
import ServerKit

/// The configuration of a collector's report desk: its pages, metrics and webhook.
public struct ReportDeskConfiguration: Sendable {
    /// Whether the collector serves the desk at `/desk`.
    public var isEnabled = true
    /// The origin at which browsers see the desk, such as `https://desk.example.com`. Required behind a reverse proxy
    /// that terminates TLS. Without it, the origin is that of each request.
    public var origin: String?
    /// The policies that the desk compares reports with, and changes in drafts. At most 1,000.
    public var knownPolicies: [ReportDeskPolicy] = []
    /// The public authorities that the desk compares chains with, usually the roots of the system. Without them, the
    /// desk cannot tell a public authority from another one.
    public var authorities: [CertificateView] = []
    /// The token for `GET /metrics`, sent as `Authorization: Bearer …`. Without one, only this machine may read the
    /// metrics, under the same conditions as for reading without a token.
    public var metricsToken: ReaderToken?
    /// The webhook that is told about new incidents.
    public var webhook: ReportWebhook?
    /// The roll-outs that are watched, at most ``ReportRollout/limit``. All collectors that share a database need the
    /// same ones.
    public var rollouts: [ReportRollout] = []
    /// The key and the file for halts, if the collector publishes them by itself. Only for one roll-out. Without it,
    /// the desk shows the command for a person.
    public var haltOutput: ReportHaltOutput?

    /// Creates a configuration with the defaults.
    public init() {}

    /// Throws for invalid settings.
    func check() throws(ReportCollectorError) {
        if let origin, WebOrigin(origin) == nil {
            throw ReportCollectorError(
                .invalidConfiguration, "The desk's origin must have the form https://HOST or https://HOST:PORT.")
        }
        try checkRollouts()
        guard knownPolicies.count + rollouts.count <= PolicyCatalog.limit else {
            throw ReportCollectorError(
                .invalidConfiguration, "The desk can know at most \(PolicyCatalog.limit) policies.")
        }
    }

    private func checkRollouts() throws(ReportCollectorError) {
        guard rollouts.count <= ReportRollout.limit else {
            throw ReportCollectorError(
                .invalidConfiguration, "The collector can watch at most \(ReportRollout.limit) roll-outs.")
        }
        guard Set(rollouts.map(\.plan.id)).count == rollouts.count else {
            throw ReportCollectorError(.invalidConfiguration, "A roll-out is given twice.")
        }
        guard let haltOutput else { return }
        guard rollouts.count == 1 else {
            throw ReportCollectorError(
                .invalidConfiguration, "A halt file is for one roll-out, but \(rollouts.count) are given.")
        }
        guard !rollouts.contains(where: { $0.bundle.isSigned(by: haltOutput.signer) }) else {
            throw ReportCollectorError(
                .invalidConfiguration,
                "The halt key has signed the bundle: the collector must never have a key for bundles. Create another "
                    + "key with holdfast bundle keygen --role halt.")
        }
    }

    /// Throws if the halt file cannot be used. Blocks on the disk.
    func checkHaltFile() throws(ReportCollectorError) {
        guard let haltOutput, let application = rollouts.first?.plan.id.application else { return }
        do throws(HaltFile.Failure) {
            try HaltFile(haltOutput, application: application, entropy: 0).check()
        } catch {
            throw ReportCollectorError(.invalidConfiguration, error.reason)
        }
    }

    /// The policies as a catalog.
    var catalog: PolicyCatalog {
        let watched = rollouts.map(\.known)
        // A watched bundle may also be given as a known policy.
        return PolicyCatalog(
            watched
                + knownPolicies.map(\.known).filter { policy in
                    !watched.contains { $0.version == policy.version && $0.application == policy.application }
                })
    }
    /// The authorities for comparisons.
    var publicAuthorities: PublicAuthorities { PublicAuthorities(authorities.map { DecodedCertificate($0) }) }
}

/// A policy that the desk knows: a signed bundle, or a policy file in Holdfast's format. The desk does not verify
/// signatures, because apps do.
public struct ReportDeskPolicy: Sendable {
    /// The name of the file.
    public let name: String
    let known: KnownPolicy

    /// Reads a bundle or a policy file.
    ///
    /// - Throws: ``ReportCollectorError/Code/invalidConfiguration`` if the contents are neither, or have errors.
    public init(name: String, contents: [UInt8]) throws(ReportCollectorError) {
        guard let known = KnownPolicy(name: name, contents: contents) else {
            throw ReportCollectorError(
                .invalidConfiguration,
                "The file \(name) is neither a bundle nor a valid policy in Holdfast's format. Check it with "
                    + "holdfast lint or holdfast bundle verify.")
        }
        self.name = name
        self.known = known
    }
}
