import HoldfastTrust
import NIOCore

/// The state of an HTTP `CONNECT` dialogue (RFC 9110, 9.3.6; RFC 9112, 3.2.3): one request and the head of its
/// response.
///
/// Heads are parsed as strictly as those of servers: see ``HeadReader``. A `2xx` response has no body, whatever its
/// fields say. The body of any other response is not read.
struct ConnectMachine: ProxyDialogue {
    /// The limit for a head, in bytes. Proxies send a few hundred bytes; common servers limit heads to 8 KiB.
    ///
    /// - Error: `ProxyFailure.Code.tooLarge`
    static let headLimit = 16 * 1024
    /// The limit for provisional (1xx) responses before the final response.
    ///
    /// - Error: `ProxyFailure.Code.tooLarge`
    static let provisionalLimit = 10

    private enum State: Hashable, Sendable {
        /// Next: connected, failed.
        case waiting
        /// Next: failed, if there are more bytes.
        case connected
        case failed
    }

    /// The request to send.
    let opening: [UInt8]
    private var state = State.waiting
    private var heads = HeadReader(limits: Self.limits)
    private var provisional = 0
    private let hadCredentials: Bool

    init(host: CanonicalHost, port: UInt16, credentials: ProxyCredentials?) {
        let authority = ProxyServer.authority(host, port)
        var request = "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n"
        if let credentials { request += "Proxy-Authorization: \(credentials.basic)\r\n" }
        opening = Array((request + "\r\n").utf8)
        hadCredentials = credentials != nil
    }

    /// Processes bytes from the proxy.
    mutating func receive(_ bytes: some Sequence<UInt8>) -> ProxyStep {
        var rest = ByteBuffer(bytes: bytes)
        while rest.readableBytes > 0 {
            switch state {
            case .failed:
                return .proceed([])
            case .connected:
                return fail(.earlyBytes)
            case .waiting:
                do throws(TransportError) {
                    guard let head = try heads.head(&rest) else { return .proceed([]) }
                    if let failure = judge(head.status) { return fail(failure) }
                } catch {
                    return fail(Self.failure(error))
                }
            }
        }
        return state == .connected ? .connected : .proceed([])
    }

    private mutating func fail(_ failure: ProxyFailure) -> ProxyStep {
        state = .failed
        return .fail(failure)
    }

    /// Returns the failure for a head that cannot be parsed. The reader's own messages are about servers, not proxies.
    private static func failure(_ error: TransportError) -> ProxyFailure {
        switch error.defect {
        case nil: .init(.tooLarge, "The proxy's response head exceeds 16 KiB or 200 fields.")
        case .statusLine?: .init(.malformed, "The proxy did not respond in HTTP/1.")
        case let defect?: .init(.malformed, "The proxy's response head is malformed (\(defect)).")
        }
    }

    /// Checks the status of a complete head.
    private mutating func judge(_ status: Int) -> ProxyFailure? {
        switch status {
        case 101:
            return .init(.malformed, "The proxy switched protocols without a request to do so.", status: status)
        case 100..<200:
            provisional += 1
            guard provisional <= Self.provisionalLimit else {
                return .init(.tooLarge, "The proxy sent more than ten provisional responses.", status: status)
            }
            return nil
        case 200..<300:
            state = .connected
            return nil
        case 407:
            let reason = hadCredentials ? "rejected the credentials" : "requires credentials"
            return .init(.authentication, "The proxy \(reason) (407).", status: status)
        case 300..<600:
            return .init(.refused, "The proxy refused to connect to the server (status \(status)).", status: status)
        default:
            return .init(.malformed, "The proxy responded with \(status), which is not a valid HTTP status.")
        }
    }

    private static let limits: TransportLimits = {
        var limits = TransportLimits()
        limits.headBytes = headLimit
        return limits
    }()
}
