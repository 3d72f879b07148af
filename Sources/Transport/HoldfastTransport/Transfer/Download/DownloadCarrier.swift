package import HTTPTypes

/// A sender for the requests of a download.
///
/// ``HTTPClient`` conforms. Other conforming types add steps, such as a session that asks its delegate about redirects.
package protocol DownloadCarrier: Sendable {
    /// Sends a request, follows redirects and passes the last response to `handle`. The body is not decompressed.
    nonisolated(nonsending) func carry<R: Sendable>(
        _ request: HTTPRequest, options: RequestOptions,
        handle: (HTTPResponse, inout HTTPBodyReader) async throws -> R
    ) async throws -> R
}

extension HTTPClient: DownloadCarrier {
    package nonisolated(nonsending) func carry<R: Sendable>(
        _ request: HTTPRequest, options: RequestOptions,
        handle: (HTTPResponse, inout HTTPBodyReader) async throws -> R
    ) async throws -> R {
        try await execute(request, options: options, handle: handle)
    }
}
