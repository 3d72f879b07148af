import HoldfastTransport
import HoldfastTrust

/// How a request is sent and what happens to its response.
struct GetPlan: Sendable {
    /// Whether the head of the response goes to standard output.
    var includesHead = false
    /// Whether the body of an error response is not written.
    var omitsErrors = false
    /// Whether the result is one JSON object.
    var isJSON = false
    /// Whether the requests and responses are printed.
    var isVerbose = false
    /// Whether compressed bodies are requested and decompressed.
    var isCompressed = false
    /// What happens to the bytes of an unfinished download.
    var resumption = GetCarrier.Resumption.automatic
    /// The required digest of the file.
    var checksum: Checksum?
    /// The maximum size of the body in bytes; `nil` for no limit.
    var maximumBytes: Int64?
    /// The rules for redirects.
    var redirects = RedirectPolicy.follow()
    /// The only host that a redirect may lead to; `nil` for any.
    var onlyHost: CanonicalHost?
    /// The maximum time without progress.
    var idleTimeout: Duration = .seconds(30)
    /// The maximum time for everything.
    var totalTimeout: Duration?
    /// How often a download continues in a row after a lost connection.
    var retries = TransferRetry().attempts

    /// The options of each request.
    var requestOptions: RequestOptions {
        RequestOptions(
            idleTimeout: idleTimeout, totalTimeout: totalTimeout, decompression: isCompressed ? .on() : .off)
    }
}
