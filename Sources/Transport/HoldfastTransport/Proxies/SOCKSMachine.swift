import HoldfastTrust

/// The state of a SOCKS5 dialogue (RFC 1928), with or without a user name and password (RFC 1929).
///
/// No message from the proxy is longer than 262 bytes, and at most one message is buffered. The address in the reply is
/// skipped, because nothing depends on it. The reserved byte is deliberately not checked.
struct SOCKSMachine: ProxyDialogue {
    private enum State: Hashable, Sendable {
        /// Next: loggingIn, requesting, failed.
        case greeting
        /// Next: requesting, failed.
        case loggingIn
        /// Next: connected, failed.
        case requesting
        /// Next: failed, if there are more bytes.
        case connected
        case failed
    }

    private static let version: UInt8 = 5
    private static let noAuthentication: UInt8 = 0
    private static let login: UInt8 = 2
    private static let noneAcceptable: UInt8 = 0xFF

    private let host: CanonicalHost
    private let port: UInt16
    private let credentials: ProxyCredentials?
    private var state = State.greeting
    private var message: [UInt8] = []

    /// Creates the state. `ProxyServer` ensures that the credentials have 1 to 255 bytes each; longer texts would be
    /// truncated here.
    init(host: CanonicalHost, port: UInt16, credentials: ProxyCredentials?) {
        self.host = host
        self.port = port
        self.credentials = credentials
    }

    /// The greeting, with the authentication methods on offer. With credentials, the proxy may still choose no
    /// authentication.
    var opening: [UInt8] {
        credentials == nil
            ? [Self.version, 1, Self.noAuthentication] : [Self.version, 2, Self.noAuthentication, Self.login]
    }

    /// Processes bytes from the proxy.
    mutating func receive(_ bytes: some Sequence<UInt8>) -> ProxyStep {
        var answer: [UInt8] = []
        for byte in bytes {
            switch state {
            case .failed:
                return .proceed([])
            case .connected:
                return fail(.earlyBytes)
            case .greeting, .loggingIn, .requesting:
                message.append(byte)
                switch step() {
                case .proceed(let more): answer += more
                case .connected: break
                case .fail(let failure): return fail(failure)
                }
            }
        }
        return state == .connected ? .connected : .proceed(answer)
    }

    private mutating func fail(_ failure: ProxyFailure) -> ProxyStep {
        state = .failed
        message = []
        return .fail(failure)
    }

    private mutating func step() -> ProxyStep {
        switch state {
        case .greeting: greeted()
        case .loggingIn: loggedIn()
        case .requesting: replied()
        case .connected, .failed: .proceed([])
        }
    }

    private mutating func greeted() -> ProxyStep {
        guard message[0] == Self.version else {
            return .fail(.init(.malformed, "The proxy did not respond in SOCKS5."))
        }
        guard message.count == 2 else { return .proceed([]) }
        let method = message[1]
        message = []
        switch (method, credentials) {
        case (Self.noAuthentication, _):
            state = .requesting
            return .proceed(request)
        case (Self.login, let credentials?):
            state = .loggingIn
            let (user, password) = (credentials.user.utf8.prefix(255), credentials.password.utf8.prefix(255))
            return .proceed(
                [1, UInt8(user.count)] + Array(user) + [UInt8(password.count)] + Array(password))
        case (Self.noneAcceptable, nil):
            return .fail(.init(.authentication, "The proxy requires credentials.", status: Int(method)))
        case (Self.noneAcceptable, _):
            return .fail(
                .init(
                    .authentication, "The proxy does not accept a user name and password (RFC 1929).",
                    status: Int(method)))
        default:
            return .fail(
                .init(.malformed, "The proxy chose an authentication method that was not offered.", status: Int(method))
            )
        }
    }

    private mutating func loggedIn() -> ProxyStep {
        guard message[0] == 1 else {
            return .fail(.init(.malformed, "The proxy's response to the login is malformed."))
        }
        guard message.count == 2 else { return .proceed([]) }
        let status = message[1]
        message = []
        guard status == 0 else {
            return .fail(
                .init(.authentication, "The proxy rejected the credentials.", status: Int(status)))
        }
        state = .requesting
        return .proceed(request)
    }

    private mutating func replied() -> ProxyStep {
        guard message[0] == Self.version else {
            return .fail(.init(.malformed, "The proxy's reply is not SOCKS5."))
        }
        if message.count == 2, message[1] != 0 {
            return .fail(
                .init(
                    .refused, "The proxy refused to connect to the server: \(Self.meaning(of: message[1])).",
                    status: Int(message[1])))
        }
        guard message.count >= 5 else { return .proceed([]) }
        let address: Int
        switch message[3] {
        case 1: address = 4
        case 3: address = 1 + Int(message[4])
        case 4: address = 16
        default: return .fail(.init(.malformed, "The proxy's reply has an address of an unknown type."))
        }
        guard message.count == 4 + address + 2 else { return .proceed([]) }
        message = []
        state = .connected
        return .connected
    }

    private var request: [UInt8] {
        let address: [UInt8] =
            switch host.kind {
            case .ipv4(let bytes): [1] + bytes
            case .ipv6(let bytes): [4] + bytes
            // A canonical name has at most 253 bytes.
            case .name: [3, UInt8(clamping: host.text.utf8.count)] + Array(host.text.utf8)
            }
        return [Self.version, 1, 0] + address + [UInt8(port >> 8), UInt8(port & 0xFF)]
    }

    /// Returns the meaning of a reply code (RFC 1928, 6).
    private static func meaning(of reply: UInt8) -> String {
        switch reply {
        case 1: "general failure (1)"
        case 2: "not allowed by ruleset (2)"
        case 3: "network unreachable (3)"
        case 4: "host unreachable (4)"
        case 5: "connection refused (5)"
        case 6: "time to live expired (6)"
        case 7: "command not supported (7)"
        case 8: "address type not supported (8)"
        default: "code \(reply)"
        }
    }
}
