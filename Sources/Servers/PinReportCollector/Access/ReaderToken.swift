import ServerKit

/// The readers' token. Only its digest is stored, and no description contains it.
public struct ReaderToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// The minimum length of a token in bytes: 128 bits are 32 hexadecimal digits, or 22 base64 characters.
    public static let minimumBytes = BearerToken<ReportCollectorError>.minimumBytes

    private let token: BearerToken<ReportCollectorError>

    /// Creates a token from printable ASCII without spaces, at least ``minimumBytes`` long. Surrounding white space is
    /// removed.
    ///
    /// - Throws: ``ReportCollectorError/Code/unusableToken``. The reason does not contain the token.
    public init(_ text: String) throws(ReportCollectorError) {
        token = try BearerToken(text)
    }

    /// Reads a token from a file. Blocks the calling thread.
    public init(file path: String) throws(ReportCollectorError) {
        token = try BearerToken(file: path)
    }

    /// Returns whether an `Authorization` value contains this token.
    func isShown(by authorization: String?) -> Bool { token.isShown(by: authorization) }

    /// A fixed text that does not contain the token.
    public var description: String { "<reader token>" }
    /// A mirror without children, so that a dump does not contain the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
