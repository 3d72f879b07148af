#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import Synchronization

/// A protocol client that records the error and the end.
final class RecordingClient: NSObject, URLProtocolClient, Sendable {
    private let failure = Mutex<(any Error)?>(nil)
    var error: (any Error)? { failure.withLock { $0 } }

    let events = EventLog()

    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
        failure.withLock { $0 = error }
        events.add("failed")
    }
    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {}
    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {}
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) { events.add("finished") }
    func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {}
    func urlProtocol(
        _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse
    ) {}
    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {}
    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}
#endif
