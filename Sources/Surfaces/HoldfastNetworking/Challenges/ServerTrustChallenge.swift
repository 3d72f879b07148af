#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
public import HoldfastTrust

/// A server-trust challenge for a `URLSession` delegate, made from the chain that the server presented.
///
/// FoundationNetworking never sends such a challenge: on Linux, the native session verifies with libcurl and exposes no
/// certificates. Holdfast's transports send it through
/// ``HoldfastTrust/TrustContext/delegate(_:of:task:policy:anchors:logs:certificatePolicies:logger:)``.
public struct ServerTrustChallenge: Sendable {
    /// The chain that the server presented.
    public let trust: ServerTrust
    /// The destination of the connection: the host and port of the challenge's protection space.
    public let subject: TrustSubject

    /// Makes a challenge about a chain.
    public init(_ trust: ServerTrust, for subject: TrustSubject) {
        self.trust = trust
        self.subject = subject
    }

    /// Returns the challenge for a delegate. Its protection space has the method server trust, the URL's host and port,
    /// and the chain. It has no proposed credential and no previous failures. Its sender does nothing.
    public func challenge() -> URLAuthenticationChallenge {
        URLAuthenticationChallenge(
            protectionSpace: ServerTrustProtectionSpace(trust, for: subject), proposedCredential: nil,
            previousFailureCount: 0, failureResponse: nil, error: nil, sender: UnusedChallengeSender())
    }

    /// Interprets the arguments of a completion handler.
    ///
    /// Only a credential of the presented chain accepts the server. `.useCredential` without a credential or with
    /// another one refuses it. `.rejectProtectionSpace` refuses as well, because there is no other authentication
    /// method.
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

    /// Asks a delegate on the session's delegate queue. Calls the session-level method first and, if that leaves the
    /// decision to the system, the task-level method. If the delegate is an ``AsyncServerTrustDelegate`` or
    /// ``AsyncTaskServerTrustDelegate``, its `async` method is called.
    ///
    /// A second call of the completion handler refuses the server if the delegate's method has not returned yet; later
    /// calls have no effect. The method has no timeout of its own: cancel the task to end the wait. The answer is then
    /// a refusal, as it is if the delegate releases the completion handler without calling it.
    public func answer(
        from delegate: any URLSessionDelegate, of session: URLSession, task: URLSessionTask? = nil
    ) async -> ChallengeAnswer {
        let answer = await answer(from: delegate, of: session)
        guard answer == .systemDecides, let task, let delegate = delegate as? any URLSessionTaskDelegate else {
            return answer
        }
        return await self.answer(from: delegate, of: session, about: task)
    }

    /// Calls the session-level method.
    func answer(from delegate: any URLSessionDelegate, of session: URLSession) async -> ChallengeAnswer {
        if let delegate = delegate as? any AsyncServerTrustDelegate {
            return await ask(on: session.delegateQueue) { await delegate.urlSession(session, didReceive: $0) }
        }
        return await ask(on: session.delegateQueue) { challenge, reply in
            delegate.urlSession(session, didReceive: challenge, completionHandler: reply)
        }
    }

    /// Calls the task-level method.
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
            Task {  // reason: the delegate queue cannot await; the deadline ends the wait
                let (disposition, credential) = await call(challenge)
                reply(disposition, credential)
            }
        }
    }
}

/// A challenge requires a sender. This one does nothing, because delegates answer through the completion handler.
final class UnusedChallengeSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}

/// The protection space of a TLS handshake: the URL's host and port, and the chain that the server presented.
///
/// FoundationNetworking's own class cannot store a chain, but it can be subclassed.
final class ServerTrustProtectionSpace: URLProtectionSpace, @unchecked Sendable {  // reason: immutable
    let trust: ServerTrust

    init(_ trust: ServerTrust, for subject: TrustSubject) {
        self.trust = trust
        super.init(
            host: subject.host.text, port: Int(subject.port ?? 443), protocol: "https", realm: nil,
            authenticationMethod: NSURLAuthenticationMethodServerTrust)
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ServerTrustProtectionSpace else { return false }
        return other.trust == trust && other.host == host && other.port == port
    }

    override var hash: Int { trust.hashValue }
}

/// The authentication method of challenges about a server's certificates. FoundationNetworking declares this name but
/// marks it unavailable. This constant replaces it and has the same value as on Apple platforms.
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

extension URLProtectionSpace {
    /// The chain that the server presented, for challenges made by Holdfast; otherwise `nil`.
    public var serverTrust: ServerTrust? { (self as? ServerTrustProtectionSpace)?.trust }
}

/// A credential that accepts a chain. It contains nothing that could be sent to a server.
final class ServerTrustCredential: URLCredential, @unchecked Sendable {  // reason: immutable
    let trust: ServerTrust

    init(_ trust: ServerTrust) {
        self.trust = trust
        super.init(user: "", password: "", persistence: .none)
    }

    /// A credential accepts a chain for one connection only and cannot be archived.
    required init?(coder: NSCoder) { nil }

    override var user: String? { nil }
    override var password: String? { nil }
    override var hasPassword: Bool { false }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func isEqual(_ object: Any?) -> Bool {
        (object as? ServerTrustCredential)?.trust == trust
    }

    override var hash: Int { trust.hashValue }
}

/// Adds the initializer that FoundationNetworking lacks to `URLCredential`, but not to its subclasses.
public protocol ServerTrustCredentialMaking {}

extension URLCredential: ServerTrustCredentialMaking {}

extension ServerTrustCredentialMaking where Self == URLCredential {
    /// Makes a credential that accepts this chain, as an answer to a server-trust challenge.
    ///
    /// For a host without pins, the credential replaces the system verification. A delegate that answers with it for
    /// every chain also accepts an attacker's. For a pinned host, it cannot override the pins; see
    /// ``ServerTrustChallenge``.
    public init(trust: ServerTrust) {
        self = ServerTrustCredential(trust)
    }
}
#endif
