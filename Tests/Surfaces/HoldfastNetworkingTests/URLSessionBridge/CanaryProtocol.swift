#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import FoundationNetworking
import HoldfastTrust
import Synchronization

@testable import HoldfastNetworking

/// A protocol whose behavior towards its client is named by the last component of the URL's path.
final class CanaryProtocol: URLProtocol {
    /// What the protocol saw of a task's internal state.
    final class Seen: Sendable {
        private let text = Mutex<String?>(nil)
        func removeAll() { text.withLock { $0 = nil } }
        func note(_ seen: String) { text.withLock { $0 = seen } }
        func take() -> String? { text.withLock { $0 } }
    }

    static let seen = Seen()

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        guard let url = request.url, let client else { return }
        switch url.lastPathComponent {
        case "redirect":
            client.urlProtocol(self, wasRedirectedTo: request, redirectResponse: response(302))
        case "challenge":
            guard let host = try? CanonicalHost("canary.example") else { return }
            let challenge = ServerTrustChallenge(
                ServerTrust(PresentedChain(der: [])), for: TrustSubject(host: host, port: 443))
            client.urlProtocol(self, didReceive: challenge.challenge())
            // Ends the task if there is no delegate to ask.
            finish(response(200), [])
        case "401":
            finish(response(401, ["WWW-Authenticate": "Basic realm=\"x\""]), [])
        case "echo":
            finish(response(200), [request.httpBody ?? Data()])
        case "fields":
            finish(response(200), [Data((request.value(forHTTPHeaderField: "X-App") ?? "none").utf8)])
        case "inside":
            note()
            finish(response(200), [])
        default:
            finish(response(200), [Data("one".utf8), Data("two".utf8)])
        }
    }

    private func note() {
        guard let task else { return }
        let inside = URLSessionTaskReflection(task)
        if let queue = inside.workQueue { dispatchPrecondition(condition: .onQueue(queue)) }
        Self.seen.note(
            "\(inside.delegate == nil ? "no" : "own") delegate, "
                + "completes \(inside.completesOnce ? "once" : "in parts"), "
                + (inside.workQueue == nil ? "no queue" : "on its queue"))
    }

    private func finish(_ response: URLResponse, _ parts: [Data]) {
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        for part in parts where !part.isEmpty { client?.urlProtocol(self, didLoad: part) }
        client?.urlProtocolDidFinishLoading(self)
    }

    private func response(_ status: Int, _ fields: [String: String] = [:]) -> URLResponse {
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
        else {
            return URLResponse(
                url: URL(fileURLWithPath: "/"), mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        }
        return response
    }
}
#endif
