package import HTTPTypes

/// Sends the requests of a download. ``HTTPClient`` does; so does whatever puts a request through more than the client does, such
/// as a session that asks its delegate about redirects.
package protocol DownloadCarrier: Sendable {
    /// Sends a request, follows redirects, and hands the last response to `handle`, its body not decompressed.
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
