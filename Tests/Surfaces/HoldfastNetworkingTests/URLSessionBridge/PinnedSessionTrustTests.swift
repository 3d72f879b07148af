#if canImport(FoundationNetworking)
import Foundation
import HoldfastNetworking
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization
import Testing

/// Who decides about a server: the pins first, then the delegate, then the system verification.
@Suite struct PinnedSessionTrustTests {
    private let scene: BridgeScene

    init() throws {
        scene = try BridgeScene()
    }

    static let accepting: ScriptedDelegate.Script = { challenge, reply in
        reply(.useCredential, challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) })
    }
    static let leaving: ScriptedDelegate.Script = { $1(.performDefaultHandling, nil) }
    static let cancelling: ScriptedDelegate.Script = { $1(.cancelAuthenticationChallenge, nil) }

    /// Each kind of delegate, with an answer that accepts every server.
    enum Kind: CaseIterable {
        case none, session, task, asyncSession, asyncTask, own

        var delegate: (any URLSessionDelegate)? {
            switch self {
            case .none, .own: nil
            case .session: ScriptedDelegate(session: PinnedSessionTrustTests.accepting)
            case .task:
                ScriptedDelegate(
                    session: PinnedSessionTrustTests.leaving, task: PinnedSessionTrustTests.accepting)
            case .asyncSession: AsyncDelegate(session: .accept, task: .leave)
            case .asyncTask: AsyncDelegate(session: .leave, task: .accept)
            }
        }

        var ownDelegate: (any URLSessionTaskDelegate)? {
            self == .own
                ? ScriptedDelegate(session: PinnedSessionTrustTests.leaving, task: PinnedSessionTrustTests.accepting)
                : nil
        }
    }

    private func error(
        _ identity: Identity, _ session: URLSession, host: String = BridgeScene.host,
        own: (any URLSessionTaskDelegate)? = nil
    ) async throws -> URLError? {
        defer { session.invalidateAndCancel() }
        return try await ScriptedServer.with(tls: ServerTLS(identity)) { _ in
            [.respond("ok")]
        } _: { server in
            do {
                let request = URLRequest(url: try BridgeScene.url(server, host: host))
                let (data, _) = try await session.data(for: request, delegate: own)
                #expect(data == Data("ok".utf8))
                return nil
            } catch let error as URLError {
                #expect(server.requests.isEmpty)
                return error
            }
        }
    }

    // MARK: - Pins first

    /// The attack: a different key, and a delegate that accepts every server.
    @Test(arguments: Kind.allCases)
    func noDelegateOverridesThePins(kind: Kind) async throws {
        for identity in [scene.wrongKey, scene.selfSigned] {
            let delegate = kind.delegate
            let own = kind.ownDelegate
            let error = try await error(identity, scene.session(delegate), own: own)
            #expect(error?.code == .serverCertificateUntrusted)
            #expect(error?.transportError?.code == .trustRefused)
            #expect(error?.trustVerdict?.decision == .block)
            if identity.certificateDER == scene.wrongKey.certificateDER {
                #expect(error?.trustVerdict?.finding.code == .pinMismatch)
            }
            #expect((delegate as? ScriptedDelegate)?.methods ?? [] == [])
            #expect((delegate as? AsyncDelegate)?.methods ?? [] == [])
            #expect((own as? ScriptedDelegate)?.methods ?? [] == [])
        }
    }

    @Test(arguments: Kind.allCases)
    func thePinnedServerIsAccepted(kind: Kind) async throws {
        #expect(try await error(scene.pinned, scene.session(kind.delegate), own: kind.ownDelegate) == nil)
    }

    @Test func aDelegateMayRefuseAPinnedServer() async throws {
        for delegate in [
            ScriptedDelegate(session: Self.cancelling),
            ScriptedDelegate(session: Self.leaving, task: Self.cancelling),
        ] {
            let error = try await error(scene.pinned, scene.session(delegate))
            #expect(error?.code == .cancelled)
            #expect(error?.trustVerdict?.finding.code == .evaluatorRefused)
        }
        let own = ScriptedDelegate(session: Self.accepting, task: Self.cancelling)
        #expect(try await error(scene.pinned, scene.session(), own: own)?.code == .cancelled)
        #expect(own.methods.map { $0.hasPrefix("task") } == [true])
    }

    // MARK: - seeds/001, without pins

    /// A host without pins, with a self-signed certificate.
    @Test(arguments: Kind.allCases)
    func aDelegateReplacesTheSystemVerification(kind: Kind) async throws {
        let error = try await error(
            scene.selfSigned, scene.session(kind.delegate), host: BridgeScene.other, own: kind.ownDelegate)
        switch kind {
        case .none:
            #expect(error?.code == .serverCertificateUntrusted)
            #expect(error?.trustVerdict?.systemFinding?.code == .unknownIssuer)
        default: #expect(error == nil)
        }
    }

    /// The effect of each of the four dispositions.
    @Test func dispositions() async throws {
        func error(_ identity: Identity, _ script: @escaping ScriptedDelegate.Script) async throws -> URLError? {
            try await self.error(
                identity, scene.session(ScriptedDelegate(session: script)), host: BridgeScene.other)
        }
        let stranger = ServerTrust(PresentedChain(der: scene.pinned.chain))
        for identity in [scene.unpinned, scene.selfSigned] {
            #expect(try await error(identity, Self.accepting) == nil)
            #expect(try await error(identity, Self.cancelling)?.code == .cancelled)
            #expect(try await error(identity) { $1(.rejectProtectionSpace, nil) }?.code == .cancelled)
            #expect(try await error(identity) { $1(.useCredential, nil) }?.code == .cancelled)
            #expect(
                try await error(identity) { $1(.useCredential, URLCredential(trust: stranger)) }?.code == .cancelled)
            #expect(
                try await error(identity) {
                    $1(.useCredential, URLCredential(user: "a", password: "b", persistence: .none))
                }?.code == .cancelled)
        }
        #expect(try await error(scene.unpinned, Self.leaving) == nil)
        #expect(try await error(scene.selfSigned, Self.leaving)?.code == .serverCertificateUntrusted)
    }

    @Test func theSessionMethodIsAskedFirstAndBothRunOnTheQueue() async throws {
        let queue = OperationQueue()
        queue.name = "delegates"
        queue.maxConcurrentOperationCount = 1
        let spaces = Mutex<[String]>([])
        let note: ScriptedDelegate.Script = { challenge, reply in
            let space = challenge.protectionSpace
            spaces.withLock {
                $0.append("\(space.host):\(space.port) \(space.authenticationMethod) \(space.serverTrust != nil)")
            }
            reply(.performDefaultHandling, nil)
        }
        let delegate = ScriptedDelegate(session: note, task: note)
        let session = try scene.session(delegate, queue: queue)
        try await ScriptedServer.with(tls: ServerTLS(scene.pinned)) { _ in
            [.respond("ok")]
        } _: { server in
            _ = try await session.data(from: BridgeScene.url(server))
            #expect(delegate.methods == ["session on delegates", "task on delegates"])
            let space = "\(BridgeScene.host):\(server.port) NSURLAuthenticationMethodServerTrust true"
            #expect(spaces.withLock { $0 } == [space, space])
            // A connection asks once.
            _ = try await session.data(from: BridgeScene.url(server))
            #expect(delegate.methods.count == 2)
        }
        session.invalidateAndCancel()
    }

    // MARK: - Delegates that misbehave

    @Test func anUnansweredChallengeRefusesAtTheDeadline() async throws {
        let kept = Mutex<[ScriptedDelegate.Reply]>([])
        let keeping: ScriptedDelegate.Script = { _, reply in kept.withLock { $0.append(reply) } }
        for delegate in [
            ScriptedDelegate(session: keeping), ScriptedDelegate(session: Self.leaving, task: keeping),
        ] {
            let session = try scene.session(delegate, options: scene.options(tlsTimeout: .milliseconds(50)))
            let error = try await error(scene.pinned, session)
            #expect(error != nil)
            #expect(error?.transportError?.phase == .tls)
            // This answer is too late.
            for reply in kept.withLock({ $0 }) { reply(.performDefaultHandling, nil) }
        }
        let hanging = AsyncDelegate(session: .hang, task: .accept)
        let session = try scene.session(hanging, options: scene.options(tlsTimeout: .milliseconds(50)))
        #expect(try await error(scene.pinned, session) != nil)
    }

    @Test func aDiscardedHandlerRefuses() async throws {
        let error = try await error(scene.pinned, scene.session(ScriptedDelegate { _, _ in }))
        #expect(error?.code == .cancelled)
    }

    @Test func answeringTwiceRefuses() async throws {
        let delegate = ScriptedDelegate { challenge, reply in
            Self.accepting(challenge, reply)
            Self.accepting(challenge, reply)
        }
        #expect(try await error(scene.pinned, scene.session(delegate))?.code == .cancelled)
    }

    // MARK: - Connections are not shared between delegates

    /// One task's own delegate accepts a self-signed certificate. The next task does not have that delegate.
    @Test func aTasksOwnDelegateDoesNotDecideForOtherTasks() async throws {
        let session = try scene.session()
        try await ScriptedServer.with(tls: ServerTLS(scene.selfSigned)) { _ in
            [.respond("ok")]
        } _: { server in
            let request = URLRequest(url: try BridgeScene.url(server, host: BridgeScene.other))
            let own = ScriptedDelegate(session: Self.leaving, task: Self.accepting)
            #expect(try await session.data(for: request, delegate: own).0 == Data("ok".utf8))
            let error = await #expect(throws: URLError.self) { try await session.data(for: request) }
            #expect(error?.code == .serverCertificateUntrusted)
            #expect(server.requests.count == 1)
        }
    }

    /// Asks the delegate that was set on the task.
    @Test func theDelegateOfATaskIsAsked() async throws {
        let session = try scene.session()
        let own = RefusingTaskDelegate()
        try await ScriptedServer.with(tls: ServerTLS(scene.pinned)) { _ in
            [.respond("ok")]
        } _: { server in
            let log = EventLog()
            let task = session.dataTask(with: try BridgeScene.url(server)) { _, _, error in
                log.add("end \((error as? URLError)?.code.rawValue ?? 0)")
            }
            task.delegate = own
            task.resume()
            await log.wait(for: "end")
            #expect(log.all == ["end \(URLError.Code.cancelled.rawValue)"])
            #expect(own.events.all == ["challenge"])
            #expect(server.requests.isEmpty)
        }
    }
}

/// A delegate that answers with its return value.
final class AsyncDelegate: NSObject, AsyncServerTrustDelegate, AsyncTaskServerTrustDelegate, Sendable {
    enum Answer { case accept, leave, hang }
    private let session: Answer
    private let task: Answer
    private let calls = Mutex<[String]>([])

    init(session: Answer, task: Answer) {
        self.session = session
        self.task = task
    }

    var methods: [String] { calls.withLock { $0 } }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        calls.withLock { $0.append("session") }
        return await Self.answer(self.session, challenge)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        calls.withLock { $0.append("task") }
        return await Self.answer(self.task, challenge)
    }

    private static func answer(
        _ answer: Answer, _ challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        switch answer {
        case .leave: return (.performDefaultHandling, nil)
        case .accept: return (.useCredential, challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) })
        case .hang:
            // Waits forever and ignores cancellation.
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            return (.performDefaultHandling, nil)
        }
    }
}

/// A delegate that refuses every server.
final class RefusingTaskDelegate: NSObject, URLSessionTaskDelegate, Sendable {
    let events = EventLog()

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        events.add("challenge")
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}
#endif
