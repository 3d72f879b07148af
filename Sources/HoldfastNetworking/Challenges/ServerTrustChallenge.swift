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
    /// the system, the task-level one. Only the first call of a completion handler counts.
    ///
    /// Waits for as long as the delegate takes: the caller's deadline ends it by cancelling the task, and then, as when the
    /// delegate throws the completion handler away, the answer is a refusal.
    public func answer(
        from delegate: any URLSessionDelegate, of session: URLSession, task: URLSessionTask? = nil
    ) async -> ChallengeAnswer {
        let answer = await ask(on: session.delegateQueue) { challenge, reply in
            delegate.urlSession(session, didReceive: challenge, completionHandler: reply)
        }
        guard answer == .systemDecides, let task, let delegate = delegate as? any URLSessionTaskDelegate else {
            return answer
        }
        return await ask(on: session.delegateQueue) { challenge, reply in
            delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: reply)
        }
    }

    private typealias Reply = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    private func ask(
        on queue: OperationQueue, _ call: @escaping @Sendable (URLAuthenticationChallenge, @escaping Reply) -> Void
    ) async -> ChallengeAnswer {
        let slot = AnswerSlot()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                slot.wait(continuation)
                queue.addOperation {
                    // Held by the completion handler alone: when that is gone, nobody can answer any more.
                    let promise = AnswerPromise(slot)
                    call(challenge()) { promise.slot.fill(answer($0, $1)) }
                }
            }
        } onCancel: {
            slot.fill(.refused(.unanswered))
        }
    }
}
#endif
