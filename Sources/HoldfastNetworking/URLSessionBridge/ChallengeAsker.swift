#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// A task that a server is dialled for, and whose delegates are asked about it.
struct ChallengeAsker: Sendable {
    let session: URLSession
    let task: URLSessionTask
    /// The session's delegate when the task began: the session drops it when it is invalidated, the task may go on.
    let delegate: (any URLSessionDelegate)?
    /// The delegate of this task alone.
    let ownDelegate: (any URLSessionTaskDelegate)?

    var hasOwnDelegate: Bool { ownDelegate != nil }

    /// Whoever is told about the task.
    private var taskDelegate: (any URLSessionTaskDelegate)? {
        ownDelegate ?? delegate as? any URLSessionTaskDelegate
    }

    /// Asks about a server: the session-level method first, then the task-level one.
    func answer(_ challenge: ServerTrustChallenge) async -> ChallengeAnswer {
        if let delegate {
            let answer = await challenge.answer(from: delegate, of: session)
            guard answer == .systemDecides else { return answer }
        }
        guard let taskDelegate else { return .systemDecides }
        return await challenge.answer(from: taskDelegate, of: session, about: task)
    }

    /// Asks whether a redirect is to be followed; `nil`: it is not, and its response is the answer.
    func redirected(by response: HTTPURLResponse, to request: URLRequest) async -> URLRequest? {
        guard let taskDelegate else { return request }
        let slot = AnswerSlot<URLRequest?>(unanswered: nil, twice: nil)
        return await slot.answer(on: session.delegateQueue) { promise in
            taskDelegate.urlSession(
                session, task: task, willPerformHTTPRedirection: response, newRequest: request
            ) { promise.slot.fill($0) }
        }
    }
}
#endif
