import HTTPTypes
import HoldfastTrust
import Tracing

/// The span of one request, according to OpenTelemetry's conventions for HTTP clients.
///
/// The attributes contain no path, query or header field, because any part of a URL may be a credential. An error is
/// recorded only by its code, because the closures of a caller can throw errors with arbitrary text.
final class RequestTrace: Sendable {
    private let span: any Tracing.Span
    private let tracer: any Tracer
    /// Whether to send the trace context to the server.
    private let isPropagated: Bool
    private let assumesHTTP2: Bool

    /// The known methods of the conventions. All others are recorded as `_OTHER`, which limits the number of names.
    private static let methods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch,
    ]

    init(_ tracer: any Tracer, _ chain: RedirectChain, assumesHTTP2: Bool) {
        let method = chain.request.method
        let isKnown = Self.methods.contains(method)
        self.tracer = tracer
        self.assumesHTTP2 = assumesHTTP2
        // The trace context must not reach a server that the caller did not name.
        isPropagated = !chain.hasLeftOrigin
        span = tracer.startAnySpan(
            isKnown ? method.rawValue : "HTTP", context: .current ?? .topLevel, ofKind: .client)
        span.updateAttributes { attributes in
            attributes["http.request.method"] = isKnown ? method.rawValue : "_OTHER"
            guard let url = try? RequestURL(chain.request) else { return }
            attributes["server.address"] = url.host.text
            attributes["server.port"] = Int64(url.port)
            attributes["url.scheme"] = url.scheme.rawValue
            if chain.followed > 0 { attributes["http.request.resend_count"] = Int64(chain.followed) }
        }
    }

    /// Adds the trace context. Fields that the caller set are not changed.
    func inject(into fields: inout HTTPFields) {
        guard isPropagated else { return }
        var carrier = HTTPFields()
        tracer.inject(span.context, into: &carrier, using: HTTPFieldInjector())
        for field in carrier where !fields.contains(field.name) { fields.append(field) }
    }

    func responded(_ response: HTTPResponse, _ facts: ConnectionFacts) {
        let status = response.status.code
        let isHTTP2 =
            facts.tlsVersion == nil ? assumesHTTP2 : facts.applicationProtocol == HTTPVersions.http2Name
        span.updateAttributes { attributes in
            attributes["http.response.status_code"] = Int64(status)
            attributes["network.protocol.name"] = "http"
            attributes["network.protocol.version"] = isHTTP2 ? "2" : "1.1"
            if status >= 400 { attributes["error.type"] = "\(status)" }
        }
        if status >= 400 { span.setStatus(SpanStatus(code: .error)) }
    }

    /// The parent context for a dial for this request.
    var context: ServiceContext { span.context }

    func ended() {
        span.end()
    }

    func failed(_ error: any Error) {
        span.attributes["error.type"] = TransportError.label(of: error)
        span.setStatus(SpanStatus(code: .error))
        span.end()
    }
}

/// Writes the trace context of a tracer into header fields.
///
/// Names that are not tokens, and values with forbidden characters, are omitted. Baggage may contain any text, and a
/// line break in it would start another field.
struct HTTPFieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout HTTPFields) {
        guard let name = HTTPField.Name(key), HTTPField.isValidValue(value) else { return }
        carrier[name] = value
    }
}
