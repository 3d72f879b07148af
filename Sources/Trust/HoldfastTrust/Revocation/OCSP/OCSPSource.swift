import HoldfastBase

/// Asks OCSP responders about certificates, and remembers their verified answers.
struct OCSPSource: Sendable {
    var requester: any OCSPRequester
    var hash: OCSPHash
    var nonce: (@Sendable () -> [UInt8])?
    /// The maximum age of an answer in seconds.
    var maximumAge: Int64
    var cache: OCSPAnswerCache

    /// Returns the cached answer about a certificate, if it is valid.
    func known(_ link: RevocationLink, at time: Timestamp) -> RevocationOutcome? {
        cache.answer(for: link.key, at: time).map { RevocationOutcome($0, source: "an OCSP answer reports this") }
    }

    /// Returns one attempt for each responder that the certificate names.
    func attempts(about link: RevocationLink, at time: Timestamp) -> [RevocationAttempts.Attempt] {
        link.pointers.responders.map { url in { await answer(about: link, from: url, at: time) } }
    }

    private func answer(about link: RevocationLink, from url: String, at time: Timestamp) async -> RevocationOutcome {
        let request = OCSPRequest(
            certificateID: OCSPCertificateID(link.certificate, issuer: link.issuer, hash: hash), nonce: nonce?())
        let bytes: [UInt8]
        do {
            bytes = try await requester.response(to: request.der, at: url)
        } catch {
            return .unavailable(RevocationFailure(OCSPError(.unreachable, Printable.text("\(error)"))))
        }
        do throws(OCSPError) {
            let verification = OCSPVerification(
                certificate: link.certificate, issuer: link.issuer, nonce: request.nonce, time: time,
                maximumAge: maximumAge)
            let answer = try verification.answer(try OCSPResponse(der: bytes))
            return RevocationOutcome(
                cache.store(answer, for: link.key), source: "an OCSP answer from \(Printable.text(url)) reports this")
        } catch {
            return .unavailable(RevocationFailure(error))
        }
    }
}
