import Foundation
import HoldfastNetworking

// The examples of seeds/003: a session with the app's own delegate, and the app's own transport.

final class SilentDelegate: NSObject, URLSessionDelegate {}

func makeServiceOverOwnSession() -> HTTPNetworkService {
    let delegate = SilentDelegate()
    let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
    let transport = URLSessionTransport(session: session)
    let service = HTTPNetworkService(transport: transport)
    return service
}

struct EchoTransport: HTTPTransportProtocol {
    func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
        else { throw URLError(.badURL) }
        return (Data("\"\(url.path)\"".utf8), response)
    }
}

func makeServiceOverOwnTransport() -> HTTPNetworkService {
    let service = HTTPNetworkService(transport: EchoTransport())
    return service
}
