import HTTPTypes
import NIOHPACK

/// Parses the single response of a stream from its field blocks and the sizes of its data (RFC 9113, 8.1).
struct HTTP2ResponseReader: Sendable {
    /// A parsed field block.
    enum Block: Hashable, Sendable {
        /// An informational response (1xx). Another head follows.
        case informational(ResponseHead)
        /// The head of the final response, and the rule for the end of its body.
        case head(ResponseHead, ResponseFraming)
        /// The trailer section.
        case trailers(HTTPFields?)
    }

    private enum State {
        /// Next: body.
        case head
        /// In the body, with the number of missing bytes, if known. Next: ended.
        case body(missing: Int64?)
        case ended
    }

    private let limits: TransportLimits
    private let method: HTTPRequest.Method
    private var state = State.head
    private var informational = 0

    /// Whether any part of the response has arrived.
    private(set) var hasBegun = false

    init(to method: HTTPRequest.Method, limits: TransportLimits) {
        self.method = method
        self.limits = limits
    }

    /// Whether the response is complete.
    var hasEnded: Bool {
        if case .ended = state { true } else { false }
    }

    /// Processes a field block. `ends`: whether it ends the stream.
    mutating func fields(_ block: HPACKHeaders, ends: Bool) throws(TransportError) -> Block {
        hasBegun = true
        switch state {
        case .head:
            let head = try ResponseHead(block, limits: limits)
            if (100..<200).contains(head.status), head.status != 101 {
                guard !ends, !head.fields.contains(.contentLength) else {
                    throw .malformed(
                        .informationalBody, "An informational response announced a body, or ended the stream.")
                }
                informational += 1
                guard informational <= limits.informationalResponses else {
                    throw .tooManyInformational(limits.informationalResponses)
                }
                return .informational(head)
            }
            let framing = try ResponseFraming(head, to: method)
            switch framing {
            case .none: state = .body(missing: 0)
            case .length(let length): state = .body(missing: length)
            case .chunked, .untilClose: state = .body(missing: nil)
            }
            if ends { try end() }
            return .head(head, framing)
        case .body:
            guard ends else { throw .malformed(.frame, "A second head follows the response head.") }
            let fields = try HTTPFields(block, limits: limits)
            guard !fields.contains(.contentLength) else {
                throw .malformed(.trailerField, "The trailer section contains a field that frames the response.")
            }
            try end()
            return .trailers(fields.isEmpty ? nil : fields)
        case .ended:
            throw .malformed(.unexpectedBytes, "A head follows the end of the response.")
        }
    }

    /// Processes a part of the body. `ends`: whether it ends the stream.
    mutating func data(_ count: Int, ends: Bool) throws(TransportError) {
        hasBegun = true
        guard case .body(let missing) = state else {
            throw .malformed(
                .unexpectedBytes, "Body data arrived before the response head or after the end of the response.")
        }
        if let missing {
            guard missing >= Int64(count) else {
                throw .malformed(.lengthMismatch, "The response body is longer than its Content-Length.")
            }
            state = .body(missing: missing - Int64(count))
        }
        if ends { try end() }
    }

    private mutating func end() throws(TransportError) {
        if case .body(let missing?) = state, missing > 0 {
            throw .malformed(
                .lengthMismatch, "The response body is \(missing) bytes shorter than its Content-Length.")
        }
        state = .ended
    }
}
