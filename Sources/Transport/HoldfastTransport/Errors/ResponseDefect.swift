/// What about a response makes it one that two readers could read in two ways, or none at all (RFC 9112, 9110).
///
/// In HTTP/1.1 every one of them ends the connection: where the end of a response is in doubt, so is the beginning of the next. In
/// HTTP/2 those that concern one response end its stream alone; ``push``, and ``frame`` where it concerns all, end the connection.
public struct ResponseDefect: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// The first line is no status line of HTTP/1.0 or HTTP/1.1: another protocol, HTTP/0.9, an unknown version.
    public static let statusLine = Self(rawValue: "statusLine")
    /// Bytes that belong to no response: behind one, or before any request.
    public static let unexpectedBytes = Self(rawValue: "unexpectedBytes")
    /// A carriage return that no line feed follows (RFC 9112, 2.2).
    public static let bareCarriageReturn = Self(rawValue: "bareCarriageReturn")
    /// A line feed without a carriage return before it. RFC 9112, 2.2 allows to accept it; intermediaries differ.
    public static let bareLineFeed = Self(rawValue: "bareLineFeed")
    /// A field line that begins with white space (RFC 9112, 5.2).
    public static let foldedField = Self(rawValue: "foldedField")
    /// White space between a field's name and its colon (RFC 9112, 5.1).
    public static let spaceBeforeColon = Self(rawValue: "spaceBeforeColon")
    /// A field's name that is no token (RFC 9110, 5.6.2), an empty one included.
    public static let fieldName = Self(rawValue: "fieldName")
    /// A field line without a colon.
    public static let missingColon = Self(rawValue: "missingColon")
    /// A NUL or another control character in a field's value or a reason phrase (RFC 9110, 5.5).
    public static let controlCharacter = Self(rawValue: "controlCharacter")
    /// A `Content-Length` that is not a plain decimal number: signed, empty, a list, beyond 64 bits.
    public static let contentLength = Self(rawValue: "contentLength")
    /// More than one `Content-Length`, equal or not.
    public static let repeatedContentLength = Self(rawValue: "repeatedContentLength")
    /// A `Content-Length` beside a `Transfer-Encoding` (RFC 9112, 6.3).
    public static let lengthAndTransferCoding = Self(rawValue: "lengthAndTransferCoding")
    /// A `Transfer-Encoding` other than one `chunked`: unknown, repeated, not last, or in HTTP/1.0.
    public static let transferCoding = Self(rawValue: "transferCoding")
    /// A chunk's size that is missing, no hexadecimal number, too long, or has white space around it.
    public static let chunkSize = Self(rawValue: "chunkSize")
    /// Chunk extensions that are empty or not `name`, `name=token` or `name="quoted"` (RFC 9112, 7.1.1), or more of them than anyone
    /// needs.
    public static let chunkExtension = Self(rawValue: "chunkExtension")
    /// A chunk's data that is not followed by a line break: it is longer or shorter than its size says.
    public static let chunkEnd = Self(rawValue: "chunkEnd")
    /// A trailer field that would have changed the framing: `Content-Length` or `Transfer-Encoding` (RFC 9110, 6.5.1).
    public static let trailerField = Self(rawValue: "trailerField")
    /// A switch of protocols (101) that nobody asked for.
    public static let unrequestedUpgrade = Self(rawValue: "unrequestedUpgrade")
    /// An informational response that announces a body (RFC 9110, 8.6; RFC 9112, 6.1).
    public static let informationalBody = Self(rawValue: "informationalBody")

    /// HTTP/2: frames that break the rules of RFC 9113, or field blocks that cannot be decoded (RFC 7541).
    public static let frame = Self(rawValue: "frame")
    /// HTTP/2: a response that nobody asked for (PUSH_PROMISE), although pushing was forbidden.
    public static let push = Self(rawValue: "push")
    /// HTTP/2: pseudo-fields other than one `:status`, before all other fields (RFC 9113, 8.3).
    public static let pseudoField = Self(rawValue: "pseudoField")
    /// HTTP/2: a field that is about a connection of HTTP/1.1, such as `Transfer-Encoding` (RFC 9113, 8.2.2).
    public static let connectionField = Self(rawValue: "connectionField")
    /// HTTP/2: white space at the beginning or the end of a field's value (RFC 9113, 8.2.1).
    public static let surroundingSpace = Self(rawValue: "surroundingSpace")
    /// HTTP/2: a `Content-Length` that is not the length of the data (RFC 9113, 8.1.1).
    public static let lengthMismatch = Self(rawValue: "lengthMismatch")
}
