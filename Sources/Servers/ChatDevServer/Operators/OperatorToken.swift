import ServerKit

/// What an operator must show. Only its digest is kept, and no description shows it.
public struct OperatorToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// Bytes that a token must have at least: 128 bits in hexadecimal are 32, in base64 22.
    public static let minimumBytes = BearerToken<ChatDevServerError>.minimumBytes

    private let token: BearerToken<ChatDevServerError>

    /// Takes a token: printable ASCII without spaces, at least ``minimumBytes`` long; space around it is cut off.
    ///
    /// - Throws: ``ChatDevServerError/Code/invalidConfiguration``. The reason does not hold the token.
    public init(_ text: String) throws(ChatDevServerError) {
        token = try BearerToken(text)
    }

    /// Reads a token from a file. Blocks the calling thread.
    public init(file path: String) throws(ChatDevServerError) {
        token = try BearerToken(file: path)
    }

    /// Whether the value of an `Authorization` field shows this token.
    func isShown(by authorization: String?) -> Bool { token.isShown(by: authorization) }

    public var description: String { "<operator token>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
