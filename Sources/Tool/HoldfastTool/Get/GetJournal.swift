import HTTPTypes
import HoldfastBase
import HoldfastTransport
import HoldfastTrust
import Synchronization

/// Records the requests and responses of one run, and prints them with `--verbose`. Thread-safe.
///
/// Prints no value of a header field that the user gave, no query of a URL and no cookie.
final class GetJournal: Sendable {
    /// A redirect that was followed.
    struct Redirect: Hashable, Sendable {
        /// The status of the response.
        var status: Int
        /// The URL that it led to.
        var url: RequestURL
    }

    private struct State {
        var url: RequestURL
        var redirects: [Redirect] = []
        var response: HTTPResponse?
        var facts: ConnectionFacts?
        var hasAnswer = false
        var lostPart: String?
    }

    private let state: Mutex<State>
    private let prober: Prober
    private let screen: GetScreen
    private let isVerbose: Bool
    /// The names of the fields that the user gave.
    private let hidden: Set<HTTPField.Name>

    /// - Parameters:
    ///   - prober: The client's trust and route.
    ///   - hidden: The names of request fields whose values are not printed.
    init(
        _ url: RequestURL, prober: Prober, screen: GetScreen, isVerbose: Bool, hidden: Set<HTTPField.Name>
    ) {
        self.state = Mutex(State(url: url))
        self.prober = prober
        self.screen = screen
        self.isVerbose = isVerbose
        self.hidden = hidden
    }

    /// The URL of the last request.
    var url: RequestURL { state.withLock(\.url) }
    /// The redirects that were followed.
    var redirects: [Redirect] { state.withLock(\.redirects) }
    /// The last response, if there was one.
    var response: HTTPResponse? { state.withLock(\.response) }
    /// The connection of the last response.
    var facts: ConnectionFacts? { state.withLock(\.facts) }
    /// Whether a response was received that is not a redirect.
    var hasAnswer: Bool { state.withLock(\.hasAnswer) }
    /// Why the bytes of an earlier run cannot be resumed, if that is known before the first request.
    var lostPart: String? { state.withLock(\.lostPart) }

    /// The evidence and the verdict on the server of the last response; `nil` without TLS.
    var report: ProbeReport? {
        let (url, facts) = state.withLock { ($0.url, $0.facts) }
        guard let facts, let verdict = facts.verdict else { return nil }
        var report = ProbeReport(verdict, on: url.server, prober: prober)
        report.outcome = .allowed
        report.connection = ProbeConnection(facts)
        return report
    }

    /// Records a request before it is sent.
    func sends(_ request: HTTPRequest, to url: RequestURL) {
        state.withLock { $0.url = url }
        guard isVerbose else { return }
        screen.note("> \(request.method.rawValue) \(url.shownTarget)")
        screen.note("> Host: \(Printable.text(url.authority))")
        for field in request.headerFields {
            let value = hidden.contains(field.name) ? "(not shown)" : Printable.text(field.value)
            screen.note("> \(field.name.rawName): \(value)")
        }
    }

    /// Records a response.
    func received(_ response: HTTPResponse, over facts: ConnectionFacts) {
        state.withLock { state in
            state.response = response
            state.facts = facts
        }
        let findings = facts.verdict.map { [$0.finding] + $0.notices } ?? []
        if findings.contains(where: { $0.code == .pinMismatch }) {
            screen.note("warning: no pin matches for \(url.server), but the policy only reports that")
        }
        guard isVerbose else { return }
        let tls = [facts.tlsVersion, facts.cipherSuite].compactMap(\.self).joined(separator: " ")
        let security = tls.isEmpty ? "without TLS" : tls
        screen.note("connected to \(Printable.text(facts.remoteAddress)), \(security), \(facts.version)")
        for line in report?.verdictLines() ?? [] { screen.note("  " + line) }
        screen.note("< \(response.status.code)")
        for field in response.headerFields {
            screen.note("< \(field.name.rawName): \(Self.shown(field))")
        }
    }

    /// Records that the last response is not a redirect to follow.
    func answered() {
        state.withLock { $0.hasAnswer = true }
    }

    /// Records that a download starts again. Returns whether this was known before the first response.
    func startsAgain(_ reason: String) -> Bool {
        state.withLock { state in
            guard !state.hasAnswer else { return false }
            state.lostPart = reason
            return true
        }
    }

    /// Records a redirect that is followed, and warns if the policy does not name its host.
    func follows(_ status: Int, to url: RequestURL) {
        let isOther = state.withLock { state in
            state.redirects.append(Redirect(status: status, url: url))
            return state.url.host != url.host
        }
        if isVerbose { screen.note("redirected to \(url.shown)") }
        if isOther, case .policy = prober.trust, !prober.trust.hasRule(for: url.host, at: prober.clock.now()) {
            screen.note("warning: the policy has no rule for \(url.host)")
        }
    }

    /// Returns a value of a response for messages. A server that redirects `/file?token=…` repeats the token.
    private static func shown(_ field: HTTPField) -> String {
        switch field.name {
        case .setCookie: return "(not shown)"
        case .location, .contentLocation:
            guard let end = field.value.unicodeScalars.firstIndex(where: { $0 == "?" || $0 == "#" }) else { break }
            return Printable.text(String(field.value.unicodeScalars[...end]) + "…")
        default: break
        }
        return Printable.text(field.value)
    }
}

extension ConnectionFacts {
    /// The HTTP version of the connection.
    var version: String { applicationProtocol == "h2" ? "HTTP/2" : "HTTP/1.1" }
}
