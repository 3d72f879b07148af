import Foundation
import Synchronization
import Testing

@testable import HoldfastNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which responses are cached for which requests, and how a 304 response is handled.
@Suite struct ETagTransportTests {
    private typealias Answer = FakeTransport.Answer

    private func request(
        _ fields: [String: String] = [:], method: String? = nil, url: String = "https://api.example.com/me?a=1"
    ) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        if let method { request.httpMethod = method }
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// A server that answers every request that carries its tag with 304.
    private func server(_ fields: [String: String] = [:], text: String = "body", status: Int = 200) -> FakeTransport {
        FakeTransport { request, number in
            if request.value(forHTTPHeaderField: "If-None-Match") == "\"v1\"" {
                return Answer(status: 304, fields: ["X-Number": "\(number)"])
            }
            return Answer(
                text: "\(text) \(number)", status: status,
                fields: ["ETag": "\"v1\"", "X-Number": "\(number)"].merging(fields) { $1 })
        }
    }

    private func body(_ transport: ETagTransport, _ request: URLRequest) async throws -> String {
        let (data, response) = try await transport.data(for: request)
        #expect(response.statusCode == 200)
        return String(decoding: data, as: UTF8.self)
    }

    @Test func aCurrentBodyIsServedFromTheCacheWithNewFields() async throws {
        let server = server(["Content-Type": "text/plain"])
        let transport = ETagTransport(inner: server)
        #expect(try await body(transport, request()) == "body 0")
        let (data, response) = try await transport.data(for: request())
        #expect(data == Data("body 0".utf8))
        #expect(response.statusCode == 200)
        #expect(response.value(forHTTPHeaderField: "X-Number") == "1")
        #expect(response.value(forHTTPHeaderField: "Content-Type") == "text/plain")
        #expect(response.value(forHTTPHeaderField: "ETag") == "\"v1\"")
        #expect(server.requests.map { $0.value(forHTTPHeaderField: "If-None-Match") } == [nil, "\"v1\""])
    }

    @Test func aChangedBodyReplacesTheOldOne() async throws {
        let server = FakeTransport { request, number in
            let current = number < 1 ? "\"v1\"" : "\"v2\""
            return request.value(forHTTPHeaderField: "If-None-Match") == current
                ? Answer(status: 304) : Answer(text: current, fields: ["etag": current])
        }
        let transport = ETagTransport(inner: server)
        #expect(try await body(transport, request()) == "\"v1\"")
        #expect(try await body(transport, request()) == "\"v2\"")
        #expect(try await body(transport, request()) == "\"v2\"")
        #expect(server.requests.count == 3)
    }

