import HTTPTypes
import HoldfastBase
import HoldfastSystem
import HoldfastTransport

/// Why `holdfast get` has no result, or an unexpected one. All text is safe to print and contains nothing that the
/// command has sent. A server's body may echo anything.
struct GetFailure: Error, Hashable, Sendable {
    /// The maximum number of bytes of an error response's body that is shown if the output is a file.
    private static let shownBytes = 512

    /// The kind of failure; stable.
    var code: String
    /// One sentence, without a full stop.
    var reason: String
    /// The exit code.
    var status: ToolStatus
    /// A remedy, if one is known.
    var remedy: String?
    /// The start of the body of an error response that was not written.
    var body: String?
    /// The evidence and the verdict, if the server was refused.
    var report: ProbeReport?

    init(code: String, reason: String, status: ToolStatus, remedy: String? = nil) {
        self.code = code
        self.reason = ErrorText.clause(reason)
        self.status = status
        self.remedy = remedy
    }

    /// The sentence for the user, with the code.
    var sentence: String { "\(reason) [\(code)]" }

    /// The lines for a person, before the sentence.
    var lines: [String] {
        (report?.refusalLines ?? []) + (body.map { ["  " + $0] } ?? [])
            + (remedy.map { ["hint: \($0)"] } ?? [])
    }

    /// Returns the beginning of the body of an error response as one line; `nil` if it is empty.
    static func shown(_ body: [UInt8]) -> String? {
        let rest = body.prefix(shownBytes).reversed().drop { $0 == 0x0A || $0 == 0x0D }
        return rest.isEmpty ? nil : Printable.text(Array(rest.reversed()))
    }

    // MARK: The output

    /// Returns the failure of an output that cannot be used.
    static func output(_ reason: String) -> GetFailure {
        GetFailure(code: "outputUnusable", reason: reason, status: .outputFailed)
    }

    /// Returns the failure of an output that cannot be written.
    static func output(_ name: String, _ error: SystemError) -> GetFailure {
        GetFailure(
            code: error.meansFullDisk ? "diskFull" : "outputUnusable", reason: "\(name) cannot be written: \(error)",
            status: .outputFailed)
    }

    /// Returns the failure of an output file that exists.
    static func exists(_ path: String) -> GetFailure {
        GetFailure(
            code: "outputExists", reason: "'\(Printable.text(path))' already exists and is not replaced",
            status: .outputExists, remedy: "--force replaces it; --continue resumes an unfinished download of it")
    }

    // MARK: The response

    /// Describes an error response; `nil` for another response.
    init?(errorResponse response: HTTPResponse) {
        guard response.status.code >= 400 else { return nil }
        self.init(unusable: response)
    }

    /// Describes a response that is not the requested one.
    init(unusable response: HTTPResponse) {
        self.init(
            code: "status", reason: "the server responded with status \(response.status.code)", status: .errorResponse,
            remedy: Self.remedy(for: response))
    }

    private static func remedy(for response: HTTPResponse) -> String? {
        switch response.status.code {
        case 401: "--header @FILE sends an Authorization field that the list of processes does not show"
        case 429, 503:
            response.headerFields[.retryAfter].map { "the server asks to wait: Retry-After: \(Printable.text($0))" }
        default: nil
        }
    }
}

/// The errors of the client.
extension GetFailure {
    /// Describes any error of an exchange.
    ///
    /// - Parameters:
    ///   - url: The URL of the request that failed: after redirects, the last one.
    ///   - isRedirected: Whether a redirect led to the URL.
    ///   - prober: The client's trust and route, to describe a refusal as `probe` does.
    init(_ error: any Error, at url: RequestURL, isRedirected: Bool, prober: Prober) {
        switch error {
        case let error as GetFailure:
            self = error
        case let error as TransportError:
            self.init(error, at: url, isRedirected: isRedirected, prober: prober)
        case let error as TransferError:
            self.init(error)
        case let error as ToolError:
            self.init(code: "unusable", reason: error.sentence, status: error.status)
        default:
            self.init(
                code: "failed", reason: Printable.text(ErrorText.sentence(error)),
                status: error is CancellationError ? .interrupted : .exchangeFailed)
        }
    }

    private init(_ error: TransportError, at url: RequestURL, isRedirected: Bool, prober: Prober) {
        let reason = Printable.text(ErrorText.plain(error.reason))
        switch error.code {
        case .redirectRefused, .tooManyRedirects, .redirectLoop, .bodyNotRepeatable:
            self.init(code: error.code.rawValue, reason: reason, status: .redirectRefused)
            if error.code == .tooManyRedirects { remedy = "--max-redirects sets another limit" }
            if error.code == .bodyNotRepeatable { remedy = "give the body as a file, which can be sent again" }
        case .cleartextRefused where isRedirected:
            self.init(code: error.code.rawValue, reason: reason, status: .redirectRefused)
        case .cleartextRefused:
            self.init(
                code: error.code.rawValue, reason: reason, status: .usage,
                remedy: "use https:, or allow unencrypted connections with --dangerously-allow-cleartext")
        case .invalidURL, .invalidRequest:
            self.init(code: error.code.rawValue, reason: reason, status: .usage)
        case .bodyFailed, .invalidConfiguration:
            self.init(code: error.code.rawValue, reason: reason, status: .unusableInput)
        case .cancelled:
            self.init(code: error.code.rawValue, reason: reason, status: .interrupted)
        case .noCommonProtocol:
            self.init(
                code: error.code.rawValue, reason: reason, status: .exchangeFailed,
                remedy: "without --http1 and --http2, the server may select the version")
        default:
            self.init(connecting: error, to: url, prober: prober)
        }
    }

    /// Describes a refused server, a connection that failed, or an exchange that failed after that.
    private init(connecting error: TransportError, to url: RequestURL, prober: Prober) {
        let before: Set<TransportError.Phase> = [.preparing, .waiting, .connecting, .proxy, .tls]
        switch ProbeOutcome(.failure(error)) {
        case .refused(let finding):
            self.init(
                code: finding.code, reason: "\(url.server) was refused: \(finding.reason)", status: .failure,
                remedy: "holdfast probe \(url.server) shows what the server sends")
            report = error.verdict.map { ProbeReport($0, on: url.server, prober: prober) }
        case .failed(let failure) where before.contains(error.phase):
            self.init(
                code: failure.code, reason: "no connection to \(url.server): \(failure.reason)", status: .unreachable)
            if error.proxy?.code == .authentication {
                remedy = "give the proxy's credentials with --proxy http://USER:PASSWORD@HOST:PORT"
            }
        case .failed, .allowed:
            self.init(
                code: error.defect.map { "\(error.code).\($0)" } ?? error.code.rawValue,
                reason: Printable.text(ErrorText.plain(error.reason)), status: .exchangeFailed)
        }
    }

    private init(_ error: TransferError) {
        if error.code == .unexpectedStatus, let response = error.response {
            self.init(unusable: response)
            body = Self.shown(error.body)
            return
        }
        let status: ToolStatus =
            switch error.code {
            case .invalidRequest: .usage
            case .contentChanged, .checksumMismatch: .contentChanged
            case .fileUnusable, .alreadyUnderway: .outputFailed
            default: .exchangeFailed
            }
        self.init(code: error.code.rawValue, reason: Printable.text(ErrorText.plain(error.reason)), status: status)
        if error.code == .tooLittleProgress { remedy = "--continue resumes the download" }
        if let expected = error.expected, let found = error.found {
            reason += ": expected \(expected.hex), found \(found.hex)"
        }
    }
}
