#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
public import HoldfastTrust

/// The question that a `URLSession` delegate is asked about a server, made from the chain that the server presented.
///
/// FoundationNetworking never asks it: on Linux the native session verifies with libcurl and shows no certificate. Holdfast's
/// own transports do, through ``HoldfastTrust/TrustContext/delegate(_:of:task:policy:anchors:logger:)``.
public struct ServerTrustChallenge: Sendable {
    /// What the server presented.
    public let trust: ServerTrust
    /// Whom the connection is to reach: what the delegate reads as the protection space's host and port.
    public let subject: TrustSubject

    /// Asks about a chain.
    public init(_ trust: ServerTrust, for subject: TrustSubject) {
        self.trust = trust
        self.subject = subject
    }

    /// The challenge as a delegate gets it: method server trust, host and port of the URL, the chain. There is no proposed
    /// credential and no earlier failure. Its sender does nothing.
    public func challenge() -> URLAuthenticationChallenge {
        URLAuthenticationChallenge(
            protectionSpace: ServerTrustProtectionSpace(trust, for: subject), proposedCredential: nil,
            previousFailureCount: 0, failureResponse: nil, error: nil, sender: UnusedChallengeSender())
    }

    /// What a completion handler was called with means.
    ///
    /// Only a credential of the very chain that was presented accepts it. `.useCredential` without one, or with another,
    /// refuses; so does `.rejectProtectionSpace`, as there is no second method to try.
    public func answer(
        _ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?
    ) -> ChallengeAnswer {
        switch disposition {
        case .performDefaultHandling: return .systemDecides
        case .useCredential:
            guard let credential else { return .refused(.noCredential) }
            return (credential as? ServerTrustCredential)?.trust == trust ? .accepted : .refused(.otherCredential)
        case .cancelAuthenticationChallenge, .rejectProtectionSpace: return .refused(.cancelled)
        @unknown default: return .refused(.cancelled)
        }
    }

    /// Asks a delegate on the session's delegate queue: its session-level method first, and where that leaves the answer to
    /// the system, the task-level one. A delegate that is an ``AsyncServerTrustDelegate`` or ``AsyncTaskServerTrustDelegate``
    /// is asked by that method.
    ///
    /// A second call of a completion handler refuses, if it comes before the delegate's method has returned; later it has no
    /// effect. Waits for as long as the delegate takes: the caller's deadline ends it by cancelling the task, and then, as
    /// when the delegate throws the completion handler away, the answer is a refusal.
    public func answer(
        from delegate: any URLSessionDelegate, of session: URLSession, task: URLSessionTask? = nil
    ) async -> ChallengeAnswer {
        let answer = await answer(from: delegate, of: session)
        guard answer == .systemDecides, let task, let delegate = delegate as? any URLSessionTaskDelegate else {
            return answer
        }
        return await self.answer(from: delegate, of: session, about: task)
    }

    /// Asks the session-level method.
    func answer(from delegate: any URLSessionDelegate, of session: URLSession) async -> ChallengeAnswer {
        if let delegate = delegate as? any AsyncServerTrustDelegate {
            return await ask(on: session.delegateQueue) { await delegate.urlSession(session, didReceive: $0) }
        }
        return await ask(on: session.delegateQueue) { challenge, reply in
            delegate.urlSession(session, didReceive: challenge, completionHandler: reply)
        }
    }

    /// Asks the task-level method.
    func answer(
        from delegate: any URLSessionTaskDelegate, of session: URLSession, about task: URLSessionTask
    ) async -> ChallengeAnswer {
        if let delegate = delegate as? any AsyncTaskServerTrustDelegate {
            return await ask(on: session.delegateQueue) {
                await delegate.urlSession(session, task: task, didReceive: $0)
            }
        }
        return await ask(on: session.delegateQueue) { challenge, reply in
            delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: reply)
        }
    }

    private typealias Reply = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    private typealias AsyncReply = (URLSession.AuthChallengeDisposition, URLCredential?)

    private func ask(
        on queue: OperationQueue, _ call: @escaping @Sendable (URLAuthenticationChallenge, @escaping Reply) -> Void
    ) async -> ChallengeAnswer {
        let slot = AnswerSlot<ChallengeAnswer>(
            unanswered: .refused(.unanswered), twice: .refused(.answeredTwice))
        return await slot.answer(on: queue) { promise in
            call(challenge()) { promise.slot.fill(answer($0, $1)) }
        }
    }

    private func ask(
        on queue: OperationQueue, _ call: @escaping @Sendable (URLAuthenticationChallenge) async -> AsyncReply
    ) async -> ChallengeAnswer {
        await ask(on: queue) { challenge, reply in
            Task {  // reason: the queue calls, and does not wait; the deadline ends the wait
                let (disposition, credential) = await call(challenge)
                reply(disposition, credential)
            }
        }
    }
}

/// The sender that a challenge must have. Delegates answer through the completion handler, and nobody listens here.
final class UnusedChallengeSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
#endif
