#if canImport(FoundationNetworking)
import Foundation
import HoldfastNetworking
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization
import Testing

/// A session with a delegate, and a task with one of its own beside it.
@Suite struct PinnedSessionOwnDelegateTests {
    private let scene: BridgeScene

    init() throws {
        scene = try BridgeScene()
    }

    private static let leaving = PinnedSessionTrustTests.leaving

    @Test func theTasksOwnDelegateIsAskedBesideTheSessions() async throws {
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
            // The next task is the session's delegate's alone.
            #expect(try await session.data(for: request).0 == Data("ok".utf8))
            #expect(own.events.all == ["challenge"])
        }
        #expect(delegate.methods.map { $0.prefix(4) } == ["sess", "sess", "task"])
        session.invalidateAndCancel()
    }

    /// A delegate that is there for something else has every method, and leaves every server to the system.
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

    /// The attack: one task's own delegate would accept anything, and waits; another task dials the same server meanwhile.
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

/// Has no method of its own.
private final class IndifferentDelegate: NSObject, URLSessionTaskDelegate, Sendable {}
#endif
