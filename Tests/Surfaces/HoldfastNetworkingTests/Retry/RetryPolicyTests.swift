import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import Testing

@testable import HoldfastNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The waits between attempts, and which failures are retried.
@Suite struct RetryPolicyTests {
    private func waits(_ policy: RetryPolicy, random: Double, count: Int = 8) -> [Double] {
        var previous = policy.baseDelay
        return (0..<count).map { attempt in
            previous = policy.delay(forAttempt: attempt, previousDelay: previous, random: random)
            return previous
        }
    }

    @Test func theDefaultsAreAsDocumented() {
        let policy = RetryPolicy()
        #expect(policy.maxRetries == 3)
        #expect(policy.baseDelay == 0.5)
        #expect(policy.maxDelay == 30)
        #expect(policy.jitter == .full)
        #expect(policy.methods == .idempotent)
    }

    /// Each named formula, at both ends of the random range.
    @Test func theFormulasMatchTheirNames() {
        func policy(_ jitter: JitterStrategy?) -> RetryPolicy {
            RetryPolicy(baseDelay: 0.5, maxDelay: 30, jitter: jitter)
        }
        let exponential = [0.5, 1, 2, 4, 8, 16, 30, 30]
        #expect(waits(policy(nil), random: 0.7) == exponential)
        #expect(waits(policy(.full), random: 1) == exponential)
        #expect(waits(policy(.full), random: 0).allSatisfy { $0 == 0 })
        #expect(waits(policy(.full), random: 0.5) == exponential.map { $0 / 2 })
        #expect(waits(policy(.equal), random: 1) == exponential)
        #expect(waits(policy(.equal), random: 0) == exponential.map { $0 / 2 })
        #expect(waits(policy(.decorrelated), random: 0).allSatisfy { $0 == 0.5 })
        #expect(waits(policy(.decorrelated), random: 1) == [1.5, 4.5, 13.5, 30, 30, 30, 30, 30])
    }

    /// Every wait is within its bounds for every random number.
    @Test(arguments: JitterStrategy.allCases)
    func everyWaitIsWithinItsBounds(jitter: JitterStrategy) {
        let policy = RetryPolicy(baseDelay: 0.25, maxDelay: 20, jitter: jitter)
        var generator = SeededGenerator(seed: 7)
        var previous = policy.baseDelay
        for attempt in 0..<500 {
            let delay = policy.delay(
                forAttempt: attempt, previousDelay: previous, random: Double.random(in: 0..<1, using: &generator))
            #expect((0...20).contains(delay))
            if jitter == .decorrelated { #expect(delay >= 0.25) }
            previous = delay
        }
    }

    /// No number produces a wait that traps, is negative or never ends.
    @Test(arguments: [nil] + JitterStrategy.allCases)
    func extremeNumbersAreSafe(jitter: JitterStrategy?) {
        let odd = [Double.nan, -1, -.infinity, .infinity, 0, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0]
        for base in odd {
            for cap in odd {
                for random in odd {
                    let policy = RetryPolicy(baseDelay: base, maxDelay: cap, jitter: jitter)
                    for attempt in [Int.min, -1, 0, 1, 1_000, .max] {
                        let delay = policy.delay(forAttempt: attempt, previousDelay: base, random: random)
                        #expect((0...3_155_760_000).contains(delay))
                        if !(cap > 0) { #expect(delay == 0) }
                        _ = Duration(clampingSeconds: delay)
                    }
                }
            }
        }
    }

    private func retries(_ error: any Error) -> Bool {
        RetryPolicy.defaultShouldRetry(statusCode: 0, error: error)
    }

    @Test func statuses() {
        for (status, isRetried) in [
            (429, true), (500, true), (502, true), (503, true), (504, true), (400, false), (401, false), (403, false),
            (404, false), (409, false), (301, false),
        ] {
            let error = HTTPStatusError(statusCode: status)
            #expect(error.map { retries(NetworkError.httpStatusError($0)) } == isRetried, "\(status)")
        }
    }

    @Test func transportErrors() {
        for (code, isRetried) in [
            (TransportError.Code.connectionRefused, true), (.noConnectivity, true), (.timedOut, true),
            (.connectionClosed, true), (.proxyFailed, true), (.unresolvedHost, true), (.cleartextRefused, false),
            (.cancelled, false), (.shutDown, false), (.invalidURL, false), (.malformedResponse, false),
            (.responseTooLarge, false), (.tlsHandshakeFailed, false), (.trustRefused, false),
        ] {
            #expect(retries(TransportError(code, in: .connecting, "x")) == isRetried, "\(code)")
        }
    }

    @Test func proxies() {
        for (code, isRetried) in [
            (ProxyFailure.Code.refused, true), (.closed, true), (.timedOut, true), (.authentication, false),
            (.malformed, false), (.tooLarge, false), (.earlyBytes, false), (.tls, false),
        ] {
            var error = TransportError(.proxyFailed, in: .proxy, "x")
            error.proxy = ProxyFailure(code, "x")
            #expect(retries(error) == isRetried, "\(code)")
        }
    }

    private struct Foreign: Error {}

    @Test func otherErrors() {
        #expect(retries(Foreign()))
        #expect(retries(URLError(.timedOut)))
        #expect(!retries(URLError(.badURL)))
        #expect(!retries(NetworkError.missingBaseURL))
        #expect(!retries(UnsupportedRequestError(property: "x")))
        #expect(!retries(KeyChainStoreError.stringDecodingFailed))
    }

    /// The modelled library retries this case three times: the cancelled request that a refused pin causes.
    @Test func refusalsAndCancellationsAreFinal() {
        let finals: [any Error] = [
            CancellationError(), URLError(.cancelled), URLError(.serverCertificateUntrusted),
            URLError(.secureConnectionFailed), URLError(.appTransportSecurityRequiresSecureConnection),
            ServerTrustError.certificatePinningFailed(host: "h"), TrustFinding(.pinMismatch, "x"),
            UnbridgedSessionError(), TransportError(.trustRefused, in: .tls, "x"),
            TransportError(.cleartextRefused, in: .preparing, "x"), TransportError(.cancelled, in: .sending, "x"),
            NSError(
                domain: "somebody", code: 1, userInfo: [NSUnderlyingErrorKey: URLError(.serverCertificateUntrusted)]),
        ]
        for error in finals {
            #expect(!retries(error))
            #expect(RetryVerdict(error) == .never, "\(error)")
        }
    }
}
