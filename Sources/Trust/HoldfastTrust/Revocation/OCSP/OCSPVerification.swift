import Crypto

/// Verifies an OCSP answer about one certificate of a verified path. A pure function.
///
/// Deliberately not checked: whether a delegated responder was itself revoked. RFC 6960, 4.2.2.2.1 leaves this to the
/// issuer, and the CA/Browser Forum (4.9.9) requires `ocsp-nocheck` and short lifetimes.
struct OCSPVerification {
    let certificate: CertificateView
    /// The next certificate on the verified path.
    let issuer: CertificateView
    /// The nonce of the request, if any. The answer must contain it.
    let nonce: [UInt8]?
    let time: Timestamp
    /// The maximum age of an answer in seconds since its `thisUpdate`, regardless of its own validity. A revocation is
    /// valid at any age.
    let maximumAge: Int64

    /// The number of seconds by which the clock of a responder may be ahead.
    static let clockSkew: Int64 = 300
    /// The number of seconds for which an answer without `nextUpdate` is valid.
    static let ageWithoutNextUpdate: Int64 = 86_400

    /// Returns the content of the answer. Throws the reason why it cannot be used.
    func answer(_ response: OCSPResponse) throws(OCSPError) -> OCSPAnswer {
        if let name = response.unhandledExtension { throw OCSPVerification.unhandled(name) }
        let relevant = response.responses.filter {
            $0.certificateID?.isName(of: certificate, issuer: issuer) == true
        }
        guard !relevant.isEmpty else {
            throw OCSPError(.otherCertificate, "the answer is not about this certificate")
        }
        let signer = try signer(of: response)
        guard nonce == nil || nonce == response.nonce else {
            throw OCSPError(.nonceMismatch, "the answer does not contain the nonce of this request")
        }
        if response.producedAt > time.advanced(bySeconds: OCSPVerification.clockSkew) {
            throw OCSPError(.notYetValid, "the answer was produced in the future (\(response.producedAt))")
        }
        if let name = relevant.lazy.compactMap(\.unhandledExtension).first { throw OCSPVerification.unhandled(name) }
        // A revocation is permanent, regardless of the age of the answer and of its other statuses.
        for single in relevant {
            if case .revoked = single.status {
                return OCSPAnswer(
                    status: single.status, thisUpdate: single.thisUpdate, until: single.nextUpdate ?? single.thisUpdate)
            }
        }
        var answers: [OCSPAnswer] = []
        for single in relevant {
            var end = try end(of: single)
            if signer != issuer, let lifetime = signer.notAfter { end = min(end, lifetime) }
            answers.append(OCSPAnswer(status: single.status, thisUpdate: single.thisUpdate, until: end))
        }
        let cautious = answers.first { $0.status == .unknown } ?? answers.first
        guard let cautious else { throw OCSPError(.otherCertificate, "the answer is not about this certificate") }
        return cautious
    }

    private static func unhandled(_ name: String) -> OCSPError {
        OCSPError(.unhandledCriticalExtension, "the critical extension \(name) is not processed")
    }

    /// Returns the last instant at which a status is valid (RFC 6960, 4.2.2.1). Throws if it is not valid now.
    private func end(of single: OCSPSingleResponse) throws(OCSPError) -> Timestamp {
        guard single.thisUpdate <= time.advanced(bySeconds: OCSPVerification.clockSkew) else {
            throw OCSPError(.notYetValid, "the answer is dated in the future (\(single.thisUpdate))")
        }
        let end =
            single.nextUpdate ?? single.thisUpdate.advanced(bySeconds: OCSPVerification.ageWithoutNextUpdate)
        guard end >= single.thisUpdate else { throw OCSPError(.malformed, "the answer expires before it was issued") }
        guard time <= end else { throw OCSPError(.expired, "the answer expired at \(end)") }
        let oldest = single.thisUpdate.advanced(bySeconds: maximumAge)
        guard time <= oldest else {
            throw OCSPError(
                .expired, "the answer is from \(single.thisUpdate), and the maximum age is \(maximumAge) seconds")
        }
        return min(end, oldest)
    }

    // MARK: - Signer

    /// Returns the certificate whose key made the signature: the issuer's own, or a delegate that the issuer authorized
    /// (RFC 6960, 4.2.2.2). Answers of other signers are refused.
    private func signer(of response: OCSPResponse) throws(OCSPError) -> CertificateView {
        if let weakness = response.signatureAlgorithm.weakness { throw OCSPError(.badSignature, weakness) }
        var refusal = OCSPError(.unauthorizedResponder, "neither the issuer nor its delegate signed the answer")
        for candidate in [issuer] + response.certificates where isNamed(candidate, by: response.responder) {
            if candidate != issuer, let problem = delegationProblem(of: candidate) {
                refusal = OCSPError(
                    .unauthorizedResponder, "\(candidate.subject) is not authorized to answer: \(problem)")
                continue
            }
            let isSigned = SignatureCheck.isValid(
                message: response.der[response.signed], signature: response.der[response.signature],
                response.signatureAlgorithm, key: candidate.parsed)
            if isSigned { return candidate }
            refusal = OCSPError(.badSignature, "the signature was not made by \(candidate.subject)")
        }
        throw refusal
    }

    private func isNamed(_ candidate: CertificateView, by responder: OCSPResponse.Responder) -> Bool {
        switch responder {
        case .name(let name): candidate.parsed.subjectName == NameDigest(name.indices, in: name)
        case .key(let hash): Array(Insecure.SHA1.hash(data: candidate.rawKey)) == hash
        }
    }

    /// Returns the reason why a certificate in the answer is not authorized to answer for the issuer, or `nil` if it is
    /// authorized.
    private func delegationProblem(of delegate: CertificateView) -> String? {
        let parsed = delegate.parsed
        if let defect = delegate.defects.first { return "its certificate is malformed: \(defect)" }
        guard parsed.issuerName == issuer.parsed.subjectName else {
            return "its certificate was not issued by the issuer"
        }
        guard parsed.extensions.extendedKeyUsage?.allowsOCSPSigning == true,
            parsed.extensions.applicationPolicies?.allowsOCSPSigning ?? true
        else {
            return "its certificate does not allow signing OCSP answers"
        }
        if let usage = parsed.extensions.keyUsage, !usage.digitalSignature {
            return "its key usage does not allow signing"
        }
        if let name = parsed.extensions.unhandledCritical.first ?? parsed.extensions.policy?.criticalConstraint {
            return "its certificate has the critical extension \(name), which is not processed"
        }
        if let weakness = parsed.keyAlgorithm.weakness ?? parsed.signatureAlgorithm.weakness { return weakness }
        guard let start = delegate.notBefore, let end = delegate.notAfter else {
            return "its certificate has no validity dates"
        }
        if time < start { return "its certificate is not valid before \(start)" }
        if time > end { return "its certificate expired at \(end)" }
        guard SignatureCheck.isValid(parsed, signedBy: issuer.parsed) else {
            return "its certificate was not signed by the issuer"
        }
        return nil
    }
}
