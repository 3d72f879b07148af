import HoldfastTrust

/// HTTP `CONNECT` (RFC 9110, 9.3.6; RFC 9112, 3.2.3) as a value: one request, one head as the answer.
///
/// Strict: lines end in CR LF, no field is folded, no white space stands before a colon, no control characters. A `2xx` has no body,
/// whatever its fields say; the body of any other answer is not read.
struct ConnectMachine: Sendable {
    /// Bytes of a head. Proxies send a few hundred; those of servers of the field end at 8 KiB.
    static let headLimit = 16 * 1024
    /// What every answer begins with.
    private static let start = Array("HTTP/1.".utf8)
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
    private var head: [UInt8] = []
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
        for byte in bytes {
            switch state {
            case .failed:
                return .proceed([])
            case .connected:
                return fail(ProxyDialogue.earlyBytes)
            case .waiting:
                head.append(byte)
                guard head.count <= Self.headLimit else {
                    return fail(.init(.tooLarge, "The head of the proxy's answer has more than 16 KiB."))
                }
                // What cannot become a status line is not waited for.
                if head.count <= Self.start.count, byte != Self.start[head.count - 1] {
                    return fail(.init(.malformed, "The proxy does not answer in HTTP/1."))
                }
                guard byte == 0x0A else { continue }
                guard head.count >= 2, head[head.count - 2] == 0x0D else {
                    return fail(.init(.malformed, "A line of the proxy's answer does not end in CR LF."))
                }
                if head.suffix(4).elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) {
                    let complete = head
                    head = []
                    if let failure = judge(complete) { return fail(failure) }
                }
            }
        }
        return state == .connected ? .connected : .proceed([])
    }

    private mutating func fail(_ failure: ProxyFailure) -> ProxyStep {
        state = .failed
        head = []
        return .fail(failure)
    }

    /// Reads a complete head.
    private mutating func judge(_ head: [UInt8]) -> ProxyFailure? {
        // Without the empty line; every LF has a CR before it.
        var lines = head.dropLast(4).split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { $0.last == 0x0D ? $0.dropLast() : $0 }[...]
        guard let status = lines.popFirst().flatMap(Self.status) else {
            return .init(.malformed, "The status line of the proxy's answer is malformed.")
        }
        guard lines.allSatisfy(Self.isField) else {
            return .init(.malformed, "A header field of the proxy's answer is malformed.", status: status)
        }
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
        default:
            return .init(.refused, "The proxy does not connect to the server: it answers \(status).", status: status)
        }
    }

    /// RFC 9112, 4: `HTTP/1.x SP 3DIGIT SP [reason]`; the second space is missing in the answers of some proxies.
    private static func status(_ line: ArraySlice<UInt8>) -> Int? {
        let line = Array(line)
        guard line.count >= 12, line[7] == 0x30 || line[7] == 0x31, line[8] == 0x20,
            line.count == 12 || line[12] == 0x20, line.dropFirst(12).allSatisfy(isText)
        else { return nil }
        let digits = line[9..<12]
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let status = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return (100...599).contains(status) ? status : nil
    }

    /// RFC 9112, 5: a token, a colon at once, then text.
    private static func isField(_ line: ArraySlice<UInt8>) -> Bool {
        guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex else { return false }
        let isToken = line[..<colon].allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
        return isToken && line[(colon + 1)...].allSatisfy(isText)
    }

    private static func isText(_ byte: UInt8) -> Bool { byte == 0x09 || (byte >= 0x20 && byte != 0x7F) }
}
