import Foundation
import HoldfastNetworking
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport that returns scripted responses and records the requests.
final class FakeTransport: HTTPTransportProtocol {
    /// A scripted response.
    struct Answer: Sendable {
        var text = ""
        var status = 200
        var fields: [String: String] = [:]
    }

    private let answer: @Sendable (URLRequest, Int) async throws -> Answer
    private let seen = Mutex<[URLRequest]>([])

    /// The requests, in order.
    var requests: [URLRequest] { seen.withLock { $0 } }

    /// Passes each request to the script with its index, which starts at 0.
    init(answers answer: @escaping @Sendable (URLRequest, Int) async throws -> Answer) {
        self.answer = answer
    }

    /// Returns a body and a status.
    convenience init(_ answer: @escaping @Sendable (URLRequest) throws -> (String, Int)) {
        self.init { request, _ in
            let (text, status) = try answer(request)
            return Answer(text: text, status: status)
        }
    }

    func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let number = seen.withLock { seen in
            seen.append(request)
            return seen.count - 1
        }
        let answer = try await answer(request, number)
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: answer.status, httpVersion: nil, headerFields: answer.fields)
        else { throw URLError(.badURL) }
        return (Data(answer.text.utf8), response)
    }
}
