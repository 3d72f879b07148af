public import HTTPTypes
public import Logging

/// An HTTP/1.1 client that judges every server by its ``TransportConfiguration/trust``.
///
/// Connections are kept and reused. Redirects are not followed: a `3xx` is handed to the caller. No proxy is taken from
/// the environment. The client may be used from any thread; when the last reference goes, its connections are closed.
public final class HTTPClient: Sendable {
    /// What a client needs to know.
    public typealias Configuration = TransportConfiguration

    /// Makes a client. Opens nothing.
    public init(configuration: Configuration = Configuration(), logger: Logger? = nil) {
    }

    /// Sends a request and collects the response's body in memory.
    ///
    /// - Parameter limit: The most bytes of body to take; more fails with ``TransportError/Code-swift.struct/responseTooLarge``.
    /// - Throws: ``TransportError``.
    public func collect(
        _ request: HTTPRequest, body: HTTPBody? = nil, upTo limit: Int, options: RequestOptions = RequestOptions()
    ) async throws -> CollectedResponse {
        throw TransportError(.shutDown, in: .preparing, "stub")  // STUB
    }

    /// Sends a request and hands the response to `handle`, whose body is read part by part.
    ///
    /// When `handle` returns before the body's end the connection is closed, not drained.
    /// - Throws: ``TransportError``, or what `handle` throws.
    public nonisolated(nonsending) func execute<R: Sendable>(
        _ request: HTTPRequest, body: HTTPBody? = nil, options: RequestOptions = RequestOptions(),
        handle: (HTTPResponse, inout HTTPBodyReader) async throws -> R
    ) async throws -> R {
        throw TransportError(.shutDown, in: .preparing, "stub")  // STUB
    }

    /// Closes idle connections, fails requests that wait with ``TransportError/Code-swift.struct/shutDown``, cuts those under way, and
    /// returns when every connection is closed. Later requests fail. Calling it again is harmless.
    public func shutdown() async {
    }
}
