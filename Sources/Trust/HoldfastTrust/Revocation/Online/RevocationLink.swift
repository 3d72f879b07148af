/// A certificate below the anchor of a verified path, with its issuer.
struct RevocationLink: Sendable {
    /// The verified path, and the index of the certificate in it.
    var path: [CertificateView]
    var index: Int
    /// The presented certificates, among which may be those that only sign revocation lists.
    var presented: [CertificateView]
    var pointers: RevocationPointers

    var certificate: CertificateView
    var issuer: CertificateView

    /// Returns the links of a verdict's path. `scope` limits them to the server's certificate.
    static func all(of verdict: TrustVerdict, _ scope: OCSPOptions.Scope) -> [RevocationLink] {
        guard let path = verdict.path?.certificates else { return [] }
        let presented = verdict.presented?.certificates ?? []
        var all = zip(path, path.dropFirst()).enumerated().map { index, pair in
            RevocationLink(
                path: path, index: index, presented: presented, pointers: RevocationPointers(pair.0),
                certificate: pair.0, issuer: pair.1)
        }
        // In the certificate of an authority, the must-staple extension applies to the certificates that it issues (RFC
        // 7633, 4.2.2).
        for index in all.indices.dropFirst() { all[index].pointers.asksForStaple = false }
        return scope == .path ? all : Array(all.prefix(1))
    }

    /// The key under which answers about the certificate are cached.
    var key: OCSPAnswerCache.Key { OCSPAnswerCache.Key(certificate, issuer: issuer) }
}

/// The outcome of the check of one certificate.
enum RevocationOutcome: Sendable {
    /// The certificate was not revoked. The text says which source reports this.
    case good(String)
    case revoked(RevocationEntry)
    /// The responder does not know the certificate.
    case unknown
    /// The certificate is short-lived and not checked. The text says why.
    case exempt(String)
    /// No usable answer is available.
    case unavailable(RevocationFailure)

    init(_ answer: OCSPAnswer, source: String) {
        switch answer.status {
        case .good: self = .good(source)
        case .revoked(let time): self = .revoked(RevocationEntry(time: time, reason: answer.reason))
        case .unknown: self = .unknown
        }
    }
}

/// The reason why no usable answer is available.
struct RevocationFailure: Hashable, Sendable {
    /// The code of the finding.
    var finding = TrustFinding.Code.revocationUnavailable
    /// The code of the error.
    var code: String
    var reason: String

    init(_ error: OCSPError) {
        code = error.code.rawValue
        reason = error.reason
    }

    init(_ error: RevocationListError) {
        if error.code == .incomplete { finding = .revocationListIncomplete }
        code = error.code.rawValue
        reason = error.reason
    }
}
