import Crypto

/// Decides whether an answer can be believed about one certificate of a verified path.
///
/// A pure function. Not checked: whether a delegated responder was itself revoked. RFC 6960, 4.2.2.2.1 leaves that to the
/// issuer, whose own rules (CA/Browser Forum, 4.9.9) ask for `ocsp-nocheck` and short lives.
struct OCSPVerification {
    let certificate: CertificateView
    /// The certificate above it on the verified path.
    let issuer: CertificateView
    /// What the answer has to hold, if the request had one.
    let nonce: [UInt8]?
    let time: Timestamp
    /// Seconds after its `thisUpdate` up to which an answer counts, whatever it says itself. A revocation counts at any age.
    let maximumAge: Int64

    /// Seconds by which the clocks of responders may be ahead.
    static let clockSkew: Int64 = 300
    /// Seconds that an answer counts which does not say when the next one is due.
    static let ageWithoutNextUpdate: Int64 = 86_400

    /// What the answer says. Throws why it cannot be believed.
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
            throw OCSPError(.nonceMismatch, "the answer does not hold the nonce of this request")
        }
        if response.producedAt > time.advanced(bySeconds: OCSPVerification.clockSkew) {
            throw OCSPError(.notYetValid, "it was made in the future (\(response.producedAt))")
        }
        if let name = relevant.lazy.compactMap(\.unhandledExtension).first { throw OCSPVerification.unhandled(name) }
        // What was revoked stays so, however old the answer that says it, and whatever else is said beside it.
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

    /// The last instant at which a status counts (RFC 6960, 4.2.2.1). Throws if it does not count now.
    private func end(of single: OCSPSingleResponse) throws(OCSPError) -> Timestamp {
        guard single.thisUpdate <= time.advanced(bySeconds: OCSPVerification.clockSkew) else {
            throw OCSPError(.notYetValid, "it is from the future (\(single.thisUpdate))")
        }
        let end =
            single.nextUpdate ?? single.thisUpdate.advanced(bySeconds: OCSPVerification.ageWithoutNextUpdate)
        guard end >= single.thisUpdate else { throw OCSPError(.malformed, "it was to be replaced before it was made") }
        guard time <= end else { throw OCSPError(.expired, "it was good until \(end)") }
        let oldest = single.thisUpdate.advanced(bySeconds: maximumAge)
        guard time <= oldest else {
            throw OCSPError(
                .expired, "it was made at \(single.thisUpdate), and counts for at most \(maximumAge) seconds")
        }
        return min(end, oldest)
    }

    // MARK: - Who signed

    /// The certificate whose key made the signature: the issuer's own, or one that the issuer gave this right
    /// (RFC 6960, 4.2.2.2). Nobody else's answer counts.
    private func signer(of response: OCSPResponse) throws(OCSPError) -> CertificateView {
        if let weakness = response.signatureAlgorithm.weakness { throw OCSPError(.badSignature, weakness) }
        var refusal = OCSPError(.unauthorizedResponder, "neither the issuer nor a delegate of it signed the answer")
        for candidate in [issuer] + response.certificates where isNamed(candidate, by: response.responder) {
            if candidate != issuer, let problem = delegationProblem(of: candidate) {
                refusal = OCSPError(.unauthorizedResponder, "\(candidate.subject) may not answer: \(problem)")
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

    /// Why a certificate that came along gives no right to answer for the issuer.
    private func delegationProblem(of delegate: CertificateView) -> String? {
        let parsed = delegate.parsed
        if let defect = delegate.defects.first { return "its certificate is malformed: \(defect)" }
        guard parsed.issuerName == issuer.parsed.subjectName else {
            return "its certificate is not the issuer's"
        }
        guard parsed.extensions.extendedKeyUsage?.allowsOCSPSigning == true else {
            return "its certificate is not for signing OCSP answers"
        }
        if let usage = parsed.extensions.keyUsage, !usage.digitalSignature { return "its key may not sign" }
        if let name = parsed.extensions.unhandledCritical.first {
            return "its certificate has the critical extension \(name), which is not processed"
        }
        if let weakness = parsed.keyAlgorithm.weakness ?? parsed.signatureAlgorithm.weakness { return weakness }
        guard let start = delegate.notBefore, let end = delegate.notAfter else { return "its certificate has no dates" }
        if time < start { return "its certificate is valid from \(start) on" }
        if time > end { return "its certificate was valid until \(end)" }
        guard SignatureCheck.isValid(parsed, signedBy: issuer.parsed) else {
            return "its certificate was not signed by the issuer"
        }
        return nil
    }
}

/// Why an OCSP answer cannot be used.
public struct OCSPError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The certificate names no responder that can be asked.
        public static let noResponder = Code(rawValue: "noResponder")
        /// The request failed on its way.
        public static let unreachable = Code(rawValue: "unreachable")
        /// There was no answer in time.
        public static let timedOut = Code(rawValue: "timedOut")
        /// More bytes than an answer may have.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The bytes are no OCSP answer.
        public static let malformed = Code(rawValue: "malformed")
        /// The responder says that it has no answer: it is busy, broken, or not for this certificate.
        public static let notSuccessful = Code(rawValue: "notSuccessful")
        /// The answer has a critical extension that is not processed.
        public static let unhandledCriticalExtension = Code(rawValue: "unhandledCriticalExtension")
        /// The answer is not about the certificate that was asked about.
        public static let otherCertificate = Code(rawValue: "otherCertificate")
        /// The answer is not the one to this request: its nonce is missing or another.
        public static let nonceMismatch = Code(rawValue: "nonceMismatch")
        /// Nobody who may answer for the issuer signed the answer.
        public static let unauthorizedResponder = Code(rawValue: "unauthorizedResponder")
        /// The signature does not verify, or uses an algorithm that cannot be relied on.
        public static let badSignature = Code(rawValue: "badSignature")
        /// The answer is from the future.
        public static let notYetValid = Code(rawValue: "notYetValid")
        /// The answer is too old.
        public static let expired = Code(rawValue: "expired")
    }

    /// The kind of failure.
    public var code: Code
    /// Words for a person, without a full stop.
    public var reason: String
    /// The offset of the offending byte, where known.
    public var offset: Int?

    /// Makes an error.
    public init(_ code: Code, _ reason: String, offset: Int? = nil) {
        self.code = code
        self.reason = reason
        self.offset = offset
    }

    public var description: String { "\(code.rawValue): \(reason)" }

    static func malformed(_ fault: DERFault) -> OCSPError {
        OCSPError(.malformed, "at byte \(fault.offset), \(fault.reason.rawValue)", offset: fault.offset)
    }
}
