import HTTPTypes
import PinReports
import ServerKit

/// Decides who may read reports, which contain hosts, apps and installations.
struct ReadAccess: Sendable {
    /// The readers' token.
    let token: ReaderToken?
    /// Whether requests from this machine may read without a token. If not, reading is disabled without a token.
    let allowsThisMachine: Bool

    /// Returns why a request may not read; `nil` if it may.
    func refusal(of request: HTTPRequest, from peer: PeerAddress) -> RequestRefusal? {
        if let token {
            guard token.isShown(by: request.headerFields[.authorization]) else {
                return RequestRefusal(
                    .unauthorized, "unauthorized", "Reading reports needs a token: Authorization: Bearer TOKEN.",
                    headers: [.wwwAuthenticate: "Bearer"])
            }
            return nil
        }
        guard allowsThisMachine else {
            return RequestRefusal(
                .forbidden, "forbidden",
                "Reading reports needs a token, because other machines or a proxy may connect: configure one."
            )
        }
        guard peer.isLoopback, request.namesThisMachine else {
            return RequestRefusal(
                .forbidden, "forbidden", "Without a token, reports can only be read on the collector's own machine.")
        }
        return nil
    }
}

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
