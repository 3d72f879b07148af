/// Fetches revocation lists for a ``RevocationEvaluator``.
///
/// A conforming type sends an HTTP GET and returns the body of a response with status 200. Certificates name addresses
/// with plain `http:`, which is safe because the list is signed. The implementation must:
///
/// - not follow redirects,
/// - stop reading after `limit` bytes and not decompress the body,
/// - not apply the revocation check to its own connections,
/// - end when its task is cancelled.
public protocol RevocationListRequester: Sendable {
    /// Returns the list at a URL. Any error counts as a missing list. Called from any thread, and concurrently for
    /// several URLs, but not twice at the same time for one URL of one evaluator.
    func revocationList(at url: String, upTo limit: Int) async throws -> [UInt8]
}
