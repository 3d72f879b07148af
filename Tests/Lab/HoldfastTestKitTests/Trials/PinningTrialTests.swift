import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Synchronization
import Testing

@testable import HoldfastTestKit

/// A trial must not report a client as safe that it could not examine.
@Suite("Pinning trial: its own checks", .timeLimit(.minutes(2))) struct PinningTrialTests {
    /// Counts the runs of a closure.
    private final class Counter: Sendable {
        private let value = Mutex(0)

        /// Returns the number of this call, from one.
        func next() -> Int {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }

    private func failure(_ body: () async throws -> Void) async -> PinningTrialError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? PinningTrialError
        }
    }

    @Test func clientThatCannotReachTheSiteFails() async throws {
        let trial = try PinningTrial()
        // The client does not trust the site's authority.
        let stranger = try PinnedSite()
        let error = await failure { try await trial.requireRefusals(Clients.http(stranger.trust)) }
        #expect(error?.code == .siteNotReached)
        #expect(error?.report == nil)
        #expect(error?.reason.contains("caFile") == true)
    }

    /// A client without pins refuses the attackers of an authority that it does not trust.
    @Test func restrictedRootIsNotAPin() async throws {
        let trial = try PinningTrial()
        let client = Clients.http(.system(anchors: .only([trial.site.authority.view])))
        let error = await failure { try await trial.requireRefusals(client) }
        #expect(error?.code == .otherAuthorityNotTrusted)
        #expect(error?.report == nil)
        #expect(error?.reason.contains("both authorities of caFile") == true)
        #expect(error?.reason.contains("PinningTrial(pinned:)") == true)
    }

    /// The trial cannot distinguish this client from one that pins an authority, and the report says so.
    @Test(arguments: PinningTrial.PinnedPart.allCases)
    func reportSaysWhatItDoesNotShow(_ pinned: PinningTrial.PinnedPart) async throws {
        let trial = try PinningTrial(pinned: pinned, attacks: [.wrongKey])
        let isRestricted = pinned != .key
        let trust: TrustContext =
            isRestricted ? .system(anchors: .only([trial.site.authority.view])) : trial.site.trust
        let report = try await trial.report(Clients.http(trust))
        #expect(report.failures.isEmpty && report.pinned == pinned)
        #expect(report.distinguishesPins != isRestricted)
        #expect(report.description.contains("Not verified: ") == isRestricted, "\(report)")
    }

    /// A client whose closure cannot reach the other authority's server is not examined.
    @Test func pinnedCertificateNeedsTheOptOut() async throws {
        let trial = try PinningTrial()
        let digest = trial.site.identity.view.certificateDigest
        let evaluator = ClosureEvaluator { trust, _ in
            guard trust.presented.certificates.first?.certificateDigest == digest else {
                throw ClientError("the certificate is another one")
            }
        }
        let client = Clients.http(
            .evaluators([trial.site.host: evaluator], anchors: trial.anchors))
        let error = await failure { try await trial.requireRefusals(client) }
        #expect(error?.code == .otherAuthorityNotTrusted)
        try await PinningTrial(site: trial.site, pinned: .certificate).requireRefusals(client)
    }

    /// The text of an error may have several lines, as a refused verdict's has.
    @Test func reportHasOneLineForEachAttack() async throws {
        let trial = try PinningTrial(pinned: .authority, attacks: [.wrongKey, .wrongHost])
        let report = try await trial.report(Clients.http(trial.site.trust))
        #expect(report.failures.isEmpty)
        #expect(report.results.allSatisfy { $0.reason.contains(" [test site] ") }, "\(report)")
        #expect(!report.description.contains("\\u{"), "\(report)")
        #expect(report.description.split(separator: "\n").count == 3, "\(report)")
    }

    @Test func closureThatSendsNothingFails() async throws {
        let trial = try PinningTrial()
        let error = await failure { try await trial.requireRefusals { _ in } }
        #expect(error?.code == .siteNotReached)
        #expect(error?.reason.contains("received no request") == true)
    }

    @Test func clientThatBreaksDuringTheAttacksFails() async throws {
        let trial = try PinningTrial(attacks: [.wrongKey])
        let client = Clients.http(trial.site.trust)
        let runs = Counter()
        let error = await failure {
            try await trial.requireRefusals { url in
                if runs.next() > 3 { throw ClientError("the client is suspended") }
                return try await client(url)
            }
        }
        #expect(error?.code == .siteLost)
        #expect(error?.reason.contains("suspended") == true)
    }

    @Test func failureBeforeTLSIsNotARefusal() async throws {
        let trial = try PinningTrial(attacks: [.wrongKey, .expired])
        let client = Clients.http(trial.site.trust)
        let runs = Counter()
        let report = try await trial.report { url in
            if [3, 4].contains(runs.next()) { throw ClientError("the network is unreachable") }
            return try await client(url)
        }
        #expect(report.results.map(\.outcome) == [.failedForAnotherReason, .failedForAnotherReason])
        #expect(report.failures.count == 2)
        #expect(report.accepted.isEmpty)
        #expect(report.description.contains("the network is unreachable"))
    }

    @Test func discardedErrorIsNotARefusal() async throws {
        let trial = try PinningTrial(attacks: [.wrongKey])
        let client = Clients.http(trial.site.trust)
        let report = try await trial.report { url in try? await client(url) }
        #expect(report[.wrongKey]?.outcome == .failedForAnotherReason)
        #expect(report[.wrongKey]?.reason.contains("must throw") == true)
    }

    @Test func requestBeforeTheRefusalIsAccepted() async throws {
        let trial = try PinningTrial(attacks: [.wrongKey])
        let client = Clients.http(.dangerouslyAcceptAnyCertificate())
        let runs = Counter()
        // The client evaluates the server only after the response.
        let error = await failure {
            try await trial.requireRefusals { url in
                _ = try await client(url)
                if runs.next() == 3 { throw ClientError("the server has another key") }
            }
        }
        #expect(error?.code == .notRefused)
        #expect(error?.report?.accepted == [.wrongKey])
        #expect(error?.description.contains("wrongKey: accepted") == true)
    }

    @Test func requestWithoutTLSIsAccepted() async throws {
        let trial = try PinningTrial(attacks: [.cutAfterCertificate])
        let client = Clients.http(trial.site.trust)
        let runs = Counter()
        let report = try await trial.report { url in
            guard runs.next() == 3 else { return try await client(url) }
            // A client that repeats a failed request in cleartext.
            let cleartext = try #require(
                URL(string: url.absoluteString.replacingOccurrences(of: "https", with: "http")))
            return try await client(cleartext)
        }
        #expect(report.accepted == [.cutAfterCertificate])
        #expect(report[.cutAfterCertificate]?.connections.first?.startedTLS == false)
        #expect((report[.cutAfterCertificate]?.connections.first?.cleartextBytes ?? 0) > 0)
    }

    @Test func downgradeSucceedsAgainstAClientWithOldTLS() async throws {
        let trial = try PinningTrial()
        let caFile = trial.caFile
        let report = try await trial.report { url in try await OldTLSClient.get(url, caFile: caFile) }
        #expect(report.accepted == [.wrongKey, .smuggledPin, .downgrade], "\(report)")
        #expect(report.failures.count == 3)
    }

    @Test func refusalShowsWhatTheAttackerSaw() async throws {
        let trial = try PinningTrial(attacks: [.wrongKey])
        let report = try await trial.report(Clients.http(trial.site.trust))
        let result = try #require(report[.wrongKey])
        #expect(result.outcome == .refused)
        #expect(result.receivedBytes == 0)
        #expect(result.connections.contains { $0.startedTLS })
        #expect(result.connections.allSatisfy { $0.applicationBytes == 0 && !$0.isOpen })
        #expect(report[.downgrade] == nil)
    }

    @Test func hangingClientEndsAtTheTimeLimit() async throws {
        let url = try #require(URL(string: "https://localhost/"))
        let interrupted = Counter()
        let never = AsyncStream<Void>.makeStream()
        // Nothing arrives until the task is cancelled.
        let client: @Sendable (URL) async throws -> Void = { _ in for await _ in never.stream {} }
        let ending = await ClientRun.ending(of: client, url, limit: .zero) { _ = interrupted.next() }
        never.continuation.finish()
        #expect(ending == .timedOut)
        #expect(interrupted.next() == 2)
        let run = ClientRun(ending: ending, connections: [])
        #expect(AttackResult(.wrongKey, run, timeLimit: .seconds(3)).outcome == .failedForAnotherReason)
    }

    @Test func appsAddTheirOwnAttacks() async throws {
        let selfSigned = PinAttack("selfSigned", "The attacker's certificate is self-signed.") { site in
            try LoopbackHandshake(site.certificate(signedBy: nil))
        }
        let trial = try PinningTrial(attacks: [selfSigned])
        try await trial.requireRefusals(Clients.http(trial.site.trust))
        let report = try await trial.report(Clients.http(.dangerouslyAcceptAnyCertificate()))
        #expect(report.accepted == [selfSigned])
        #expect(selfSigned != .wrongKey)
    }

    @Test(arguments: PinAttack.all)
    func everyAttackPresentsWhatItNames(_ attack: PinAttack) throws {
        let site = try PinnedSite()
        let handshake = try attack.handshake(for: site)
        let leaf = try CertificateView(der: try #require(handshake.chain.first))
        let hasPinnedKey = [.wrongHost, .expired, .downgrade].contains(attack)
        #expect((leaf.spkiDigest == site.identity.spkiDigest) == hasPinnedKey)
        #expect(handshake.chain.contains(site.identity.certificateDER) == [.smuggledPin, .downgrade].contains(attack))
        #expect((handshake.versions == .deprecated) == (attack == .downgrade))
        #expect(handshake.closesAfterCertificates == (attack == .cutAfterCertificate))
        #expect(handshake.identity.spkiDigest == leaf.spkiDigest)
        #expect(!attack.summary.isEmpty)
    }

    @Test(arguments: ["", "exa mple", "::1"])
    func sitesRefuseUnusableHosts(host: String) throws {
        let error = #expect(throws: TestKitError.self) { try PinnedSite(host: host) }
        #expect(error?.code == .invalidHost)
    }

    @Test func siteDeletesItsFile() throws {
        var path = ""
        do {
            let site = try PinnedSite()
            path = site.caFile
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.contains(site.authority.certificatePEM))
            #expect(text.contains(site.otherAuthority.certificatePEM))
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
