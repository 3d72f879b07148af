public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Carries requests. Transports can be stacked: one wraps another and adds what it is for.
public protocol HTTPTransportProtocol: Sendable {
    /// Sends a request and returns the response with its whole body. A response of any status is a success here.
    ///
    /// - Throws: What keeps a response from coming. A refused server is a `TransportError` (from HoldfastTransport) with
    ///   the code `trustRefused` and the verdict.
    func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse)
}
