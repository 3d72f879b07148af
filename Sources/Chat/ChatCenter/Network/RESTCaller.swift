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

/// Reads `Retry-After` (RFC 9110, 10.2.3): seconds, or a date in the preferred form.
enum RetryAfter {
    /// The longest wait that a server can ask for: a day. Beyond it the header is a mistake or an attack.
    static let longest: Int64 = 86_400_000

    /// The wait in milliseconds; `nil` for a header that is missing or cannot be read.
    ///
    /// - Parameter now: Milliseconds since 1970.
    static func milliseconds(_ text: String?, now: Int64) -> Int64? {
        guard let text else { return nil }
        if !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Int64(text).map { min($0 * 1000, longest) }
        }
        return date(text).map { min(max(0, $0 - now), longest) }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT` in milliseconds since 1970.
    private static func date(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT", words[1].utf8.count == 2,
            words[3].utf8.count == 4, let month = months.firstIndex(of: String(words[2]))
        else { return nil }
        let number = month + 1
        return WireTime.milliseconds(
            "\(words[3])-\(number < 10 ? "0" : "")\(number)-\(words[1])T\(words[4])Z")
    }
}
