/// Reads the body of one response and enforces a ``MinimumProgress``, for downloads whose bytes the caller stores
/// itself.
package struct PacedReading: ~Copyable {
    private let core: ClientCore
    private var pace: DownloadPace

    /// Creates a reader for the body of a response of `client`.
    package init(_ client: HTTPClient, minimum: MinimumProgress) {
        core = client.core
        pace = DownloadPace(minimum)
        pace.began(at: core.now)
    }

    /// Returns the next part, or `nil` at the end. Throws the errors of the body, and ``TransferError`` with
    /// `tooLittleProgress`.
    package mutating func next(_ body: inout HTTPBodyReader) async throws -> [UInt8]? {
        guard let part = try await body.next() else { return nil }
        try pace.received(part.count, at: core.now)
        return part
    }
}
