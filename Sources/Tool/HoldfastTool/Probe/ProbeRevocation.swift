import ArgumentParser
import HoldfastTransport
import HoldfastTrust

/// How a probe checks whether certificates were revoked.
enum ProbeRevocation: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument {
    /// Fetches nothing.
    case off
    /// Without a usable answer, the server is allowed with a notice.
    case soft
    /// Without a usable answer, the server is refused.
    case hard

    /// Returns the evaluator for a prober, which asks through the prober's proxy. `nil` if nothing is checked.
    ///
    /// Addresses of this machine and of local networks are never asked.
    func evaluator(_ prober: Prober) -> RevocationEvaluator? {
        guard let options = options(timeout: prober.timeout) else { return nil }
        return RevocationEvaluator(
            lists: HTTPRevocationListRequester(
                allowsPlainHTTP: true, timeout: prober.timeout, proxies: prober.proxies, anchors: prober.anchors),
            ocsp: HTTPOCSPRequester(
                allowsPlainHTTP: true, timeout: prober.timeout, proxies: prober.proxies, anchors: prober.anchors),
            options: options)
    }

    /// Returns the options of the evaluator; `nil` if nothing is checked. Good answers are reported as notices. The
    /// requests end before the time limit of the handshake.
    func options(timeout: Duration) -> RevocationOptions? {
        guard self != .off else { return nil }
        var options = RevocationOptions(failure: self == .hard ? .hard : .soft)
        options.timeout = timeout * 4 / 5
        options.reportsGood = true
        return options
    }
}
