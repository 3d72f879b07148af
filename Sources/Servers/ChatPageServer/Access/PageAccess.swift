import Crypto
import HTTPTypes
import HoldfastBase
import ServerKit
import Synchronization

/// Who may use the page: one-time tokens, signed-in browsers, and the tokens of their forms. Thread-safe.
final class PageAccess: Sendable {
    /// A signed-in browser.
    struct Browser: Hashable, Sendable {
        /// The visitor.
        let visitor: ChatPageVisitor
        /// The token that each form and each change of this browser must contain (CSRF).
        let formToken: String
        /// The sign-in. Its connections end with it.
        let signIn: Secret.Digest
    }

    private struct State {
        var tokens: OneTimeTokens
        var browsers: SignedInBrowsers
    }

    /// The origins under which browsers may reach the server.
    let origins: PageOrigins
    /// The key for names and tokens.
    let key: ServerKey
    private let cookieName: String
    private let time: PageServerTime
    private let random: @Sendable (Int) -> [UInt8]
    private let state: Mutex<State>
    private static let formPurpose = "form"

    /// Creates the access without signed-in browsers.
    ///
    /// - Parameter basePath: The path of the page, as in the configuration. Servers on one origin differ in it.
    init(
        origins: PageOrigins, basePath: String = "", tokens: OneTimeTokens, browsers: SignedInBrowsers,
        time: PageServerTime,
        random: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.origins = origins
        let place = Array(SHA256.hash(data: Array(basePath.utf8)).prefix(4)).hexadecimal
        cookieName = basePath.isEmpty ? "chat" : "chat-" + place
        self.time = time
        self.random = random
        key = ServerKey(random)
        state = Mutex(State(tokens: tokens, browsers: browsers))
    }

    /// Returns a new one-time token for a visitor.
    func issue(for visitor: ChatPageVisitor) -> String {
        let token = Secret.make(random)
        state.withLock { $0.tokens.issue(token, for: visitor, at: time.uptime()) }
        return token
    }

    /// Uses a one-time token. Returns the new cookie's value; `nil` if the token is not valid.
    func signIn(_ token: String) -> String? {
        let cookie = Secret.make(random)
        let now = time.uptime()
        return state.withLock { state in
            guard let visitor = state.tokens.redeem(token, at: now) else { return nil }
            state.browsers.signIn(cookie, as: visitor, at: now)
            return cookie
        }
    }

    /// Returns the browser of a request; `nil` if it is not signed in.
    func browser(_ fields: HTTPFields, at origin: WebOrigin) -> Browser? {
        guard let cookie = cookie(at: origin).value(in: fields), let signIn = Secret.digest(cookie) else { return nil }
        let visitor = state.withLock { $0.browsers.visitor(of: signIn, at: time.uptime()) }
        return visitor.map { Browser(visitor: $0, formToken: key.code(Self.formPurpose, cookie), signIn: signIn) }
    }

    /// Returns the cookie of signed-in browsers at an origin of the server.
    func cookie(at origin: WebOrigin) -> BrowserCookie { BrowserCookie(cookieName, origin) }

    /// Returns whether a sign-in is still valid. Counts as a use of it.
    func isValid(_ signIn: Secret.Digest) -> Bool {
        state.withLock { $0.browsers.visitor(of: signIn, at: time.uptime()) != nil }
    }

    /// Signs out every browser of a visitor, and makes unused tokens invalid.
    func signOut(_ visitor: ChatPageVisitor) {
        state.withLock { state in
            state.tokens.revoke(visitor)
            state.browsers.signOut(visitor)
        }
    }
}

extension PageAccess.Browser {
    /// Returns whether a form's token is the one of this browser. Takes the same time for every wrong token.
    func accepts(_ token: String?) -> Bool {
        token.map { ConstantTime.equals($0, formToken) } ?? false
    }
}
