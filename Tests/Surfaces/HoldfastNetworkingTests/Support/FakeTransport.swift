import Foundation
import HoldfastNetworking
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Answers with what a test says, and remembers what it was asked.
final class FakeTransport: HTTPTransportProtocol {
    /// What a test answers with.
    struct Answer: Sendable {
        var text = ""
        var status = 200
        var fields: [String: String] = [:]
    }

    private let answer: @Sendable (URLRequest, Int) async throws -> Answer
    private let seen = Mutex<[URLRequest]>([])

    /// What was asked, in order.
    var requests: [URLRequest] { seen.withLock { $0 } }

    /// Hands each request over with its number, counted from zero.
    init(answers answer: @escaping @Sendable (URLRequest, Int) async throws -> Answer) {
        self.answer = answer
    }

    /// Answers with a body and a status.
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
