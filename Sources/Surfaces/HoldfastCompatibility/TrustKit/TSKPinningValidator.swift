import Logging
public import HoldfastTrust

#if canImport(FoundationNetworking)
public import HoldfastNetworking
#else
public import Foundation
#endif

/// Decides about servers by a TrustKit configuration. Get it from ``TrustKit/pinningValidator``.
///
/// Called from any thread; an evaluation is synchronous, does no I/O but the first reading of the machine's roots, and takes
/// a few signature checks.
public final class TSKPinningValidator: Sendable {
    enum Rule: Sendable {
        case policy(PinningPolicy)
        /// Everything is blocked, for this reason.
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

    /// Evaluates a server's chain: system verification for the host, then the pins.
    ///
    /// What policy, anchors or date a `SecTrust` carries takes no part; it is verified anew. A failed evaluation hands its
    /// report to the environment's sink. A host without a canonical form, and any host while TrustKit is not initialised or
    /// wrongly configured, is blocked.
    ///
    /// - Warning: If the result is ``TSKTrustDecision/domainNotPinned``, the chain **was not validated at all**, and the
    ///   connection is open to everyone unless you validate it yourself:
    ///
    /// ```swift
    /// if validator.evaluateTrust(trust, forHostname: host) == .domainNotPinned {
    ///     try SystemTrustEvaluator().evaluate(ServerTrust(trust), forHost: host)  // throws: do not connect
    /// }
    /// ```
    /// In a `URLSession` delegate use ``handle(_:completionHandler:)``, which does the right thing by itself.
    public func evaluateTrust(_ serverTrust: SecTrust, forHostname serverHostname: String) -> TSKTrustDecision {
        TSKTrustDecision(verdict(on: ServerTrust(serverTrust), forHostname: serverHostname, port: nil).decision)
    }

    /// Answers a `URLSession` delegate's challenge.
    ///
    /// For a server-trust challenge the handler is called once, before this returns `true`: with a credential of the chain
    /// where the pins allow it, with `.performDefaultHandling` where no pin applies, with `.cancelAuthenticationChallenge`
    /// where they block. For any other challenge it is not called and the result is `false`: answer it yourself.
    ///
    /// On Linux a native `URLSession` never asks its delegate. A delegate is asked by Holdfast's transports, through
    /// `TrustContext.delegate(_:of:task:policy:anchors:logger:)`; there a chain that no pin applies to is verified by system
    /// trust.
    @discardableResult
    public func handle(
        _ challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) -> Bool {
        let space = challenge.protectionSpace
        guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust else { return false }
        guard let trust = space.serverTrust else {
            environment.logger.error("A server-trust challenge without a chain is refused")
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

    /// The same evaluation with Holdfast's whole verdict, whose `permitsConnection` includes the system verification of hosts
    /// without pins. `port` goes into reports.
    public func verdict(on trust: ServerTrust, forHostname hostname: String, port: UInt16? = nil) -> TrustVerdict {
        let start = ContinuousClock.now
        var verdict = evaluate(trust, hostname, port)
        verdict.duration = ContinuousClock.now - start
        if let pinning = verdict.pinning {
            environment.sink?.record(verdict)
            if let result = TSKPinningValidatorResult(verdict) { observer.tell(of: result, pinning) }
        } else if verdict.decision == .block {
            environment.logger.error("A connection is refused: \(verdict.finding)")
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
