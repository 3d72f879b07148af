import Logging
public import HoldfastTrust

#if canImport(FoundationNetworking)
public import HoldfastNetworking
#else
public import Foundation
#endif

/// Evaluates servers by a TrustKit configuration. Use ``TrustKit/pinningValidator`` to get one.
///
/// Callable from any thread. An evaluation is synchronous and takes a few signature checks. It does no I/O except for
/// the first read of the machine's roots.
public final class TSKPinningValidator: Sendable {
    enum Rule: Sendable {
        case policy(PinningPolicy)
        /// Block every connection for this reason.
        case refusal(TrustFinding)
    }

    private let rule: Rule
    private let environment: TrustKitEnvironment
    private let observer: TSKObserver

    init(_ rule: Rule, _ environment: TrustKitEnvironment, _ observer: TSKObserver) {
        self.rule = rule
        self.environment = environment
        self.observer = observer
    }

    /// Evaluates a server's chain: the system verification for the host, then the pins.
    ///
    /// The policy, anchors and date of the `SecTrust` are ignored; the chain is verified again. The report of a failed
    /// evaluation goes to the environment's sink. Hosts without a canonical form are blocked. All hosts are blocked
    /// while TrustKit is not initialised or has an invalid configuration.
    ///
    /// - Warning: If the result is ``TSKTrustDecision/domainNotPinned``, the chain **was not validated at all**.
    ///   Validate it yourself; otherwise the connection is open to attackers:
    ///
    /// ```swift
    /// if validator.evaluateTrust(trust, forHostname: host) == .domainNotPinned {
    ///     try SystemTrustEvaluator().evaluate(ServerTrust(trust), forHost: host)  // throws: do not connect
    /// }
    /// ```
    /// In a `URLSession` delegate, use ``handle(_:completionHandler:)``, which handles this case.
    public func evaluateTrust(_ serverTrust: SecTrust, forHostname serverHostname: String) -> TSKTrustDecision {
        TSKTrustDecision(verdict(on: ServerTrust(serverTrust), forHostname: serverHostname, port: nil).decision)
    }

    /// Answers a `URLSession` delegate's challenge.
    ///
    /// For a server-trust challenge, the completion handler is called once, before this method returns `true`:
    ///
    /// - with a credential of the chain if the pins allow it,
    /// - with `.performDefaultHandling` if no pin applies,
    /// - with `.cancelAuthenticationChallenge` if the pins block it.
    ///
    /// For any other challenge, the handler is not called and the result is `false`; answer it yourself.
    ///
    /// On Linux, a native `URLSession` never asks its delegate. Holdfast's transports ask a delegate through
    /// `TrustContext.delegate(_:of:task:policy:anchors:logs:certificatePolicies:logger:)`. If no pin applies there,
    /// system trust verifies the chain.
    @discardableResult
    public func handle(
        _ challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) -> Bool {
        let space = challenge.protectionSpace
        guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust else { return false }
        guard let trust = space.serverTrust else {
            environment.logger.error("Refused a server-trust challenge without a chain")
            completionHandler(.cancelAuthenticationChallenge, nil)
            return true
        }
        let port = UInt16(exactly: space.port).flatMap { $0 == 0 ? nil : $0 }
        switch verdict(on: ServerTrust(trust), forHostname: space.host, port: port).decision {
        case .allow: completionHandler(.useCredential, URLCredential(trust: trust))
        case .notPinned: completionHandler(.performDefaultHandling, nil)
        case .block: completionHandler(.cancelAuthenticationChallenge, nil)
        }
        return true
    }

    /// Evaluates a server's chain and returns Holdfast's full verdict. Its `permitsConnection` includes the system
    /// verification of hosts without pins. Reports contain `port`.
    public func verdict(on trust: ServerTrust, forHostname hostname: String, port: UInt16? = nil) -> TrustVerdict {
        let start = ContinuousClock.now
        var verdict = evaluate(trust, hostname, port)
        verdict.duration = ContinuousClock.now - start
        if let pinning = verdict.pinning {
            environment.sink?.record(verdict)
            if let result = TSKPinningValidatorResult(verdict) { observer.tell(of: result, pinning) }
        } else if verdict.decision == .block {
            environment.logger.error("Refused a connection: \(verdict.finding)")
        }
        return verdict
    }

    private func evaluate(_ trust: ServerTrust, _ hostname: String, _ port: UInt16?) -> TrustVerdict {
        let policy: PinningPolicy
        switch rule {
        case .refusal(let finding): return blocked(finding, trust)
        case .policy(let configured): policy = configured
        }
        let host: CanonicalHost
        do throws(HostError) {
            host = try CanonicalHost(hostname)
        } catch {
            return blocked(TrustFinding(.invalidHost, error.reason), trust)
        }
        return TrustEngine(anchors: environment.anchors).evaluate(
            trust.presented, for: TrustSubject(host: host, port: port), at: environment.clock.now(), under: policy)
    }

    private func blocked(_ finding: TrustFinding, _ trust: ServerTrust) -> TrustVerdict {
        .blocked(finding, trust.presented, nil, environment.clock.now(), name: "TrustKit")
    }
}
