import HoldfastBase
import ChatCenterCore
import ChatWire
import HTTPTypes
import HoldfastTransport

/// Makes REST calls.
struct RESTCaller: Sendable {
    let client: HTTPClient
    let addresses: ServerAddresses
    let timeout: Duration
    let reporter: NetworkReporter

    func run(_ call: RESTCall) async -> Result<RESTAnswer, TransportFailure> {
        let request = addresses.request(call)
        reporter.log.write(.rest, NetworkLog.request(request, reporter.log))
        do {
            let answer = try await client.collect(
                request, upTo: JSONLimits.answer.maximumBytes, options: RequestOptions(idleTimeout: timeout))
            try Task.checkCancellation()
            reporter.log.write(.rest, NetworkLog.response(answer.response, answer.body, request, reporter.log))
            return .success(
                RESTAnswer(
                    to: call.request, status: answer.response.status.code, body: answer.body,
                    retryAfterMilliseconds: RetryAfter.milliseconds(
                        answer.response.headerFields[.retryAfter], now: reporter.now())))
        } catch {
            return .failure(reporter.failure(error, "\(request.method) \(NetworkLog.path(request))"))
        }
    }
}

extension RetryAfter {
    /// The longest wait in milliseconds that a server can request: one day. A longer one is an error or an attack.
    static let longest: Int64 = 86_400_000

    /// Returns the wait in milliseconds; `nil` for a header that is missing or cannot be parsed.
    ///
    /// - Parameter now: Milliseconds since 1970.
    static func milliseconds(_ text: String?, now: Int64) -> Int64? {
        RetryAfter(text).map { min($0.milliseconds(from: now), longest) }
    }
}
