import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTransport

/// The state machines of the two proxy protocols: every reply in one piece and byte by byte.
@Suite struct ProxyMachineTests {
    private func connect(_ credentials: ProxyCredentials? = nil, host: String = "chat.example.com") throws
        -> ConnectMachine
    {
        ConnectMachine(host: try CanonicalHost(host), port: 443, credentials: credentials)
    }

    /// Returns the last step, which must not depend on the segmentation.
    private func answer(_ text: String, _ machine: ConnectMachine) -> ProxyStep {
        var whole = machine
        let step = whole.receive(Array(text.utf8))
        var pieces = machine
        var last = ProxyStep.proceed([])
        for byte in text.utf8 {
            last = pieces.receive([byte])
            if case .fail = last { break }
        }
        #expect(last == step)
        return step
    }

    @Test func theRequest() throws {
        #expect(
            String(decoding: try connect().opening, as: UTF8.self)
                == "CONNECT chat.example.com:443 HTTP/1.1\r\nHost: chat.example.com:443\r\n\r\n")
        // RFC 7617, 2: the example of the RFC.
        let machine = try connect(ProxyCredentials(user: "Aladdin", password: "open sesame"), host: "[2001:db8::1]")
        #expect(
            String(decoding: machine.opening, as: UTF8.self)
                == "CONNECT [2001:db8::1]:443 HTTP/1.1\r\nHost: [2001:db8::1]:443\r\n"
                + "Proxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n\r\n")
    }

    @Test(arguments: [
        "HTTP/1.1 200 Connection established\r\n\r\n", "HTTP/1.0 200\r\n\r\n", "HTTP/1.1 299 \r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 103 Early\r\nX: y\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
    ])
    func isConnected(text: String) throws {
        #expect(answer(text, try connect()) == .connected)
    }

    static let failures: [(text: String, code: ProxyFailure.Code, status: Int?)] = [
        ("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", .authentication, 407),
        ("HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\n", .refused, 403),
        ("HTTP/1.1 302 Found\r\nLocation: https://evil.example/\r\n\r\n", .refused, 302),
        ("HTTP/1.1 502 Bad Gateway\r\n\r\n", .refused, 502),
        ("HTTP/1.1 101 Switching\r\n\r\n", .malformed, 101),
        ("SSH-2.0-OpenSSH", .malformed, nil),
        ("HTTP/2 200\r\n\r\n", .malformed, nil),
        ("HTTP/1.2 200 OK\r\n\r\n", .malformed, nil),
        ("HTTP/1.1 2000 OK\r\n\r\n", .malformed, nil),
        ("HTTP/1.1 20 OK\r\n\r\n", .malformed, nil),
        ("HTTP/1.1  200 OK\r\n\r\n", .malformed, nil),
        ("HTTP/1.1 600 OK\r\n\r\n", .malformed, nil),
        ("HTTP/1.1 200 OK\n\n", .malformed, nil),
        ("HTTP/1.1 200 OK\r\r\n\r\n", .malformed, nil),
        ("HTTP/1.1 200\r\r\n\r\n", .malformed, nil),
        ("HTTP/1.1 200 OK\r\n\r\r\n", .malformed, nil),
        ("HTTP/1.1 200 OK\r\nNo colon\r\n\r\n", .malformed, nil),
        ("HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n\r\n", .malformed, nil),
        ("HTTP/1.1 200 OK\r\nA : b\r\n\r\n", .malformed, nil),
        ("HTTP/1.1 200 OK\r\n: b\r\n\r\n", .malformed, nil),
        ("HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", .malformed, nil),
        ("HTTP/1.1 200 OK\r\nA: \0\r\n\r\n", .malformed, nil),
        ("HTTP/1.1 200 OK\r\n\r\nX", .earlyBytes, nil),
    ]

    @Test(arguments: failures)
    func fails(row: (text: String, code: ProxyFailure.Code, status: Int?)) throws {
        guard case .fail(let failure) = answer(row.text, try connect()) else {
            Issue.record("The machine did not fail")
            return
        }
        #expect(failure.code == row.code)
        #expect(failure.status == row.status)
        #expect(!failure.reason.contains("evil"))
    }

    @Test func theHeadIsLimited() throws {
        var machine = try connect()
        let head = "HTTP/1.1 200 OK\r\nX: "
        let room = ConnectMachine.headLimit - head.utf8.count - 4
        #expect(answer(head + String(repeating: "a", count: room) + "\r\n\r\n", machine) == .connected)
        #expect(machine.receive(Array(head.utf8)) == .proceed([]))
        guard case .fail(let failure) = machine.receive(Array(repeating: 0x61, count: ConnectMachine.headLimit)) else {
            Issue.record("The machine did not fail")
            return
        }
        #expect(failure.code == .tooLarge)
        #expect(machine.receive([0x61]) == .proceed([]))
    }

    @Test func provisionalResponsesAreLimited() throws {
        let provisional = "HTTP/1.1 100 Continue\r\n\r\n"
        let final = "HTTP/1.1 200 OK\r\n\r\n"
        #expect(answer(String(repeating: provisional, count: 10) + final, try connect()) == .connected)
        guard case .fail(let failure) = answer(String(repeating: provisional, count: 11) + final, try connect()) else {
            Issue.record("The machine did not fail")
            return
        }
        #expect(failure.code == .tooLarge)
    }

    // MARK: SOCKS5

    private func socks(_ credentials: ProxyCredentials? = nil, host: String = "a.example") throws -> SOCKSMachine {
        SOCKSMachine(host: try CanonicalHost(host), port: 0x1F90, credentials: credentials)
    }

    private let request: [UInt8] = [5, 1, 0, 3, 9] + Array("a.example".utf8) + [0x1F, 0x90]
    private let login = ProxyCredentials(user: "me", password: "pw!")

    @Test func withoutLogin() throws {
        var machine = try socks()
        #expect(machine.opening == [5, 1, 0])
        #expect(machine.receive([5]) == .proceed([]))
        #expect(machine.receive([0]) == .proceed(request))
        #expect(machine.receive([5, 0, 0, 1, 0, 0, 0, 0, 0]) == .proceed([]))
        #expect(machine.receive([0]) == .connected)
        #expect(machine.receive([1]) == .fail(.earlyBytes))
        #expect(machine.receive([1]) == .proceed([]))
    }

    @Test func withLogin() throws {
        var machine = try socks(login)
        #expect(machine.opening == [5, 2, 0, 2])
        #expect(machine.receive([5, 2]) == .proceed([1, 2, 0x6D, 0x65, 3, 0x70, 0x77, 0x21]))
        #expect(machine.receive([1, 0]) == .proceed(request))
        #expect(machine.receive([5, 0, 0, 3, 2, 1, 1, 9, 9]) == .connected)
        // Offered, not insisted on.
        machine = try socks(login)
        #expect(machine.receive([5, 0]) == .proceed(request))
    }

    @Test func addressesAreSentAsAddresses() throws {
        var machine = try socks(host: "192.0.2.1")
        #expect(machine.receive([5, 0]) == .proceed([5, 1, 0, 1, 192, 0, 2, 1, 0x1F, 0x90]))
        machine = try socks(host: "::1")
        #expect(
            machine.receive([5, 0])
                == .proceed([5, 1, 0, 4] + Array(repeating: 0, count: 15) + [1, 0x1F, 0x90]))
        #expect(machine.receive([5, 0, 0, 4] + Array(repeating: 7, count: 18)) == .connected)
    }

    @Test func socksFailures() throws {
        let table: [([UInt8], ProxyCredentials?, ProxyFailure.Code, Int?)] = [
            ([4], nil, .malformed, nil), ([0x48], nil, .malformed, nil),
            ([5, 0xFF], nil, .authentication, 255), ([5, 0xFF], login, .authentication, 255),
            ([5, 2], nil, .malformed, 2), ([5, 1], login, .malformed, 1),
            ([5, 2, 1, 1], login, .authentication, 1), ([5, 2, 5], login, .malformed, nil),
            ([5, 0, 4], nil, .malformed, nil), ([5, 0, 5, 0, 0, 2, 0], nil, .malformed, nil),
            ([5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], nil, .earlyBytes, nil),
        ]
        for (bytes, credentials, code, status) in table {
            var whole = try socks(credentials)
            var pieces = try socks(credentials)
            guard case .fail(let failure) = whole.receive(bytes) else {
                Issue.record("\(bytes) did not fail")
                continue
            }
            #expect(failure.code == code, "\(bytes)")
            #expect(failure.status == status, "\(bytes)")
            let last = bytes.map { pieces.receive([$0]) }.last
            #expect(last == .fail(failure), "\(bytes)")
        }
    }

    /// Every code of RFC 1928, 6 and every other code is refused with its number, at its second byte.
    @Test func socksReplies() throws {
        for reply in UInt8(1)...255 {
            var machine = try socks()
            guard case .fail(let failure) = machine.receive([5, 0, 5, reply]) else {
                Issue.record("\(reply) did not fail")
                continue
            }
            #expect(failure.code == .refused)
            #expect(failure.status == Int(reply))
        }
    }

    /// No bytes make either machine trap or hang.
    @Test(arguments: 0..<200)
    func randomBytesAreHarmless(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var bytes: [UInt8] =
            seed % 2 == 0 ? Array("HTTP/1.1 200 OK\r\nA: b\r\n\r\n".utf8) : [5, 2, 1, 0, 5, 0, 0, 3, 9]
        for _ in 0..<3 {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        bytes += (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }
        var http = try connect()
        var socks = try socks(login)
        for byte in bytes {
            _ = http.receive([byte])
            _ = socks.receive([byte])
        }
    }
}
