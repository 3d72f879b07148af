#if canImport(FoundationNetworking)
import Foundation
import HoldfastNetworking
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization
import Testing

/// A session with a delegate, and a task with its own delegate.
@Suite struct PinnedSessionOwnDelegateTests {
    private let scene: BridgeScene

    init() throws {
        scene = try BridgeScene()
    }

    private static let leaving = PinnedSessionTrustTests.leaving

    @Test func bothTheTasksAndTheSessionsDelegateAreAsked() async throws {
        let delegate = ScriptedDelegate(session: Self.leaving, task: Self.leaving)
        let own = RefusingTaskDelegate()
        let session = try scene.session(delegate)
        try await ScriptedServer.with(tls: ServerTLS(scene.pinned)) { _ in
            [.respond("ok")]
        } _: { server in
            let request = URLRequest(url: try BridgeScene.url(server))
            let error = await #expect(throws: URLError.self) { try await session.data(for: request, delegate: own) }
            #expect(error?.code == .cancelled)
            #expect(own.events.all == ["challenge"])
            #expect(server.requests.isEmpty)
            // Only the session's delegate decides about the next task.
            #expect(try await session.data(for: request).0 == Data("ok".utf8))
            #expect(own.events.all == ["challenge"])
        }
        #expect(delegate.methods.map { $0.prefix(4) } == ["sess", "sess", "task"])
        session.invalidateAndCancel()
    }

    /// A delegate for a different purpose implements every method, and uses the default handling for every server.
    @Test func anIndifferentOwnDelegateDoesNotSilenceTheSessions() async throws {
        let delegate = ScriptedDelegate(session: Self.leaving, task: PinnedSessionTrustTests.cancelling)
        let session = try scene.session(delegate)
        try await ScriptedServer.with(tls: ServerTLS(scene.pinned)) { _ in
            [.respond("ok")]
        } _: { server in
            let request = URLRequest(url: try BridgeScene.url(server))
            let error = await #expect(throws: URLError.self) {
                try await session.data(for: request, delegate: IndifferentDelegate())
            }
            #expect(error?.code == .cancelled)
            #expect(server.requests.isEmpty)
        }
        #expect(delegate.methods.map { $0.prefix(4) } == ["sess", "task"])
        session.invalidateAndCancel()
    }

    /// The attack: the delegate of one task would accept any server, and waits. Meanwhile a second task connects to
    /// the same server.
    @Test func aTasksOwnDelegateDoesNotAnswerForAnotherTaskAtTheSameTime() async throws {
        let log = EventLog()
        let kept = Mutex<ScriptedDelegate.Reply?>(nil)
        let own = ScriptedDelegate(session: Self.leaving) { challenge, reply in
            let isFirst = kept.withLock { kept in
                guard kept == nil else { return false }
                kept = reply
                return true
            }
            if !isFirst { PinnedSessionTrustTests.accepting(challenge, reply) }
            log.add("asked")
        }
        let session = try scene.session(ScriptedDelegate(session: Self.leaving))
        try await ScriptedServer.with(tls: ServerTLS(scene.selfSigned)) { _ in
            [.respond("ok")]
        } _: { server in
            let request = URLRequest(url: try BridgeScene.url(server, host: BridgeScene.other))
            let first = Task {  // reason: it waits for its delegate while the other task is made
                try await session.data(for: request, delegate: own).0
            }
            await log.wait(for: "asked")
            let error = await #expect(throws: URLError.self) { try await session.data(for: request) }
            #expect(error?.code == .serverCertificateUntrusted)
            #expect(own.methods.count == 1)
            kept.withLock { $0 }?(.cancelAuthenticationChallenge, nil)
            let refused = await #expect(throws: URLError.self) { try await first.value }
            #expect(refused?.code == .cancelled)
            #expect(server.requests.isEmpty)
        }
        session.invalidateAndCancel()
    }
}

/// Has no method.
private final class IndifferentDelegate: NSObject, URLSessionTaskDelegate, Sendable {}
#endif
