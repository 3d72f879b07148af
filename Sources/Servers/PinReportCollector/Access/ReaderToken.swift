import ServerKit

/// What a reader of reports must show. Only its digest is kept, and no description shows it.
public struct ReaderToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// Bytes that a token must have at least: 128 bits in hexadecimal are 32, in base64 22.
    public static let minimumBytes = BearerToken<ReportCollectorError>.minimumBytes

    private let token: BearerToken<ReportCollectorError>

    /// Takes a token: printable ASCII without spaces, at least ``minimumBytes`` long; space around it is cut off.
    ///
    /// - Throws: ``ReportCollectorError/Code/unusableToken``. The reason does not hold the token.
    public init(_ text: String) throws(ReportCollectorError) {
        token = try BearerToken(text)
    }

    /// Reads a token from a file. Blocks the calling thread.
    public init(file path: String) throws(ReportCollectorError) {
        token = try BearerToken(file: path)
    }

    /// Whether the value of an `Authorization` field shows this token.
    func isShown(by authorization: String?) -> Bool { token.isShown(by: authorization) }

    public var description: String { "<reader token>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
