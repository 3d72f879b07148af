import HTTPTypes
import HoldfastBase
import HoldfastTrust
import PinReports
import ServerKit
import Synchronization

/// Decides which requests reach the desk: those of the desk's own pages, of people who have signed in, and of programs
/// with the readers' token.
final class DeskGate: Sendable {
    /// The longest name of a person in characters.
    ///
    /// - Error: 422 `name`
    static let nameLimit = 60

    private let access: ReadAccess
    private let origin: WebOrigin?
    private let isSecure: Bool
    private let uptime: @Sendable () -> Int64
    private let secrets: @Sendable () -> UInt64
    private let sessions = Mutex(DeskSessions())

    init(_ configuration: ReportCollectorConfiguration) {
        access = ReadAccess(token: configuration.token, allowsThisMachine: configuration.isReadableWithoutToken)
        origin = configuration.desk.origin.flatMap { WebOrigin($0) }
        isSecure = configuration.tls != nil
        uptime = configuration.uptime
        secrets = configuration.deskSecrets
    }

    // MARK: Requests

    /// Throws unless people may use the desk from where the request comes: with a token from anywhere, without one only
    /// on this machine.
    func admit(_ request: CollectorRequest) throws(DeskFailure) {
        guard access.token == nil else { return }
        guard access.allowsThisMachine, request.peer.isLoopback, request.head.namesThisMachine else {
            throw DeskFailure(
                .forbidden, "forbidden",
                "Without a token for readers, the desk can only be used on the collector's own machine.")
        }
    }

    /// Returns the desk's own origin in a request.
    func origin(of request: CollectorRequest) throws(DeskFailure) -> WebOrigin {
        if let origin { return origin }
        guard let authority = request.head.authority, let field = HostField(authority) else {
            throw DeskFailure(.badRequest, "invalidHost", "The request names no host.")
        }
        return WebOrigin(isSecure: isSecure, host: field.host, port: field.port ?? (isSecure ? 443 : 80))
    }

    /// Throws for a request that a page of another origin has caused.
    func requireOwnPage(_ request: CollectorRequest, for purpose: RequestSource.Purpose) throws(DeskFailure) {
        let own = try origin(of: request)
        guard RequestSource.refusal(purpose, request.head.headerFields, own: own) == nil else {
            throw DeskFailure(.forbidden, "crossSite", "The request comes from a page of another site.")
        }
    }

    /// Returns the session of a request, if its cookie has one.
    func session(of request: CollectorRequest) throws(DeskFailure) -> DeskSessions.Session? {
        guard let id = try sessionCookie(request).value(in: request.head.headerFields) else { return nil }
        let now = uptime()
        return sessions.withLock { $0.use(id, at: now) }
    }

    /// Returns whether a session has not ended.
    func isLive(_ session: DeskSessions.Session) -> Bool {
        let now = uptime()
        return sessions.withLock { $0.isLive(session.number, at: now) }
    }

    /// Returns whether a request shows the readers' token. `nil` if it shows none.
    func showsToken(_ request: CollectorRequest) -> Bool? {
        guard let authorization = request.head.headerFields[.authorization] else { return nil }
        return access.token?.isShown(by: authorization) ?? false
    }

    /// Throws unless a form contains the token of its session.
    func requireForm(_ token: String?, of session: DeskSessions.Session) throws(DeskFailure) {
        guard let token, ConstantTime.equals(token, session.form) else { throw .staleForm }
    }

    // MARK: Signing in

    /// Returns a token for the sign-in form, and the cookie that contains the same token.
    func signInForm(_ request: CollectorRequest) throws(DeskFailure) -> (token: String, cookie: String) {
        let token = random()
        return (token, try formCookie(request).setting(token))
    }

    /// Returns a token that begins one session within 15 minutes.
    func oneTimeToken() -> String {
        let (token, now) = (random() + random(), uptime())
        sessions.withLock { $0.addOneTime(token, at: now) }
        return token
    }

    /// The errors of a sign-in that count as a wrong token.
    static let wrongToken = DeskFailure(.forbidden, "unauthorized", "This is not the readers' token.")

    /// Begins a session. Returns the values of `Set-Cookie`.
    func signIn(_ fields: FormFields, _ request: CollectorRequest) throws(DeskFailure) -> [String] {
        guard let form = fields["form"], let cookie = try formCookie(request).value(in: request.head.headerFields),
            ConstantTime.equals(form, cookie)
        else { throw .staleForm }
        guard let name = Self.name(fields["name"] ?? "") else {
            throw DeskFailure(
                .unprocessableContent, "name", "A name has 1 to \(Self.nameLimit) visible characters.")
        }
        let now = uptime()
        if let once = fields["once"] {
            guard sessions.withLock({ $0.takeOneTime(once, at: now) }) else {
                throw DeskFailure(
                    .forbidden, "unauthorized", "The address was already used, or is older than 15 minutes.")
            }
        } else {
            guard let token = access.token, token.isShown(by: "Bearer " + (fields["token"] ?? "")) else {
                throw Self.wrongToken
            }
        }
        let (id, formToken) = (random() + random(), random())
        sessions.withLock { $0.begin(id: id, name: name, form: formToken, at: now) }
        return [try sessionCookie(request).setting(id), try formCookie(request).removal]
    }

    /// Ends the session of a request. Returns the value of `Set-Cookie`, and the session.
    func signOut(_ request: CollectorRequest) throws(DeskFailure) -> (cookie: String, session: DeskSessions.Session?) {
        let cookie = try sessionCookie(request)
        let ended = cookie.value(in: request.head.headerFields).flatMap { id in sessions.withLock { $0.end(id) } }
        return (cookie.removal, ended)
    }

    /// Returns a name without surrounding white space; `nil` if it is empty, too long, or contains invisible
    /// characters.
    private static func name(_ text: String) -> String? {
        let name = text.split(separator: " ").joined(separator: " ")
        guard (1...nameLimit).contains(name.count), name.utf8.count <= 4 * nameLimit,
            name.unicodeScalars.allSatisfy(Printable.isSafe)
        else { return nil }
        return name
    }

    // MARK: Cookies and secrets

    private func sessionCookie(_ request: CollectorRequest) throws(DeskFailure) -> BrowserCookie {
        BrowserCookie("holdfast-desk", try origin(of: request))
    }

    private func formCookie(_ request: CollectorRequest) throws(DeskFailure) -> BrowserCookie {
        BrowserCookie("holdfast-desk-form", try origin(of: request))
    }

    /// Returns 128 random bits as 32 hexadecimal digits.
    private func random() -> String {
        [secrets(), secrets()].map { withUnsafeBytes(of: $0.bigEndian) { $0.hexadecimal } }.joined()
    }
}
