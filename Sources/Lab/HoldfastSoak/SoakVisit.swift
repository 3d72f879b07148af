import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Synchronization

/// One request of a soak. Sends the request, cancels it if the case says so, and checks the outcome.
struct SoakVisit: Sendable {
    /// The outcome of a request.
    struct Result: Sendable {
        var visited: SoakCase
        var outcome: String
        var bodyBytes = 0
        var violation: String?

        func note(in report: inout SoakReport) {
            report.outcomes[outcome, default: 0] += 1
            report.kinds[visited.kind.rawValue, default: 0] += 1
            report.cancellations[visited.cancellation.rawValue, default: 0] += 1
            if visited.cancellation != .never, outcome == "success" { report.cancelledTooLate += 1 }
            report.bodyBytes += Int64(bodyBytes)
            if let violation { report.violated("\(visited.kind.rawValue) \(visited.number): \(violation)") }
        }
    }

    /// The parts of a response that are checked.
    private struct Answer: Sendable {
        var status: Int
        var body: [UInt8]
        var number: String?
    }

    private let visited: SoakCase
    private let soak: Soak
    private let request: HTTPRequest
    /// Fires when the transfer of the response's body, or of the request's, has begun.
    private let begun = Trigger()

    init(_ visited: SoakCase, port: (Int) -> UInt16, soak: Soak) {
        self.visited = visited
        self.soak = soak
        let isSecure = soak.plan.wire != .plain
        var request = HTTPRequest(
            method: Self.method(visited), scheme: isSecure ? "https" : "http",
            authority: "\(isSecure ? Soak.host : "127.0.0.1"):\(port(visited.server))", path: visited.path)
        if visited.kind == .expect { request.headerFields[.expect] = "100-continue" }
        self.request = request
    }

    private static func method(_ visited: SoakCase) -> HTTPRequest.Method {
        switch visited.kind {
        case .head: .head
        case .post, .expect, .early: visited.number % 3 == 0 ? .patch : .post
        case .upload: .post
        default: visited.number % 5 == 0 ? .delete : .get
        }
    }

    /// Sends the request and checks the outcome.
    func run() async -> Result {
        let start = soak.policies?.current
        let arrival = visited.cancellation == .whenSent ? soak.script.arrival(of: visited.number) : nil
        let gate = Trigger()
        let task = Task {  // reason: the task is cancelled from outside, and awaited below
            if visited.cancellation == .before { await gate.wait() }
            return try await send()
        }
        switch visited.cancellation {
        case .never: break
        case .before:
            task.cancel()
            gate.fire()
        case .soon:
            for _ in 0..<visited.turns { await Task.yield() }
            task.cancel()
        case .whenSent: arrival?.whenFired { task.cancel() }
        case .whenReceiving, .whenUploading: begun.whenFired { task.cancel() }
        }
        let outcome = await task.result
        soak.script.forget(visited.number)
        let allowed = start.flatMap { start in soak.policies.map { SoakPolicies.allows(from: start, to: $0.current) } }
        return judge(outcome, allowed ?? (refusal: false, success: true))
    }

    private func send() async throws -> Answer {
        var options = RequestOptions(redirects: .follow())
        if visited.kind == .gzip { options.decompression = .on() }
        if visited.kind == .silent { options.totalTimeout = .milliseconds(visited.patience) }
        guard visited.isStreamed else {
            let answer = try await soak.client.collect(request, body: body(), upTo: 1_000_000, options: options)
            let fields = answer.trailers ?? answer.response.headerFields
            return Answer(status: answer.response.status.code, body: answer.body, number: Self.number(fields))
        }
        return try await soak.client.execute(request, body: body(), options: options) { response, reader in
            var body: [UInt8] = []
            while let part = try await reader.next() {
                begun.fire()
                body += part
            }
            let fields = reader.trailers ?? response.headerFields
            return Answer(status: response.status.code, body: body, number: Self.number(fields))
        }
    }

    private static func number(_ fields: HTTPFields) -> String? {
        HTTPField.Name("X-Number").flatMap { fields[$0] }
    }

    private func body() -> HTTPBody? {
        guard visited.kind.hasBody else { return nil }
        let bytes = SoakContent.bytes(visited.number, visited.size)
        if visited.kind == .early {
            // More bytes than the server reads: it responds to the head.
            return .stream(length: nil) { writer in
                for _ in 0..<30 { try await writer.write(Array(repeating: 0x78, count: 8_000)) }
            }
        }
        guard visited.kind == .upload else { return .bytes(bytes) }
        return .stream(length: visited.number % 2 == 0 ? Int64(bytes.count) : nil) { writer in
            var rest = bytes[...]
            while !rest.isEmpty {
                try await writer.write(Array(rest.prefix(999)))
                rest = rest.dropFirst(999)
                begun.fire()
            }
        }
    }

    // MARK: Judging

    private func judge(_ outcome: Swift.Result<Answer, any Error>, _ allowed: (refusal: Bool, success: Bool)) -> Result
    {
        var result = Result(visited: visited, outcome: "success")
        switch outcome {
        case .success(let answer):
            result.bodyBytes = answer.body.count
            result.violation = allowed.success ? complaint(about: answer) : "a refused server was used"
        case .failure(let error as TransportError):
            result.outcome = error.code.rawValue
            if !mayFail(error.code, allowed.refusal) { result.violation = "\(error)" }
        case .failure(let error):
            result.outcome = "untyped"
            result.violation = "an untyped error: \(error)"
        }
        return result
    }

    private func mayFail(_ code: TransportError.Code, _ mayBeRefused: Bool) -> Bool {
        if code == .cancelled { return visited.cancellation != .never }
        if code == .trustRefused { return mayBeRefused }
        // With HTTP/2, a connection that another request closes is also this request's connection.
        if code == .connectionClosed, soak.plan.wire == .http2 { return true }
        switch visited.kind {
        case .unanswered, .cut, .reset: return code == .connectionClosed
        case .ambiguous: return code == .malformedResponse
        case .silent: return code == .timedOut
        // The connection was stale, and the request is not retried.
        default: return code == .connectionClosed && visited.kind.isSentOnce
        }
    }

    private func complaint(about answer: Answer) -> String? {
        switch visited.kind {
        case .head, .noContent, .notModified:
            let status = [SoakKind.head: 200, .noContent: 204][visited.kind] ?? 304
            guard answer.status == status, answer.body.isEmpty, answer.number == "\(visited.number)" else {
                return "a response to another request: \(answer.status), \(answer.number ?? "-")"
            }
            return nil
        case .unanswered, .cut, .reset, .ambiguous, .silent:
            return "the request succeeded although the server never completes it"
        case .early:
            return compare(answer, SoakContent.bytes(visited.number, 10))
        case .post, .upload, .expect:
            let body = SoakContent.bytes(visited.number, visited.size)
            return compare(answer, SoakContent.receipt(visited.number, for: body))
        case .chunked where answer.number != "\(visited.number)":
            return "trailers of another response"
        default:
            return compare(answer, SoakContent.bytes(visited.number, visited.size))
        }
    }

    private func compare(_ answer: Answer, _ body: [UInt8]) -> String? {
        answer.status == 200 && answer.body == body
            ? nil : "\(answer.status) with \(answer.body.count) bytes, which differ from the expected \(body.count)"
    }
}
