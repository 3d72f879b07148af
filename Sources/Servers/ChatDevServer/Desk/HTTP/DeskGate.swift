import ChatServerCore
import HTTPTypes
import HoldfastBase
import Hummingbird
import ServerKit
import Synchronization

/// Decides which requests reach the desk: those of this machine, of the desk's own pages, and of operators who have
/// signed in.
final class DeskGate: Sendable {
    private struct State {
        var sessions = DeskSessions()
        var attempts = SignInAttempts()
    }

    private let token: OperatorToken
    private let allowsRemote: Bool
    private let isSecure: Bool
    private let clock: ServerTimeSource
    private let entropy: RandomSource
    private let state = Mutex(State())

    init(token: OperatorToken, allowsRemote: Bool, isSecure: Bool, clock: ServerTimeSource, entropy: RandomSource) {
        self.token = token
        self.allowsRemote = allowsRemote
        self.isSecure = isSecure
        self.clock = clock
        self.entropy = entropy
    }

    /// The current time.
    var now: ServerMoment { clock.now() }

    // MARK: Requests

    /// Throws for requests from other machines and through proxies, unless they are allowed.
    func admit(_ request: Request, _ context: ServerRequestContext) throws(DeskFailure) {
        let isLocal = PeerAddress(context.peer).isLoopback && request.head.namesThisMachine
        guard allowsRemote || isLocal else {
            throw DeskFailure(.forbidden, "desk.remote", "Operators must be on the server's own machine.")
        }
    }

    /// Throws for a request that a page of another site has caused.
    func requireOwnPage(_ request: Request) throws(DeskFailure) {
        guard let own = origin(of: request), RequestSource.refusal(.change, request.headers, own: own) == nil else {
            throw .crossSite
        }
    }

    /// Returns the server's origin in a request; `nil` if the request names no valid host.
    private func origin(of request: Request) -> WebOrigin? {
        WebOrigin("\(isSecure ? "https" : "http")://\(request.head.authority ?? "")")
    }

    /// Returns the session of a request, if its cookie has one.
    func session(of request: Request) -> DeskSession? {
        guard let id = value(DeskCookie.session, in: request) else { return nil }
        return state.withLock { $0.sessions.session(id, at: now.monotonic) }
    }

    /// Throws unless a form contains the token of its session.
    func requireForm(_ token: String?, of session: DeskSession) throws(DeskFailure) {
        guard let token, ConstantTime.equals(token, session.form) else { throw .staleForm }
    }

    // MARK: Signing in

    /// Returns a token for the sign-in form. The same token is in a cookie.
    func signInToken() -> String { random() }

    /// Begins a session. Returns its cookie.
    func signIn(
        _ fields: FormFields, _ request: Request, _ context: ServerRequestContext
    ) throws(DeskFailure) -> String? {
        guard let form = fields["form"], let cookie = value(DeskCookie.form, in: request),
            ConstantTime.equals(form, cookie)
        else { throw .staleForm }
        guard let person = DeskOperator(name: fields["name"] ?? "") else {
            throw DeskFailure(
                .unprocessableContent, "desk.name",
                "A name has 1 to \(DeskOperator.maximumCharacters) visible characters.")
        }
        let address = PeerAddress(context.peer).key
        let now = now.monotonic
        if let wait = state.withLock({ $0.attempts.begin(address, at: now) }) {
            let seconds = wait / 1_000_000_000 + 1
            throw DeskFailure(
                .tooManyRequests, "desk.attempts", "Too many attempts. Try again in \(seconds) seconds.",
                retryAfter: seconds)
        }
        guard token.isShown(by: "Bearer " + (fields["token"] ?? "")) else {
            throw DeskFailure(.forbidden, "UNAUTHORIZED", "This is not the operators' token.")
        }
        let (id, number, formToken) = (random() + random(), String(random().prefix(16)), random())
        state.withLock { state in
            state.attempts.succeeded(address)
            state.sessions.begin(id: id, number: number, form: formToken, for: person, at: now)
        }
        return self.cookie(DeskCookie.session, id, request)
    }

    /// Ends the session of a request. Returns it.
    func signOut(_ request: Request) -> DeskSession? {
        guard let id = value(DeskCookie.session, in: request) else { return nil }
        return state.withLock { $0.sessions.end(id) }
    }

    /// Returns the value of `Set-Cookie`. Without a value, the cookie is removed.
    func cookie(_ name: String, _ value: String?, _ request: Request) -> String? {
        guard let origin = origin(of: request) else { return nil }
        let cookie = BrowserCookie(name, origin, path: DeskPaths.root)
        return value.map { cookie.setting($0) } ?? cookie.removal
    }

    private func value(_ name: String, in request: Request) -> String? {
        origin(of: request).flatMap { BrowserCookie(name, $0, path: DeskPaths.root).value(in: request.headers) }
    }

    // MARK: Secrets

    /// Returns 128 random bits as 32 hexadecimal digits.
    func random() -> String {
        [entropy.next(), entropy.next()].map { withUnsafeBytes(of: $0.bigEndian) { $0.hexadecimal } }.joined()
    }
}

/// The desk's cookies.
enum DeskCookie {
    /// The cookie with the secret id of a session.
    static let session = "desk"
    /// The cookie with the token of the sign-in form.
    static let form = "desk-form"
}
