import HoldfastNIO
import HoldfastTrust
import Metrics
import NIOCore
import Tracing

/// The observation of a dial, or of one of its phases, by metrics and spans.
struct DialObservation: Sendable {
    let phase: DialPhase
    private let via: String
    private let instruments: DialInstruments
    private let began: NIODeadline
    private let span: (any Tracing.Span)?

    init(_ phase: DialPhase, via: String, _ instruments: DialInstruments, context: ServiceContext, at now: NIODeadline)
    {
        self.phase = phase
        self.via = via
        self.instruments = instruments
        self.began = now
        span = instruments.tracer?.startAnySpan(
            "holdfast.\(phase.rawValue)", context: context, ofKind: phase == .dial ? .client : .internal)
        if phase == .dial || phase == .proxy { span?.attributes["holdfast.via"] = via }
    }

    /// Adds the target of the dial to the span.
    func describe(_ target: DialTarget) {
        span?.updateAttributes { attributes in
            attributes["server.address"] = target.host.text
            attributes["server.port"] = Int64(target.port)
        }
    }

    /// Starts observing a phase of this dial.
    func begin(_ phase: DialPhase, at now: NIODeadline) -> DialObservation {
        DialObservation(phase, via: via, instruments, context: span?.context ?? .topLevel, at: now)
    }

    /// Records the end of the dial or the phase.
    func ended(_ error: (any Error)?, at now: NIODeadline) {
        instruments.metrics?.ended(phase, via: via, error, after: now - began)
        guard let span else { return }
        if let error {
            span.attributes["error.type"] = phase == .tls ? TLSMetrics.outcome(error) : TransportError.label(of: error)
            span.setStatus(SpanStatus(code: .error))
        }
        span.end()
    }

    /// Records the end of the handshake: the negotiated parameters, and the verification, which ran on another thread.
    func handshook(_ gate: VerificationGate, _ result: Result<TLSFacts, any Error>, at now: NIODeadline) {
        guard let span else { return }
        if let interval = gate.interval, let verdict = gate.verdict {
            verified(verdict, since: now - interval.began, until: now - interval.ended, span.context)
        }
        switch result {
        case .success(let facts):
            span.updateAttributes { attributes in
                attributes["tls.protocol.version"] = facts.version.map { String($0.drop { !$0.isNumber }) }
                attributes["tls.cipher"] = facts.cipherSuite
            }
            ended(nil, at: now)
        case .failure(let error):
            ended(error, at: now)
        }
    }

    /// Adds the span of the verification. `since` and `until` are its start and end, as durations before now.
    private func verified(_ verdict: TrustVerdict, since: TimeAmount, until: TimeAmount, _ context: ServiceContext) {
        let now = DefaultTracerClock.now.nanosecondsSinceEpoch
        func instant(_ before: TimeAmount) -> DefaultTracerClock.Timestamp {
            let before = min(UInt64(max(0, before.nanoseconds)), now)
            return DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: now - before)
        }
        guard let tracer = instruments.tracer else { return }
        let span = tracer.startSpan(
            "holdfast.\(DialPhase.verify.rawValue)", context: context, ofKind: .internal, at: instant(since))
        span.updateAttributes { attributes in
            attributes["holdfast.trust.decision"] = verdict.decision.rawValue
            attributes["holdfast.trust.finding"] = verdict.finding.code.label
            attributes["holdfast.trust.cached"] = verdict.isFromCache
        }
        if !verdict.permitsConnection { span.setStatus(SpanStatus(code: .error)) }
        span.end(at: instant(until))
    }
}

/// The phases of a dial, as named in metrics and, with the prefix `holdfast.`, in spans.
enum DialPhase: String, Hashable, Sendable, CaseIterable {
    /// The whole dial.
    case dial
    /// Resolving the name and connecting the socket, to the proxy if there is one.
    case connect
    /// The dialogue with the proxy, including TLS to the proxy.
    case proxy
    /// The TLS handshake with the server.
    case tls
    /// The verification of the server's certificates.
    case verify
}

/// The metrics and the tracer that observe the dials of one dialler.
struct DialInstruments: Sendable {
    let metrics: DialMetrics?
    /// The metrics for TLS handshakes with servers and with proxies.
    let serverTLS: TLSMetrics?
    let proxyTLS: TLSMetrics?
    let tracer: (any Tracer)?

    /// Uses the metrics and the tracer of the configuration, or the process-wide ones.
    init(_ configuration: TransportConfiguration) {
        let factory = configuration.metrics ?? MetricsSystem.factory
        metrics = DialMetrics(factory)
        serverTLS = TLSMetrics(factory)
        proxyTLS = TLSMetrics(factory, peer: .proxy)
        tracer = configuration.effectiveTracer
    }

    /// Starts observing a dial, with a span that is a child of the one in `context`. Returns `nil` without metrics and
    /// tracing.
    func begin(
        _ target: DialTarget, via proxy: ProxyServer.Kind?, context: ServiceContext?, at now: NIODeadline
    ) -> DialObservation? {
        guard metrics != nil || tracer != nil else { return nil }
        let dial = DialObservation(
            .dial, via: proxy?.rawValue ?? "direct", self, context: context ?? .topLevel, at: now)
        dial.describe(target)
        return dial
    }
}

extension EventLoopFuture {
    /// Returns the same future and reports its completion as a phase of the observed dial.
    func observed(as phase: DialPhase, of dial: DialObservation?) -> EventLoopFuture<Value> {
        guard let dial else { return self }
        let loop = eventLoop
        let observation = dial.begin(phase, at: loop.now)
        whenComplete { observation.ended($0.failure, at: loop.now) }
        return self
    }
}

extension Result {
    /// The error of a failed result; `nil` otherwise.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
