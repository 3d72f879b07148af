#if canImport(FoundationNetworking)
import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastNetworking

/// What a pinned session retains and for how long, and tasks that are cancelled, suspended, or numerous.
@Suite struct PinnedSessionLifetimeTests {
    private struct Kept {
        weak var session: URLSession?
        weak var bridge: SessionBridge?
        weak var delegate: RecordingDelegate?

        var isReleased: Bool { session == nil && bridge == nil && delegate == nil }
    }

    /// Uses a session and releases it. All its parts must be released too.
    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func anInvalidatedSessionKeepsNothing(atOnce: Bool) async throws {
        let scene = try BridgeScene()
        try await ScriptedServer.with(tls: ServerTLS(scene.pinned)) { _ in
            [.respond("ok")]
        } _: { server in
            let events: EventLog
            let kept: Kept
            do {
                let delegate = RecordingDelegate()
                let session = try scene.session(delegate)
                _ = try await session.data(from: BridgeScene.url(server))
                #expect(server.openCount == 1)
                events = delegate.events
                kept = Kept(session: session, bridge: (session as? PinnedURLSession)?.bridge, delegate: delegate)
                #expect(kept.bridge != nil)
                if atOnce { session.invalidateAndCancel() } else { session.finishTasksAndInvalidate() }
            }
            await events.wait(for: "invalid")
            // The client's connection closes together with the client.
            await server.waitForClosed(1)
            // The queues of FoundationNetworking release the last references a little later.
            while !kept.isReleased, !Task.isCancelled { await Task.yield() }
            #expect(kept.session == nil)
            #expect(kept.bridge == nil)
            #expect(kept.delegate == nil)
        }
    }

    @Test func aReleasedSessionKeepsNothing() async throws {
        let scene = try BridgeScene()
        try await ScriptedServer.with(tls: ServerTLS(scene.pinned)) { _ in
            [.respond("ok")]
        } _: { server in
            do {
                let session = try scene.session()
                _ = try await session.data(from: BridgeScene.url(server))
            }
            await server.waitForClosed(1)
        }
    }

    @Test func runningTasksEndAfterTheSessionIsFinished() async throws {
        let go = Trigger()
        try await ScriptedServer.with { _ in
            [.wait(go), .respond("ok")]
        } _: { server in
            let delegate = RecordingDelegate()
            let session = BridgeScene.plain(delegate)
            let later = session.dataTask(with: try BridgeScene.cleartext(server))
            session.dataTask(with: try BridgeScene.cleartext(server)).resume()
            await server.waitForRequests(1)
            session.finishTasksAndInvalidate()
            // Created before that, and resumed after it.
            later.resume()
            await server.waitForRequests(2)
            go.fire()
            await delegate.events.wait(for: "invalid")
            #expect(delegate.events.all.filter { $0 == "end ok" }.count == 2)
        }
    }

    @Test func cancellingATaskEndsItsRequest() async throws {
        try await ScriptedServer.with { _ in
            []
        } _: { server in
            let delegate = RecordingDelegate()
            let session = BridgeScene.plain(delegate)
            let task = session.dataTask(with: try BridgeScene.cleartext(server))
            task.resume()
            await server.waitForRequests(1)
            task.cancel()
            await server.waitForClosed(1)
            await delegate.events.wait(for: "end")
            #expect(delegate.events.all == ["end \(URLError.Code.cancelled.rawValue)"])
            // A task that has not started, and a task that its caller cancels.
            session.dataTask(with: try BridgeScene.cleartext(server)).cancel()
            let url = try BridgeScene.cleartext(server)
            let waiting = Task { try await session.data(from: url) }  // reason: to be cancelled below
            await server.waitForRequests(2)
            waiting.cancel()
            await server.waitForClosed(2)
            let error = await #expect(throws: URLError.self) { _ = try await waiting.value }
            #expect(error?.code == .cancelled)
            session.invalidateAndCancel()
        }
    }

    @Test func aSuspendedTaskReceivesNothingUntilItIsResumed() async throws {
        let go = Trigger()
        try await ScriptedServer.with { _ in
            [.wait(go), .respond("ok")]
        } _: { server in
            let delegate = RecordingDelegate()
            let session = BridgeScene.plain(delegate)
            let task = session.dataTask(with: try BridgeScene.cleartext(server))
            task.resume()
            await server.waitForRequests(1)
            task.suspend()
            go.fire()
            // A different task on the same queues gets its response in the meantime.
            _ = try await session.data(from: BridgeScene.cleartext(server))
            #expect(delegate.events.all == [])
            task.resume()
            await delegate.events.wait(for: "end")
            #expect(delegate.events.all == ["response 200", "data ok", "end ok"])
            #expect(server.requests.count == 2)
            session.invalidateAndCancel()
        }
    }

