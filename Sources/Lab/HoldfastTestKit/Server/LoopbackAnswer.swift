public import HTTPTypes
import NIOHTTP1

/// The response of a ``LoopbackServer`` to one request, including the way in which it fails.
///
/// ```swift
/// server.enqueue(LoopbackAnswer("{}", status: 201), LoopbackAnswer(status: 503), .silence)
/// ```
public struct LoopbackAnswer: Sendable {
    /// What the server does with the connection.
    public enum Ending: Hashable, Sendable {
        /// The connection stays open for the next request, unless the client wants to close it.
        case keepAlive
        /// The server closes the connection after the response, with a close_notify alert.
        case close
        /// The server closes the socket after this number of bytes of the body, without a close_notify alert.
        case cut(afterBodyBytes: Int)
        /// The server resets the connection after this number of bytes of the body. The client may lose bytes that it
        /// has not read.
        case reset(afterBodyBytes: Int)
        /// The server sends nothing and keeps the connection open.
        case silence
    }

    /// The status code.
    public var status: Int
    /// The header fields. The server adds `Content-Length`, unless the fields contain it or `Transfer-Encoding`.
    public var fields: HTTPFields
    /// The body, sent as it is.
    public var body: [UInt8]
    /// What the server does with the connection.
    public var ending: Ending
    /// The gate that must be open before anything is sent; `nil` sends the response at once.
    public var gate: AnswerGate?

    /// Creates an answer with a binary body.
    public init(
        body: [UInt8], status: Int = 200, fields: HTTPFields = [:], ending: Ending = .keepAlive,
        gate: AnswerGate? = nil
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.ending = ending
        self.gate = gate
    }

    /// Creates an answer with a text as its body.
    public init(
        _ text: String = "", status: Int = 200, fields: HTTPFields = [:], ending: Ending = .keepAlive,
        gate: AnswerGate? = nil
    ) {
        self.init(body: Array(text.utf8), status: status, fields: fields, ending: ending, gate: gate)
    }

    /// An answer that never comes.
    public static let silence = LoopbackAnswer(ending: .silence)

    /// Returns the bytes of the response up to the fault of ``ending-swift.property``.
    ///
    /// - Parameter omitsBody: Whether the request was a `HEAD` request, whose response has no body (RFC 9110, 9.3.2).
    func bytes(omitsBody: Bool) -> [UInt8] {
        let phrase = HTTPResponseStatus(statusCode: status).reasonPhrase
        var head = "HTTP/1.1 \(status) \(phrase)\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        let isFramed = fields[.contentLength] != nil || fields[.transferEncoding] != nil
        // RFC 9110, 8.6: these statuses have neither a body nor its length.
        let isBodiless = status == 204 || status == 304 || (100..<200).contains(status)
        if !isFramed, !isBodiless { head += "Content-Length: \(body.count)\r\n" }
        if case .close = ending, fields[.connection] == nil { head += "Connection: close\r\n" }
        let sent: ArraySlice<UInt8> =
            switch ending {
            case .keepAlive, .close: body[...]
            case .cut(let count), .reset(let count): body.prefix(max(0, count))
            case .silence: []
            }
        return Array((head + "\r\n").utf8) + (omitsBody || isBodiless ? [] : sent)
    }
}
