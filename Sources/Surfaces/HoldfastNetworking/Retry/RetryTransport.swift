import HoldfastBase
public import Foundation
import HoldfastTransport
public import HoldfastTrust

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A transport that sends failed requests again.
///
/// A refused server, refused cleartext and a cancelled task are final, whatever the policy says: the caller gets the error
/// as it is, with its verdict. So are requests whose body is a stream, which can be read once. A request whose method is not
/// idempotent is repeated only if it never left, unless ``RetryPolicy/methods`` says otherwise. When nothing more is tried, the
/// caller gets the last response, whatever its status, or the last error.
///
/// `Retry-After` is waited for if it is longer than the policy's own wait and within ``RetryPolicy/maxRetryAfter``.
public struct RetryTransport: HTTPTransportProtocol {
    private let inner: any HTTPTransportProtocol
    private let policy: RetryPolicy
    private let clock: any Clock<Duration>
    private let wallClock: TrustClock
    private let random: @Sendable () -> Double

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - inner: What carries the requests. Holdfast's own transport by default.
    ///   - policy: What is repeated, and when.
    ///   - clock: What waits are measured by.
    ///   - wallClock: What the date in a `Retry-After` is compared with.
    ///   - random: Numbers from 0 up to 1, for the jitter.
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

    /// Throws what the inner transport throws, or `CancellationError` where the task is cancelled between two attempts.
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
            try await clock.sleep(for: Duration(clampingSeconds: max(delay, asked ?? 0)))  // reason: the wait itself
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

    /// Whether a request may be sent a second time though the first may have arrived.
    private func mayHaveBeenSent(_ request: URLRequest) -> Bool {
        request.httpBodyStream == nil
            && policy.methods.allow(
                method: request.httpMethod?.uppercased(),
                hasKey: request.value(forHTTPHeaderField: "Idempotency-Key") != nil)
    }
}