    /// The task is running again when FoundationNetworking reports the suspension.
    @Test func aLateSuspensionDoesNotEndTheTask() async throws {
        let go = Trigger()
        try await ScriptedServer.with { _ in
            [.wait(go), .respond("ok")]
        } _: { server in
            let session = BridgeScene.plain()
            let task = session.dataTask(with: try BridgeScene.cleartext(server)) { _, _, _ in }
            let queue = try #require(URLSessionTaskReflection(task).workQueue)
            task.resume()
            await server.waitForRequests(1)
            let client = RecordingClient()
            let loader = PinnedURLProtocol(task: task, cachedResponse: nil, client: client)
            queue.sync { loader.startLoading() }
            await server.waitForRequests(2)
            queue.sync {
                loader.stopLoading()
                loader.startLoading()
            }
            go.fire()
            await client.events.wait(for: "f")
            #expect(client.events.all == ["finished"])
            session.invalidateAndCancel()
        }
    }

    /// The decision of a released session delegate cannot be known.
    @Test func aLostDelegateRefuses() async throws {
        let scene = try BridgeScene()
        let challenge = ServerTrustChallenge(
            ServerTrust(PresentedChain(der: scene.pinned.chain)),
            for: TrustSubject(host: try CanonicalHost(BridgeScene.host), port: 443))
        for (delegate, answer) in [
            (RecordingDelegate(), ChallengeAnswer.refused(.nobodyToAsk)), (nil, .systemDecides),
        ] as [(RecordingDelegate?, ChallengeAnswer)] {
            let session = try #require(try scene.session(delegate) as? PinnedURLSession)
            let url = try #require(URL(string: "https://\(BridgeScene.host)/"))
            let task = session.dataTask(with: url)
            let asker = ChallengeAsker(session: session, task: task, delegate: nil, ownDelegate: nil)
            #expect(await asker.answer(challenge) == answer)
            session.invalidateAndCancel()
        }
    }

    /// There is no task to show to the delegate, so the server is neither refused nor accepted. The next task asks the
    /// delegate.
    @Test func aChangedPolicyClosesTheIdleConnectionOfASessionWithADelegate() async throws {
        let scene = try BridgeScene()
        let holder = PolicyHolder(try scene.policy)
        let recording = RecordingLogHandler()
        let delegate = ScriptedDelegate(session: PinnedSessionTrustTests.leaving)
        let session = URLSession(
            pinnedBy: .policies(holder, anchors: .only([scene.root.view])), configuration: .ephemeral,
            delegate: delegate, options: scene.options(logger: recording.logger()))
        try await ScriptedServer.with(tls: ServerTLS(scene.pinned)) { _ in
            [.respond("ok")]
        } _: { server in
            let url = try BridgeScene.url(server)
            _ = try await session.data(from: url)
            let asked = delegate.methods.count
            holder.replace(with: try scene.policy(named: "next"))
            await server.waitForClosed(1)
            #expect(recording.entries.contains { "\($0)".contains("could not be asked") })
            _ = try await session.data(from: url)
            #expect(server.connectionCount == 2)
            #expect(delegate.methods.count == 2 * asked)
        }
        session.invalidateAndCancel()
    }

    @Test func aHundredTasksAtATime() async throws {
        let scene = try BridgeScene()
        try await ScriptedServer.with(tls: ServerTLS(scene.pinned)) { request in
            [.respond(request.target)]
        } _: { server in
            let delegate = ScriptedDelegate(
                session: PinnedSessionTrustTests.leaving, task: PinnedSessionTrustTests.accepting)
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpMaximumConnectionsPerHost = 4
            let session = try scene.session(delegate, configuration: configuration)
            let bridge = try #require((session as? PinnedURLSession)?.bridge)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let url = try BridgeScene.url(server, path: "/\(number)")
                        let (data, _) = try await session.data(from: url)
                        #expect(String(decoding: data, as: UTF8.self) == "/\(number)")
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.connectionCount <= 4)
            #expect(delegate.methods.count == 2 * server.connectionCount)
            #expect(bridge.askers.count == 0)
            session.invalidateAndCancel()
        }
    }
}
#endif
