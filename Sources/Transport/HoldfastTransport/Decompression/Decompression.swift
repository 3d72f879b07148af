import HTTPTypes

/// The setting for requesting and decompressing compressed bodies.
///
/// If on, a request without `Accept-Encoding` and `Range` asks for `gzip, deflate`. The caller receives the decoded
/// body, and the response without `Content-Encoding` and `Content-Length`. A body in another coding fails the request.
public struct Decompression: Hashable, Sendable {
    /// Whether bodies are decompressed.
    public var isOn: Bool
    /// The maximum ratio of decompressed to compressed bytes, averaged over the body so far. Not checked below 1 MiB of
    /// output.
    ///
    /// - Error: `TransportError.Code.decompressedTooLarge`
    public var maximumRatio: Int
    /// The maximum size of a decompressed body, in bytes.
    ///
    /// - Error: `TransportError.Code.decompressedTooLarge`
    public var maximumBytes: Int64

    /// Compressed bodies are not requested, and bodies are returned unchanged. This is the default.
    public static let off = Decompression(isOn: false, maximumRatio: 0, maximumBytes: 0)

    /// Returns a setting that decompresses bodies.
    ///
    /// - Parameters:
    /// - maximumRatio: See ``maximumRatio``. 200 by default: text seldom exceeds 20, while a DEFLATE bomb reaches 1032.
    /// - maximumBytes: See ``maximumBytes``. 1 GiB by default. ``HTTPClient/collect(_:body:upTo:options:)`` has an
    ///   additional limit.
    public static func on(maximumRatio: Int = 200, maximumBytes: Int64 = 1 << 30) -> Decompression {
        Decompression(isOn: true, maximumRatio: max(1, maximumRatio), maximumBytes: max(0, maximumBytes))
    }
}

/// A content coding that the client can decode (RFC 9110, 8.4.1).
enum ContentCoding: Hashable, Sendable {
    /// RFC 1952, with a single member, because decoders differ about further members.
    case gzip
    /// RFC 1950. The raw DEFLATE stream that some servers send under this name is not supported.
    case deflate

    /// The value of `Accept-Encoding`.
    static let offered = "gzip, deflate"

    /// Creates the coding of a response's body; `nil` if the body is not coded.
    ///
    /// Throws `decodingFailed` for a coding that the request did not accept, so that a caller never mistakes coded
    /// bytes for content.
    init?(of response: HTTPResponse, to method: HTTPRequest.Method) throws(TransportError) {
        // A part (206) of a coded body cannot be decoded alone.
        guard method != .head, ![204, 206, 304].contains(response.status.code) else { return nil }
        let codings = response.headerFields.tokens(of: .contentEncoding).filter { $0 != "identity" && !$0.isEmpty }
        guard let coding = codings.first else { return nil }
        switch coding {
        case _ where codings.count > 1:
            throw Self.failed("The body has \(codings.count) codings; at most one is supported.")
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        default: throw Self.failed("The body has a coding that the request did not accept.")
        }
    }

    static func failed(_ reason: String) -> TransportError {
        TransportError(.decodingFailed, in: .receiving, reason)
    }
}

extension Decompression {
    /// Returns the decoder for a response's body, if needed, and the response without its coding fields.
    func decoder(
        for response: HTTPResponse, to method: HTTPRequest.Method
    ) throws(TransportError) -> (HTTPResponse, BodyDecoder?) {
        guard isOn, let coding = try ContentCoding(of: response, to: method) else { return (response, nil) }
        var response = response
        response.headerFields[.contentEncoding] = nil
        response.headerFields[.contentLength] = nil
        return (response, try BodyDecoder(coding, limits: self))
    }
}

extension CollectedResponse {
    /// Creates a response from an answer. Decodes the body if required and checks the decoded body against `limit`.
    init(
        _ answer: Exchange.Answer, to method: HTTPRequest.Method, upTo limit: Int, _ decompression: Decompression
    ) throws(TransportError) {
        let (response, decoder) = try decompression.decoder(for: answer.response, to: method)
        self.init(response: response, body: answer.body, trailers: answer.trailers, facts: answer.facts)
        if let decoder {
            body = []
            decoder.feed(answer.body)
            while let part = try decoder.next() {
                guard body.count + part.count <= limit else { throw Exchange.tooLarge }
                guard !Task.isCancelled else { throw Exchange.cancelled }
                body += part
            }
            try decoder.finish()
        }
        guard body.count <= limit else { throw Exchange.tooLarge }
    }
}
