/// Reads the body of one response and holds it to a ``MinimumProgress``, for downloads whose bytes the caller keeps itself.
package struct PacedReading: ~Copyable {
    private let core: ClientCore
    private var pace: DownloadPace

    /// Begins with the body of a response of this client.
    package init(_ client: HTTPClient, minimum: MinimumProgress) {
        core = client.core
        pace = DownloadPace(minimum)
        pace.began(at: core.now)
    }

    /// The next part; `nil` at the end. Throws what the body throws, and ``TransferError`` with `tooLittleProgress`.
    package mutating func next(_ body: inout HTTPBodyReader) async throws -> [UInt8]? {
        guard let part = try await body.next() else { return nil }
        try pace.received(part.count, at: core.now)
        return part
    }
}
