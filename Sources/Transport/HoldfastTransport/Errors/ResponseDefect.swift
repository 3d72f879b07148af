/// The reason why a response is malformed or ambiguous (RFC 9112, RFC 9110).
///
/// In HTTP/1.1 every defect closes the connection, because the start of the next response is unknown. In HTTP/2 a
/// defect of one response resets only its stream. ``push``, and a ``frame`` defect that concerns the whole connection,
/// close the connection.
public struct ResponseDefect: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name.
    public let rawValue: String
    /// Creates a value from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The stable name.
    public var description: String { rawValue }

    /// The first line is not an HTTP/1.0 or HTTP/1.1 status line: another protocol, HTTP/0.9 or an unknown version.
    public static let statusLine = Self(rawValue: "statusLine")
    /// Bytes that do not belong to a response: after a complete response, or before the first request.
    public static let unexpectedBytes = Self(rawValue: "unexpectedBytes")
    /// A carriage return that is not followed by a line feed (RFC 9112, 2.2).
    public static let bareCarriageReturn = Self(rawValue: "bareCarriageReturn")
    /// A line feed without a preceding carriage return. RFC 9112, 2.2 permits accepting it, but intermediaries differ.
    public static let bareLineFeed = Self(rawValue: "bareLineFeed")
    /// A field line that begins with white space (RFC 9112, 5.2).
    public static let foldedField = Self(rawValue: "foldedField")
    /// White space between a field's name and its colon (RFC 9112, 5.1).
    public static let spaceBeforeColon = Self(rawValue: "spaceBeforeColon")
    /// A field name that is not a token (RFC 9110, 5.6.2), or is empty.
    public static let fieldName = Self(rawValue: "fieldName")
    /// A field line without a colon.
    public static let missingColon = Self(rawValue: "missingColon")
    /// A NUL or another control character in a field value or a reason phrase (RFC 9110, 5.5).
    public static let controlCharacter = Self(rawValue: "controlCharacter")
    /// A `Content-Length` that is not a plain decimal number: signed, empty, a list, beyond 64 bits.
    public static let contentLength = Self(rawValue: "contentLength")
    /// More than one `Content-Length`, equal or not.
    public static let repeatedContentLength = Self(rawValue: "repeatedContentLength")
    /// A `Content-Length` together with a `Transfer-Encoding` (RFC 9112, 6.3).
    public static let lengthAndTransferCoding = Self(rawValue: "lengthAndTransferCoding")
    /// A `Transfer-Encoding` other than a single `chunked`: unknown, repeated, not last, or in HTTP/1.0.
    public static let transferCoding = Self(rawValue: "transferCoding")
    /// A chunk size that is missing, not hexadecimal, too long, or surrounded by white space.
    public static let chunkSize = Self(rawValue: "chunkSize")
    /// Chunk extensions that are empty, too long, or not of the form `name`, `name=token` or `name="quoted"` (RFC 9112,
    /// 7.1.1).
    public static let chunkExtension = Self(rawValue: "chunkExtension")
    /// Chunk data that is not followed by a line break: its length differs from the chunk size.
    public static let chunkEnd = Self(rawValue: "chunkEnd")
    /// A trailer field that would change the framing: `Content-Length` or `Transfer-Encoding` (RFC 9110, 6.5.1).
    public static let trailerField = Self(rawValue: "trailerField")
    /// A protocol switch (101) that the request did not ask for.
    public static let unrequestedUpgrade = Self(rawValue: "unrequestedUpgrade")
    /// An informational response that announces a body (RFC 9110, 8.6; RFC 9112, 6.1).
    public static let informationalBody = Self(rawValue: "informationalBody")

    /// HTTP/2: frames that violate RFC 9113, or field blocks that cannot be decoded (RFC 7541).
    public static let frame = Self(rawValue: "frame")
    /// HTTP/2: a pushed response (PUSH_PROMISE), although the client disabled push.
    public static let push = Self(rawValue: "push")
    /// HTTP/2: pseudo-fields other than a single `:status` that precedes all other fields (RFC 9113, 8.3).
    public static let pseudoField = Self(rawValue: "pseudoField")
    /// HTTP/2: a connection-specific field of HTTP/1.1, such as `Transfer-Encoding` (RFC 9113, 8.2.2).
    public static let connectionField = Self(rawValue: "connectionField")
    /// HTTP/2: white space at the start or end of a field value (RFC 9113, 8.2.1).
    public static let surroundingSpace = Self(rawValue: "surroundingSpace")
    /// HTTP/2: a `Content-Length` that differs from the length of the data (RFC 9113, 8.1.1).
    public static let lengthMismatch = Self(rawValue: "lengthMismatch")
}
