import HoldfastTrust

/// How to mend a policy, or a folder of certificates, that none of a server's keys matches.
struct ProbeAdvice: Hashable, Sendable {
    /// What has to be said before anything is mended.
    static let caution =
        "If someone in between has answered, this is his key. Compare it with what the server's operator says, by another way, first."

    /// Where the line goes: a file, a folder, with line and column where there are any.
    var place: String
    /// The line.
    var line: String

    /// For a server that was refused because no pin matches; `nil` for another one.
    init?(_ verdict: TrustVerdict, target: ProbeTarget, trust: ProbeTrust, at now: Timestamp) {
        guard verdict.finding.code == .pinMismatch || verdict.notices.contains(where: { $0.code == .pinMismatch }),
            let leaf = verdict.path?.certificates.first ?? verdict.presented?.leaf
        else { return nil }
        switch trust {
        case .system: return nil
        case .certificates(let shelf):
            place = Printable.text(shelf.path)
            let name = target.serverName.map { " -servername \(ShellWord($0))" } ?? " -noservername"
            let file = shelf.path + "/" + target.host.text.replacing(":", with: "-") + ".cer"
            line =
                "openssl s_client -connect \(ShellWord(target.description))\(name) </dev/null"
                + " | openssl x509 -outform DER -out \(Printable.text(ShellWord(file).description))"
        case .policy(let policy):
            let rules = Set(trust.rules(for: target.host, at: now).map(\.pattern))
            let domain = policy.document.domains.first { $0.pattern.map(rules.contains) == true }
            let shared = domain?.pinSetName.flatMap { name in policy.document.pinSets.first { $0.name == name } }
            let own = domain?.pins.isEmpty == false
            let position = own ? domain?.pins.first?.position ?? domain?.position : shared?.position ?? domain?.position
            let path = (own ? domain?.path : shared?.path ?? domain?.path) ?? ""
            place =
                Printable.text(policy.path) + (position.map { ":\($0)" } ?? "")
                + (path.isEmpty ? "" : " (\(Printable.text(path)))")
            line = Self.line(for: leaf.spkiDigest, as: policy.document.format, host: target.host)
        }
    }

    /// A pin as a format writes it.
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
