package import HoldfastTrust

/// Everything that a diagnosis of an incident uses. A diagnosis is a pure function of this value.
package struct IncidentEvidence: Hashable, Sendable {
    /// The clocks of one report.
    package struct Clocks: Hashable, Sendable {
        /// The app's time when the connection failed.
        package var reportedAt: Timestamp
        /// The collector's time when the report arrived.
        package var receivedAt: Timestamp

        /// Creates a pair of times.
        package init(reportedAt: Timestamp, receivedAt: Timestamp) {
            self.reportedAt = reportedAt
            self.receivedAt = receivedAt
        }
    }

    /// The host that the apps connected to.
    package var host: CanonicalHost
    /// The app's identifier; empty if the reports do not contain it.
    package var application: String
    /// The result of the evaluation in TrustKit's terms; `nil` for reports of RFC 7469, which have none.
    package var result: TrustKitResult?
    /// The chain of the newest report that has certificates.
    package var chain: DecodedChain
    /// The pins that the apps expected, such as `sha256/…`.
    package var expectedPins: [String]
    /// The policies that the desk knows.
    package var catalog: PolicyCatalog
    /// The other hosts whose recent incidents show a chain with the same root, sorted.
    package var hostsWithSameRoot: [String]
    /// The authorities that the collector's system trusts.
    package var authorities: PublicAuthorities
    /// The clocks of recent reports.
    package var clocks: [Clocks]
    /// The end of the expected pins; `nil` if they do not end, or no report contains it.
    package var pinsEnd: Timestamp?
    /// The current time.
    package var now: Timestamp

    /// Creates evidence.
    package init(
        host: CanonicalHost, application: String, result: TrustKitResult?, chain: DecodedChain,
        expectedPins: [String], catalog: PolicyCatalog = PolicyCatalog(), hostsWithSameRoot: [String] = [],
        authorities: PublicAuthorities = PublicAuthorities(), clocks: [Clocks] = [], pinsEnd: Timestamp? = nil,
        now: Timestamp
    ) {
        self.host = host
        self.application = application
        self.result = result
        self.chain = chain
        self.expectedPins = expectedPins
        self.catalog = catalog
        self.hostsWithSameRoot = hostsWithSameRoot
        self.authorities = authorities
        self.clocks = clocks
        self.pinsEnd = pinsEnd
        self.now = now
    }

    /// Whether the chain leads to an authority that the collector's system trusts; `nil` if that is not known.
    package var isPubliclyTrusted: Bool? { authorities.trusts(chain) }

    /// The certificates whose keys the apps expected.
    package var expectedCertificates: [DecodedCertificate] {
        chain.readable.filter { expectedPins.contains($0.pin) }
    }
}

/// The authorities that a system trusts, by name and key. A comparison, not a verification: signatures are not checked.
package struct PublicAuthorities: Hashable, Sendable {
    private let pins: Set<String>
    private let names: Set<String>

    /// Creates authorities from root certificates. Without any, nothing is known.
    package init(_ roots: [DecodedCertificate] = []) {
        pins = Set(roots.map(\.pin))
        names = Set(roots.map(\.subject))
    }

    /// Returns whether a chain ends in one of the authorities, or in a certificate that names one as its issuer. `nil`
    /// without authorities, or for a chain without readable certificates.
    package func trusts(_ chain: DecodedChain) -> Bool? {
        guard !pins.isEmpty, let last = chain.readable.last else { return nil }
        guard !pins.contains(last.pin) else { return true }
        // Anyone can make a certificate with the name of a root. A self-issued one must have the root's key.
        return !last.isSelfIssued && names.contains(last.issuer)
    }
}