    /// The attack: a second user sends the same URL with the same tag, and must not get the first user's response.
    @Test(arguments: ["Authorization", "Cookie", "X-Api-Key", "Accept-Language", "authorization"])
    func aResponseIsNotGivenToAnotherUser(field: String) async throws {
        let server = server()
        let transport = ETagTransport(inner: server)
        #expect(try await body(transport, request([field: "alice"])) == "body 0")
        #expect(try await body(transport, request([field: "bob"])) == "body 1")
        #expect(try await body(transport, request()) == "body 2")
        #expect(try await body(transport, request([field: "alice"])) == "body 0")
        #expect(
            server.requests.map { $0.value(forHTTPHeaderField: "If-None-Match") } == [nil, nil, nil, "\"v1\""])
    }

    /// Different lists of fields have different keys.
    @Test func keysAreUnambiguous() throws {
        let keys = try [
            request(), request(["A": "b"]), request(["A": "b1:c"]), request(["A": "b", "C": "d"]),
            request(["A": "b1:C1:d"]), request(["Ab": ""]), request(url: "https://api.example.com/me?a=2"),
            request(url: "http://api.example.com/me?a=1"), request(url: "https://API.example.com/me?a=1"),
        ].map { try #require(ETagTransport.key(for: $0)) }
        #expect(Set(keys).count == keys.count)
        let one = ETagTransport.key(for: try request(["Authorization": "s3cret"]))
        #expect(one == ETagTransport.key(for: try request(["authorization": "s3cret"])))
        #expect(one == ETagTransport.key(for: try request(["Authorization": "s3cret", "traceparent": "1"])))
        #expect(
            one
                == ETagTransport.key(
                    for: try request(["Authorization": "s3cret"], url: "https://api.example.com/me?a=1#x")))
        #expect(one?.contains("s3cret") == false)
        #expect(one?.hasPrefix("https://api.example.com/me?a=1 ") == true)
    }

    @Test(arguments: [
        ["Cache-Control": "no-store"], ["Cache-Control": "private, No-Store"], ["Vary": "*"],
        ["Vary": "Accept, X-Request-ID"],
        ["ETag": "v1"], ["ETag": "\"v\"1\""], ["ETag": "\""], ["ETag": "\"a\", \"b\""],
        ["ETag": "\"\(String(repeating: "x", count: 2_000))\""],
    ])
    func uncacheableResponsesAreNotCached(fields: [String: String]) async throws {
        let server = server(fields)
        let transport = ETagTransport(inner: server)
        #expect(try await body(transport, request()) == "body 0")
        #expect(try await body(transport, request()) == "body 1")
        #expect(server.requests.allSatisfy { $0.value(forHTTPHeaderField: "If-None-Match") == nil })
    }

    @Test(arguments: [201, 203, 206, 404, 500])
    func onlyCompleteSuccessesAreCached(status: Int) async throws {
        let server = server(status: status)
        let transport = ETagTransport(inner: server)
        for _ in 0..<2 { _ = try await transport.data(for: request()) }
        #expect(server.requests.allSatisfy { $0.value(forHTTPHeaderField: "If-None-Match") == nil })
    }

    @Test(arguments: ["POST", "HEAD", "PUT", "DELETE"])
    func otherMethodsPassThrough(method: String) async throws {
        let server = server()
        let transport = ETagTransport(inner: server)
        _ = try await transport.data(for: request())
        _ = try await transport.data(for: request(method: method))
        #expect(server.requests.last?.value(forHTTPHeaderField: "If-None-Match") == nil)
    }

    /// A request with the caller's own conditions gets the server's own response.
    @Test(arguments: ["If-None-Match", "If-Match", "If-Modified-Since", "If-Range", "Range"])
    func conditionalRequestsOfTheCallerPassThrough(field: String) async throws {
        let server = server()
        let transport = ETagTransport(inner: server)
        _ = try await transport.data(for: request())
        let (_, response) = try await transport.data(for: request([field: "\"v1\""]))
        #expect(response.statusCode == (field == "If-None-Match" ? 304 : 200))
        #expect(server.requests.last?.value(forHTTPHeaderField: field) == "\"v1\"")
    }

    /// A 304 that was not requested, or that has a different tag, does not return a cached body.
    @Test func anUnexpected304IsNotBelieved() async throws {
        let unasked = FakeTransport { _, _ in Answer(status: 304) }
        #expect(try await ETagTransport(inner: unasked).data(for: request()).1.statusCode == 304)

        let other = FakeTransport { request, number in
            number == 1
                ? Answer(status: 304, fields: ["ETag": "\"v9\""])
                : Answer(text: "body \(number)", fields: ["ETag": "W/\"v1\""])
        }
        let transport = ETagTransport(inner: other)
        #expect(try await body(transport, request()) == "body 0")
        #expect(try await body(transport, request()) == "body 2")
        #expect(other.requests.map { $0.value(forHTTPHeaderField: "If-None-Match") } == [nil, "W/\"v1\"", nil])
        let never = FakeTransport { _, number in
            number == 0
                ? Answer(text: "x", fields: ["ETag": "\"v1\""]) : Answer(status: 304, fields: ["ETag": "\"v9\""])
        }
        let stubborn = ETagTransport(inner: never)
        _ = try await body(stubborn, request())
        #expect(try await stubborn.data(for: request()).1.statusCode == 304)
        #expect(never.requests.count == 3)
    }

    /// A 304 response can forbid further caching of a body.
    @Test(arguments: [["Cache-Control": "no-store"], ["Vary": "*"]])
    func a304CanEndTheCachingOfABody(fields: [String: String]) async throws {
        let server = FakeTransport { request, _ in
            request.value(forHTTPHeaderField: "If-None-Match") == nil
                ? Answer(text: "x", fields: ["ETag": "\"v1\""]) : Answer(status: 304, fields: fields)
        }
        let transport = ETagTransport(inner: server)
        for _ in 0..<3 { #expect(try await body(transport, request()) == "x") }
        #expect(server.requests.map { $0.value(forHTTPHeaderField: "If-None-Match") } == [nil, "\"v1\"", nil])
    }

    /// An entry that is removed during its revalidation still supplies the body.
    @Test func anEntryRemovedDuringRevalidationStillAnswers() async throws {
        let store = InMemoryETagStore()
        let server = FakeTransport { _, number in
            await store.removeAll()
            return number == 0 ? Answer(text: "x", fields: ["ETag": "\"v1\""]) : Answer(status: 304)
        }
        let transport = ETagTransport(inner: server, store: store)
        #expect(try await body(transport, request()) == "x")
        #expect(try await body(transport, request()) == "x")
    }

    @Test func reloadingIgnoresTheCacheAndUpdatesIt() async throws {
        let server = server()
        let transport = ETagTransport(inner: server)
        _ = try await body(transport, request())
        var reload = try request()
        reload.cachePolicy = .reloadIgnoringLocalCacheData
        #expect(try await body(transport, reload) == "body 1")
        #expect(try await body(transport, request()) == "body 1")
    }

    @Test func aBodyBeyondTheLimitIsNotCached() async throws {
        let server = server(text: String(repeating: "x", count: 100))
        let transport = ETagTransport(inner: server, maxEntryBytes: 50)
        for _ in 0..<2 { _ = try await transport.data(for: request()) }
        #expect(server.requests.allSatisfy { $0.value(forHTTPHeaderField: "If-None-Match") == nil })
    }

    @Test func failuresArePassedOn() async throws {
        let transport = ETagTransport(inner: FakeTransport { _, _ in throw URLError(.timedOut) })
        await #expect(throws: URLError.self) { try await transport.data(for: request()) }
    }

    /// A redirect now leads to a different resource that has the same tag.
    @Test func aTagOfAnotherURLDoesNotMatch() async throws {
        let server = RedirectedServer()
        let transport = ETagTransport(inner: server)
        #expect(try await body(transport, request()) == "body of /old")
        server.isMoved.withLock { $0 = true }
        #expect(try await body(transport, request()) == "body of /new")
    }

    /// A server behind a transport that follows redirects. The response has the URL of the last request.
    private final class RedirectedServer: HTTPTransportProtocol {
        let isMoved = Mutex(false)

        func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
            let path = isMoved.withLock(\.self) ? "/new" : "/old"
            let isKnown = request.value(forHTTPHeaderField: "If-None-Match") == "\"1\""
            guard let url = URL(string: "https://api.example.com\(path)"),
                let response = HTTPURLResponse(
                    url: url, statusCode: isKnown ? 304 : 200, httpVersion: nil, headerFields: ["ETag": "\"1\""])
            else { throw URLError(.badURL) }
            return (isKnown ? Data() : Data("body of \(path)".utf8), response)
        }
    }
}
