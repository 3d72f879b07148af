import HoldfastBase
public import Foundation
import HoldfastTransport
public import HoldfastTrust

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A transport that retries failed requests.
///
/// Some failures are final, whatever the policy says: a refused server, refused cleartext and a cancelled task. The
/// caller then receives the unchanged error with its verdict. Requests whose body is a stream are never retried,
/// because a stream can be read only once. A request with a method that is not idempotent is retried only if it was
/// never sent, unless ``RetryPolicy/methods`` allows more. After the last attempt, the caller receives the last
/// response or the last error.
///
/// The transport waits for `Retry-After` if it is longer than the policy's delay and does not exceed
/// ``RetryPolicy/maxRetryAfter``.
public struct RetryTransport: HTTPTransportProtocol {
    private let inner: any HTTPTransportProtocol
    private let policy: RetryPolicy
    private let clock: any Clock<Duration>
    private let wallClock: TrustClock
    private let random: @Sendable () -> Double

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - inner: The transport that sends the requests. Holdfast's own transport by default.
    ///   - policy: The rules for retries.
    ///   - clock: The clock for delays.
    ///   - wallClock: The clock for a date in `Retry-After`.
    ///   - random: Returns numbers from 0 up to, but not including, 1 for the jitter.
    public init(
        inner: any HTTPTransportProtocol = HTTPClientTransport(), policy: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = ContinuousClock(), wallClock: TrustClock = .system,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.inner = inner
        self.policy = policy
        self.clock = clock
        self.wallClock = wallClock
        self.random = random
    }

    /// Sends a request. Throws the inner transport's error, or `CancellationError` if the task is cancelled between two
    /// attempts.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        var previousDelay = policy.baseDelay
        var attempt = 0
        while true {
            var asked: Double?
            do {
                let (data, response) = try await inner.data(for: request)
                guard attempt < policy.maxRetries, repeats(request, after: response) else { return (data, response) }
                asked = RetryAfter.seconds(
                    response.value(forHTTPHeaderField: "Retry-After"), now: wallClock.now())
                if let asked, asked > RetryPolicy.seconds(policy.maxRetryAfter) { return (data, response) }
            } catch {
                guard attempt < policy.maxRetries, repeats(request, after: error) else { throw error }
            }
            let delay = policy.delay(forAttempt: attempt, previousDelay: previousDelay, random: random())
            previousDelay = delay
            attempt += 1
            try await clock.sleep(for: Duration(clampingSeconds: max(delay, asked ?? 0)))  // reason: the retry delay
            try Task.checkCancellation()
        }
    }

    private func repeats(_ request: URLRequest, after response: HTTPURLResponse) -> Bool {
        guard let status = HTTPStatusError(statusCode: response.statusCode), mayHaveBeenSent(request) else {
            return false
        }
        return policy.shouldRetry(response.statusCode, NetworkError.httpStatusError(status))
    }

    private func repeats(_ request: URLRequest, after error: any Error) -> Bool {
        guard RetryVerdict(error) != .never, !Task.isCancelled, request.httpBodyStream == nil else { return false }
        let neverLeft = (error as? TransportError)?.happenedBeforeSending == true
        return (neverLeft || mayHaveBeenSent(request)) && policy.shouldRetry(0, error)
    }

    /// Whether a request may be sent again although the server may have received it.
    private func mayHaveBeenSent(_ request: URLRequest) -> Bool {
        request.httpBodyStream == nil
            && policy.methods.allow(
                method: request.httpMethod?.uppercased(),
                hasKey: request.value(forHTTPHeaderField: "Idempotency-Key") != nil)
    }
}
