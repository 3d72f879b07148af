public import Foundation
public import HoldfastNetworking

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A transport that records requests and their results, and passes the requests on to another transport.
///
/// ```swift
/// let transport = RecordingTransport(CannedResponseTransport(string: "{}"))
/// let service = HTTPNetworkService(transport: transport)
/// …
/// let exchange = try await transport.nextExchange()
/// ```
///
/// The recording contains the requests as they are, including credentials. At most 10,000 exchanges are stored. It is
/// safe to use from any thread.
public final class RecordingTransport: HTTPTransportProtocol {
    /// A request and its result.
    public struct Exchange: Sendable {
        /// The request.
        public let request: URLRequest
        /// The status of the response; `nil` if there was no response.
        public let status: Int?
        /// The body of the response; empty if there was no response.
        public let body: Data
        /// The error that prevented a response.
        public let error: (any Error)?
    }

    private let transport: any HTTPTransportProtocol
    private let journal = Journal<Exchange>()

    /// Wraps a transport.
    public init(_ transport: any HTTPTransportProtocol) {
        self.transport = transport
    }

    /// Sends a request with the wrapped transport and records the result. Throws the error of that transport.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        do {
            let (body, response) = try await transport.data(for: request)
            journal.append(Exchange(request: request, status: response.statusCode, body: body, error: nil))
            return (body, response)
        } catch {
            journal.append(Exchange(request: request, status: nil, body: Data(), error: error))
            throw error
        }
    }

    /// The completed exchanges, in the order of their ends.
    public var exchanges: [Exchange] { journal.elements }

    /// Returns the oldest exchange that no earlier call has returned, and waits for it if necessary.
    ///
    /// - Throws: ``TestKitError`` if the recording is full, or `CancellationError`.
    public func nextExchange() async throws -> Exchange {
        try await journal.next()
    }

    /// Returns the first `count` exchanges, and waits for them if necessary. Does not affect ``nextExchange()``.
    ///
    /// - Throws: ``TestKitError`` if the recording is full, or `CancellationError`.
    public func firstExchanges(_ count: Int) async throws -> [Exchange] {
        try await journal.first(count)
    }
}
