#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import Synchronization

/// Records the calls that a data task's delegate receives.
final class RecordingDelegate: NSObject, URLSessionDataDelegate, Sendable {
    typealias Reply = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    let events = EventLog()
    private let failure = Mutex<URLError?>(nil)
    private let names = Mutex<Set<String>>([])
    private let redirect: @Sendable (URLRequest) -> URLRequest?

    init(redirect: @escaping @Sendable (URLRequest) -> URLRequest? = { $0 }) {
        self.redirect = redirect
    }

    /// The error of the last completed task.
    var error: URLError? { failure.withLock { $0 } }
    /// The names of the queues that the methods were called on.
    var queues: Set<String> { names.withLock { $0 } }

    private func note(_ event: String) {
        let name = OperationQueue.current?.name ?? "?"
        _ = names.withLock { $0.insert(name) }
        events.add(event)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        note("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note("data \(String(decoding: data, as: UTF8.self))")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        failure.withLock { $0 = error as? URLError }
        note("end \((error as? URLError).map { "\($0.code.rawValue)" } ?? "ok")")
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        note("redirect \(response.statusCode) to \(request.url?.path ?? "")")
        completionHandler(redirect(request))
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        note("invalid")
    }
}
#endif
