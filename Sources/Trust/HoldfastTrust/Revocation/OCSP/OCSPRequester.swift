/// Carries an OCSP request to a responder and brings the answer back.
///
/// A transport that conforms sends an HTTP POST with `Content-Type: application/ocsp-request` (RFC 6960, A.1) and
/// returns the body of a response with status 200. The address is plain `http:`, which is what certificates name; the
/// answer is signed, so nothing is lost by that. It must not follow redirects to other hosts, must stop reading at
/// ``OCSPResponse/maximumSize`` bytes, must not itself be subject to the check that it serves, and must end when its task
/// is cancelled: the evaluator's time-out cancels it.
public protocol OCSPRequester: Sendable {
    /// Sends the request and returns the body of the answer. Any error counts as no answer. Called from any thread,
    /// several times at once for several certificates.
    func response(to request: [UInt8], at url: String) async throws -> [UInt8]
}
