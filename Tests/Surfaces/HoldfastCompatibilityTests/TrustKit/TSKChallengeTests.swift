import Foundation
import HoldfastCompatibility
import HoldfastTestSupport
import Testing

/// Tests of `handle(_:completionHandler:)`.
@Suite struct TSKChallengeTests {
    private let scene: CompatibilityScene
    private let sink = RecordingSink()
    private let kit: TrustKit

    init() throws {
        scene = try CompatibilityScene()
        kit = TrustKit(
            configuration: [
                kTSKPinnedDomains: [
                    CompatibilityScene.host: [
                        kTSKPublicKeyHashes: [scene.leaf.spkiDigest.base64, CompatibilityScene.backup]
                    ]
                ]
            ], environment: TrustKitEnvironment(anchors: scene.anchors, clock: scene.clock, sink: sink))
    }

    private struct Answer: Equatable {
        var disposition: URLSession.AuthChallengeDisposition
        var credential: URLCredential?
    }

    /// Returns the arguments of the completion handler's calls, and the method's result.
    private func answers(to challenge: URLAuthenticationChallenge) -> (handled: Bool, answers: [Answer]) {
        var answers: [Answer] = []
        let handled = kit.pinningValidator.handle(challenge) {
            answers.append(Answer(disposition: $0, credential: $1))
        }
        return (handled, answers)
    }

    private func challenge(_ identity: Identity, host: String = CompatibilityScene.host) throws
        -> ServerTrustChallenge
    {
        ServerTrustChallenge(
            scene.trust(identity), for: TrustSubject(host: try CanonicalHost(host), port: 8443))
    }

    @Test func allowedServersGetTheCredentialOfTheChain() throws {
        let challenge = try challenge(scene.leaf)
        let (handled, answers) = answers(to: challenge.challenge())
        #expect(handled)
        #expect(answers == [Answer(disposition: .useCredential, credential: URLCredential(trust: challenge.trust))])
        #expect(answers.first.map { challenge.answer($0.disposition, $0.credential) } == .accepted)
    }

    @Test func blockedServersAreCancelledAndReportedWithThePort() throws {
        let (handled, answers) = answers(to: try challenge(scene.other).challenge())
        #expect(handled)
        #expect(answers == [Answer(disposition: .cancelAuthenticationChallenge)])
        #expect(sink.reports.first?.verdict.subject?.port == 8443)
    }

    /// As in TrustKit's source: the challenge is handled, with the default handling. TrustKit's documentation says
    /// otherwise.
    @Test func unpinnedServersGetTheDefaultHandling() throws {
        let (handled, answers) = answers(to: try challenge(scene.selfSigned, host: "example.org").challenge())
        #expect(handled)
        #expect(answers == [Answer(disposition: .performDefaultHandling)])
    }

    private func challenge(method: String) -> URLAuthenticationChallenge {
        let template = try? challenge(scene.leaf).challenge()
        let space = URLProtectionSpace(
            host: CompatibilityScene.host, port: 443, protocol: "https", realm: "r", authenticationMethod: method)
        return URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
            sender: template?.sender ?? NoSender())
    }

    @Test func otherChallengesAreNotHandledAndTheHandlerIsNotCalled() {
        let (handled, answers) = answers(to: challenge(method: NSURLAuthenticationMethodHTTPBasic))
        #expect(!handled)
        #expect(answers.isEmpty)
    }

    @Test func serverTrustWithoutAChainIsCancelled() {
        let (handled, answers) = answers(to: challenge(method: NSURLAuthenticationMethodServerTrust))
        #expect(handled)
        #expect(answers == [Answer(disposition: .cancelAuthenticationChallenge)])
    }
}

/// A sender that does nothing, because a challenge needs one.
private final class NoSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
