import HoldfastBase
import HoldfastTrust

/// How to fix a policy, or a folder of certificates, that matches no key of a server.
struct ProbeAdvice: Hashable, Sendable {
    /// The warning that follows the line.
    static let caution =
        "The key may be an attacker's. Confirm it with the server's operator over another channel."

    /// Where the line belongs: a file with line and column if known, or a folder.
    var place: String
    /// The line.
    var line: String

    /// The route for `openssl s_client`.
    struct Route: Hashable, Sendable {
        /// The address to connect to.
        var address: ProbeTarget
        /// The proxy, if `openssl` supports its type.
        var proxy: ProbeTarget?

        var options: String {
            "-connect \(ShellWord(address.description))" + (proxy.map { " -proxy \(ShellWord($0.description))" } ?? "")
        }
    }

    /// Creates advice for a server that was refused because no pin matches; `nil` for other verdicts.
    init?(_ verdict: TrustVerdict, target: ProbeTarget, trust: ProbeTrust, route: Route, at now: Timestamp) {
        guard verdict.finding.code == .pinMismatch || verdict.notices.contains(where: { $0.code == .pinMismatch }),
            let leaf = verdict.path?.certificates.first ?? verdict.presented?.leaf
        else { return nil }
        switch trust {
        case .system: return nil
        case .certificates(let shelf):
            place = Printable.text(shelf.path)
            line = Self.command(leaf, target: target, folder: shelf.path, route: route)
        case .pins:
            place = "the command line"
            line = "--pin \(leaf.spkiDigest)"
        case .policy(let policy):
            let rules = trust.rules(for: target.host, at: now)
            let missing = Self.missing(rules, path: verdict.path)
            place = Self.place(in: policy, of: Set(rules.map(\.pattern)), for: missing?.scope ?? .leaf)
            line = Self.line(
                for: (missing?.certificate ?? leaf).spkiDigest, as: policy.document.format, host: target.host)
        }
    }

    /// Returns the command that puts a server's certificate into a folder, under a file name that is unique to its key.
    private static func command(
        _ leaf: CertificateView, target: ProbeTarget, folder: String, route: Route
    ) -> String {
        let name = target.serverName.map { " -servername \(ShellWord($0))" } ?? " -noservername"
        let mark = leaf.spkiDigest.base64.filter { $0.isLetter || $0.isNumber }.prefix(8)
        let file = "\(folder)/\(target.host.text.replacing(":", with: "-"))-\(mark).cer"
        return "openssl s_client \(route.options)\(name) </dev/null"
            + " | openssl x509 -outform DER -out \(Printable.text(ShellWord(file).description))"
    }

    /// Returns the list that lacks a matching pin, and the certificate to pin. If leaves and authorities have separate
    /// lists, a pin of each must match; the authorities' list is checked first. `nil` if any pin suffices.
    private static func missing(
        _ rules: [PinningRule], path: VerifiedPath?
    ) -> (scope: Pin.Scope, certificate: CertificateView)? {
        guard let certificates = path?.certificates, let leaf = certificates.first,
            rules.contains(where: \.everyScopeMustMatch)
        else { return nil }
        let pins = rules.flatMap(\.pins.pins)
        let required = rules.reduce(into: Set(pins.map(\.scope))) { $0.formUnion($1.requiredScopes) }
        let authorities = PinSet(pins.filter { $0.scope == .ca })
        if required.contains(.ca), let issuer = certificates.dropFirst().first,
            !certificates.dropFirst().contains(where: { authorities.matches($0, isLeaf: false) })
        {
            return (.ca, issuer)
        }
        return (.leaf, leaf)
    }

    /// Returns the place of the list for pins of this scope: its first such pin, or else what contains the list.
    private static func place(in policy: ProbePolicy, of patterns: Set<HostPattern>, for scope: Pin.Scope) -> String {
        func fits(_ pin: PolicyPin) -> Bool { pin.pin.map { $0.scope == .any || $0.scope == scope } ?? false }
        let domains = policy.document.domains.filter { $0.pattern.map(patterns.contains) == true }
        let domain = domains.first { $0.pins.contains(where: fits) } ?? domains.first
        let shared = domain?.pinSetName.flatMap { name in policy.document.pinSets.first { $0.name == name } }
        let own = domain?.pins.isEmpty == false
        let position =
            (own ? domain?.pins.first(where: fits)?.position : shared?.position) ?? domain?.position
        var path = (own ? domain?.path : shared?.path ?? domain?.path) ?? ""
        if policy.document.format == .pinnedDomains {
            path += scope == .ca ? ".NSPinnedCAIdentities" : ".NSPinnedLeafIdentities"
        }
        return Printable.text(policy.path) + (position.map { ":\($0)" } ?? "")
            + (path.isEmpty ? "" : " (\(Printable.text(path)))")
    }

    /// Returns a pin in a format's syntax.
    static func line(for digest: SPKIDigest, as format: PolicyFormat, host: CanonicalHost) -> String {
        switch format {
        case .holdfast: "\"\(digest)\""
        case .trustKit: "<string>\(digest.base64)</string>"
        case .pinnedDomains: "<dict><key>SPKI-SHA256-BASE64</key><string>\(digest.base64)</string></dict>"
        case .android: "<pin digest=\"SHA-256\">\(digest.base64)</pin>"
        case .okHttp: "\(host) \(digest)"
        case .hpkp: "pin-sha256=\"\(digest.base64)\""
        case .chromium: digest.description
        case .curl: "sha256//\(digest.base64)"
        }
    }
}
