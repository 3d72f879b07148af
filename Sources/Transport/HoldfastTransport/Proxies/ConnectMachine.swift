import HoldfastTrust
import NIOCore

/// HTTP `CONNECT` (RFC 9110, 9.3.6; RFC 9112, 3.2.3) as a value: one request, one head as the answer.
///
/// Heads are read as strictly as those of servers: see ``HeadReader``. A `2xx` has no body, whatever its fields say; the
/// body of any other answer is not read.
struct ConnectMachine: ProxyDialogue {
    /// Bytes of a head. Proxies send a few hundred; those of servers of the field end at 8 KiB.
    static let headLimit = 16 * 1024
    /// Provisional (1xx) answers before the final one.
    static let provisionalLimit = 10

    private enum State: Hashable, Sendable {
        /// Next: connected, failed.
        case waiting
        /// Next: failed, if there are more bytes.
        case connected
        case failed
    }

    /// The request.
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

    /// Bytes have come from the proxy.
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

    /// What is wrong with the head. The reader's own words are about responses of servers.
    private static func failure(_ error: TransportError) -> ProxyFailure {
        switch error.defect {
        case nil: .init(.tooLarge, "The head of the proxy's answer has more than 16 KiB or 200 fields.")
        case .statusLine?: .init(.malformed, "The proxy does not answer in HTTP/1.")
        case let defect?: .init(.malformed, "The head of the proxy's answer is malformed (\(defect)).")
        }
    }

    /// Looks at the status of a complete head.
    private mutating func judge(_ status: Int) -> ProxyFailure? {
        switch status {
        case 101:
            return .init(.malformed, "The proxy switches protocols, which was not asked for.", status: status)
        case 100..<200:
            provisional += 1
            guard provisional <= Self.provisionalLimit else {
                return .init(.tooLarge, "The proxy sent more than ten provisional answers.", status: status)
            }
            return nil
        case 200..<300:
            state = .connected
            return nil
        case 407:
            let reason = hadCredentials ? "does not accept the credentials" : "wants credentials"
            return .init(.authentication, "The proxy \(reason) (407).", status: status)
        case 300..<600:
            return .init(.refused, "The proxy does not connect to the server: it answers \(status).", status: status)
        default:
            return .init(.malformed, "The proxy answers \(status), which is no status of HTTP.")
        }
    }

    private static let limits: TransportLimits = {
        var limits = TransportLimits()
        limits.headBytes = headLimit
        return limits
    }()
}
