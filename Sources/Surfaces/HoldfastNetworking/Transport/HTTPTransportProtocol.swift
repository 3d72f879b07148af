public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends requests. Transports can be stacked: one wraps another and adds a function.
public protocol HTTPTransportProtocol: Sendable {
    /// Sends a request and returns the response with its whole body. A response with any status is a success.
    ///
    /// - Throws: The error that prevented a response. A refused server is a `TransportError` (from HoldfastTransport)
    ///   with the code `trustRefused` and the verdict.
    func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse)
}
