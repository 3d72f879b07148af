import Foundation
import HoldfastNetworking
import HoldfastTestSupport
import HoldfastTrust
import Testing

/// The challenge that Holdfast makes, and how it handles a delegate's answer.
@Suite struct ServerTrustChallengeTests {
    private let scene: ChallengeScene

    init() throws {
        scene = try ChallengeScene()
    }

    @Test func theProtectionSpaceIsCorrect() throws {
        let space = try scene.challenge(scene.leaf, port: 8443).challenge().protectionSpace
        #expect(space.host == ChallengeScene.host)
        #expect(space.port == 8443)
        #expect(space.protocol == "https")
        #expect(space.realm == nil)
        #expect(space.authenticationMethod == NSURLAuthenticationMethodServerTrust)
        #expect(space.serverTrust == scene.trust(scene.leaf))
        #expect(try scene.challenge(scene.leaf).challenge().protectionSpace.port == 443)
    }

    @Test func copiesKeepTheChainAndOtherSpacesHaveNone() throws {
        let space = try scene.challenge(scene.leaf).challenge().protectionSpace
        #expect((space.copy() as? URLProtectionSpace)?.serverTrust == scene.trust(scene.leaf))
        #expect(space == (try scene.challenge(scene.leaf).challenge().protectionSpace))
        #expect(space != (try scene.challenge(scene.selfSigned).challenge().protectionSpace))
        let plain = URLProtectionSpace(
            host: "a", port: 1, protocol: "https", realm: nil, authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        #expect(plain.serverTrust == nil)
    }

    @Test func aCredentialOfTheChainAcceptsAndContainsNothingToSend() throws {
        let challenge = try scene.challenge(scene.leaf)
        let credential = URLCredential(trust: scene.trust(scene.leaf))
        #expect(challenge.answer(.useCredential, credential) == .accepted)
        #expect(credential.user == nil)
        #expect(credential.password == nil)
        #expect(!credential.hasPassword)
        #expect(credential == URLCredential(trust: scene.trust(scene.leaf)))
        #expect(credential != URLCredential(trust: scene.trust(scene.selfSigned)))
    }

    @Test func otherUsesOfACredentialRefuse() throws {
        let challenge = try scene.challenge(scene.leaf)
        #expect(challenge.answer(.useCredential, nil) == .refused(.noCredential))
        #expect(
            challenge.answer(.useCredential, URLCredential(trust: scene.trust(scene.selfSigned)))
                == .refused(.otherCredential))
        #expect(
            challenge.answer(.useCredential, URLCredential(user: "a", password: "b", persistence: .none))
                == .refused(.otherCredential))
    }

    @Test func theOtherDispositions() throws {
        let challenge = try scene.challenge(scene.leaf)
        let credential = URLCredential(trust: scene.trust(scene.leaf))
        #expect(challenge.answer(.performDefaultHandling, credential) == .systemDecides)
        #expect(challenge.answer(.cancelAuthenticationChallenge, credential) == .refused(.cancelled))
        #expect(challenge.answer(.rejectProtectionSpace, credential) == .refused(.cancelled))
    }

    // MARK: - Asking

    @Test func theSessionMethodIsAskedOnTheDelegateQueue() async throws {
        let delegate = ScriptedDelegate { challenge, reply in
            reply(.useCredential, challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) })
        }
        let answer = await (try scene.challenge(scene.leaf)).answer(
            from: delegate, of: scene.session, task: scene.task)
        #expect(answer == .accepted)
        #expect(delegate.methods == ["session on delegate queue"])
    }

    @Test func theTaskMethodIsAskedWhenTheSessionMethodDefers() async throws {
        let delegate = ScriptedDelegate(session: { $1(.performDefaultHandling, nil) }) { _, reply in
            reply(.cancelAuthenticationChallenge, nil)
        }
        let answer = await (try scene.challenge(scene.leaf)).answer(
            from: delegate, of: scene.session, task: scene.task)
        #expect(answer == .refused(.cancelled))
        #expect(delegate.methods == ["session on delegate queue", "task on delegate queue"])
        #expect(await (try scene.challenge(scene.leaf)).answer(from: delegate, of: scene.session) == .systemDecides)
    }

    /// Two different answers are ambiguous.
    @Test func twoAnswersRefuse() async throws {
        let delegate = ScriptedDelegate { challenge, reply in
            reply(.useCredential, challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) })
            reply(.cancelAuthenticationChallenge, nil)
        }
        let answer = await (try scene.challenge(scene.leaf)).answer(from: delegate, of: scene.session)
        #expect(answer == .refused(.answeredTwice))
    }

    /// An answer that arrives after the method returned does not count.
    @Test func aLaterAnswerHasNoEffect() async throws {
        let (kept, keep) = AsyncStream.makeStream(of: ScriptedDelegate.Reply.self)
        let delegate = ScriptedDelegate { _, reply in keep.yield(reply) }
        let challenge = try scene.challenge(scene.leaf)
        let session = scene.session
        async let answer = challenge.answer(from: delegate, of: session)
        var handlers = kept.makeAsyncIterator()
        let reply = try #require(await handlers.next())
        // The queue is serial: when this operation runs, the method has returned.
        await withCheckedContinuation { continuation in
            session.delegateQueue.addBarrierBlock { continuation.resume() }
        }
        reply(.performDefaultHandling, nil)
        reply(.cancelAuthenticationChallenge, nil)
        #expect(await answer == .systemDecides)
    }

    /// Apple's loading system would wait forever.
    @Test func aDiscardedHandlerRefuses() async throws {
        let delegate = ScriptedDelegate { _, _ in }
        let answer = await (try scene.challenge(scene.leaf)).answer(from: delegate, of: scene.session)
        #expect(answer == .refused(.unanswered))
    }

    @Test func cancellingTheTaskEndsTheWait() async throws {
        let (kept, keep) = AsyncStream.makeStream(of: ScriptedDelegate.Reply.self)
        let delegate = ScriptedDelegate { _, reply in keep.yield(reply) }
        let challenge = try scene.challenge(scene.leaf)
        let session = scene.session
        let asking = Task { await challenge.answer(from: delegate, of: session) }  // reason: to be cancelled below
        var handlers = kept.makeAsyncIterator()
        let reply = await handlers.next()
        asking.cancel()
        #expect(await asking.value == .refused(.unanswered))
        reply?(.performDefaultHandling, nil)
    }
}
