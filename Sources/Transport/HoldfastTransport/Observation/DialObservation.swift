import HoldfastNIO
import HoldfastTrust
import NIOCore
import Tracing

/// A dial, or one phase of it, as metrics and spans see it.
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

    /// Says whom the dial is for.
    func describe(_ target: DialTarget) {
        span?.updateAttributes { attributes in
            attributes["server.address"] = target.host.text
            attributes["server.port"] = Int64(target.port)
        }
    }

    /// A phase of this dial begins.
    func begin(_ phase: DialPhase, at now: NIODeadline) -> DialObservation {
        DialObservation(phase, via: via, instruments, context: span?.context ?? .topLevel, at: now)
    }

    /// The dial or the phase has ended.
    func ended(_ error: (any Error)?, at now: NIODeadline) {
        instruments.metrics?.ended(phase, via: via, error, after: now - began)
        guard let span else { return }
        if let error {
            span.attributes["error.type"] = phase == .tls ? TLSMetrics.outcome(error) : TransportError.label(of: error)
            span.setStatus(SpanStatus(code: .error))
        }
        span.end()
    }

    /// The handshake has ended: says what was agreed on, and enters the judgement, which took place on another thread.
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

    /// `since` and `until` are the times before now at which the judgement began and ended.
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
