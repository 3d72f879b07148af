import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// Every buffer for data from a server has a limit.
@Suite struct LimitTests {
    private func error(
        over version: ScriptedVersion = .http1, limits: (inout TransportLimits) -> Void = { _ in },
        upTo limit: Int = 99,
        _ response: String
    ) async throws -> TransportError? {
        var configuration = TransportConfiguration.plain(version)
        limits(&configuration.limits)
        return try await ScriptedServer.with(version: version) { _ in
            [.text(response)]
        } _: { [configuration] server in
            let client = HTTPClient(configuration: configuration)
            do {
                _ = try await client.collect(.plain(port: server.port), upTo: limit)
                return nil
            } catch let error as TransportError {
                return error
            }
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func theCollectedBody(version: ScriptedVersion) async throws {
        let response = "HTTP/1.1 200 OK\nContent-Length: 10\n\n0123456789"
        #expect(try await error(over: version, upTo: 10, response) == nil)
        #expect(try await error(over: version, upTo: 9, response)?.code == .responseTooLarge)
        let chunked = "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\na\n0123456789\n0\n\n"
        #expect(try await error(over: version, upTo: 10, chunked) == nil)
        #expect(try await error(over: version, upTo: 9, chunked)?.code == .responseTooLarge)
    }

    /// An announced length is refused before the first byte of the body.
    @Test(arguments: ScriptedVersion.allCases)
    func anAnnouncedLength(version: ScriptedVersion) async throws {
        let response = "HTTP/1.1 200 OK\nContent-Length: 1000000\n\n"
        #expect(try await error(over: version, upTo: 999_999, response)?.code == .responseTooLarge)
    }

    @Test func theHead() async throws {
        let head = "HTTP/1.1 200 OK\nContent-Length: 0\nX: "
        let rest = 300 - head.utf8.count - 2 - 4
        let fits = head + String(repeating: "x", count: rest) + "\n\n"
        let over = head + String(repeating: "x", count: rest + 1) + "\n\n"
        #expect(try await error(limits: { $0.headBytes = 300 }, fits) == nil)
        #expect(try await error(limits: { $0.headBytes = 300 }, over)?.code == .headTooLarge)
    }

    /// A large limit does not let a server end the process: `HTTPFields` traps beyond 65,534 fields.
    @Test func moreFieldsThanHTTPFieldsSupports() async throws {
        let head = "HTTP/1.1 200 OK\nContent-Length: 0\n" + String(repeating: "A: b\n", count: 66_000) + "\n"
        let error = try await error(
            limits: {
                $0.headerFields = .max
                $0.headBytes = .max
            }, head)
        #expect(error?.code == .tooManyFields)
    }

    @Test func anEndlessHead() async throws {
        let response = "HTTP/1.1 200 OK\n" + String(repeating: "X: y\n", count: 20_000)
        #expect(try await error(limits: { $0.headerFields = 99_999 }, response)?.code == .headTooLarge)
        #expect(try await error(response)?.code == .tooManyFields)
        #expect(try await error("HTTP/1.1 200 " + String(repeating: "O", count: 100_000))?.code == .headTooLarge)
    }

    @Test(arguments: ScriptedVersion.allCases)
    func theNumberOfFields(version: ScriptedVersion) async throws {
        let fields = { (count: Int) in
            "HTTP/1.1 200 OK\nContent-Length: 0\n" + String(repeating: "X: y\n", count: count - 1) + "\n"
        }
        #expect(try await error(over: version, limits: { $0.headerFields = 20 }, fields(20)) == nil)
        #expect(try await error(over: version, limits: { $0.headerFields = 20 }, fields(21))?.code == .tooManyFields)
    }

    @Test(arguments: ScriptedVersion.allCases)
    func informationalResponses(version: ScriptedVersion) async throws {
        let final = "HTTP/1.1 200 OK\nContent-Length: 0\n\n"
        let early = { (count: Int) in String(repeating: "HTTP/1.1 102 Processing\n\n", count: count) + final }
        #expect(try await error(over: version, limits: { $0.informationalResponses = 3 }, early(3)) == nil)
        #expect(
            try await error(over: version, limits: { $0.informationalResponses = 3 }, early(4))?.code
                == .tooManyInformationalResponses
        )
    }

    @Test func trailersAndChunkExtensions() async throws {
        let head = "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n"
        let trailers = head + "0\n" + String(repeating: "X: y\n", count: 20_000) + "\n"
        #expect(try await error(trailers)?.code == .tooManyFields)
        let large = head + "0\nX: " + String(repeating: "y", count: 70_000) + "\n\n"
        #expect(try await error(large)?.code == .headTooLarge)
        let extensions = head + "1;" + String(repeating: "x", count: 20_000) + "\nx\n0\n\n"
        #expect(try await error(extensions)?.defect == .chunkExtension)
    }
}
