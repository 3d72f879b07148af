import HTTPTypes
import HoldfastTestSupport
import HoldfastTransportTestSupport
import InMemoryTracing
import Testing
import Tracing

@testable import HoldfastTransport

/// The spans of requests and of their dials.
@Suite struct TracingTests {
    private let observed = Observed()
    private let world: PinnedWorld
    private let traceField = HTTPField.Name("in-memory-trace-id")

    init() throws {
        world = try PinnedWorld()
    }

    @Test func aRequestAndItsDial() async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("x")]
        } _: { server in
            let client = observed.client(world.configuration())
            let parent = observed.tracer.startSpan("caller")
            try await ServiceContext.withValue(parent.context) {
                for _ in 0..<2 {
                    _ = try await client.collect(HTTPRequest(port: server.port, path: "/a?token=secret"), upTo: 9)
                }
            }
            parent.end()
            let requests = observed.spans("GET")
            #expect(requests.count == 2)
            for span in requests {
                #expect(span.kind == .client)
                #expect(span.parentSpanID == parent.spanID)
                #expect(span.traceID == parent.traceID)
                #expect(span.status == nil)
                #expect(span.value("http.request.method") == "GET")
                #expect(span.value("server.address") == PinnedWorld.host)
                #expect(span.value("server.port") == "\(server.port)")
                #expect(span.value("url.scheme") == "https")
                #expect(span.value("http.response.status_code") == "200")
                #expect(span.value("network.protocol.name") == "http")
                #expect(span.value("network.protocol.version") == "1.1")
            }
            // The second request uses the open connection.
            let dial = try #require(observed.spans("holdfast.dial").first)
            #expect(observed.spans("holdfast.dial").count == 1)
            #expect(dial.parentSpanID == requests.first?.spanID)
            #expect(dial.value("holdfast.via") == "direct")
            let tls = try #require(observed.spans("holdfast.tls").first)
            #expect(observed.spans("holdfast.connect").map(\.parentSpanID) == [dial.spanID])
            #expect(tls.parentSpanID == dial.spanID)
            #expect(tls.value("tls.protocol.version") == "1.3")
            #expect(tls.value("tls.cipher")?.hasPrefix("TLS_") == true)
            let verify = try #require(observed.spans("holdfast.verify").first)
            #expect(verify.parentSpanID == tls.spanID)
            #expect(verify.value("holdfast.trust.decision") == "allow")
            #expect(verify.value("holdfast.trust.finding") == "validPath")
            #expect(verify.value("holdfast.trust.cached") == "false")
            #expect(verify.startInstant.nanosecondsSinceEpoch <= verify.endInstant.nanosecondsSinceEpoch)
            #expect(observed.tracer.activeSpans.isEmpty)
        }
    }

    @Test func theVersionIsTheNegotiatedOne() async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: .http2) { _ in
            [.respond("x")]
        } _: { server in
            let client = observed.client(world.configuration())
            _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            #expect(observed.spans("GET").first?.value("network.protocol.version") == "2")
            #expect(server.requests.first?.field("in-memory-trace-id") != nil)
            #expect(observed.level("holdfast.pool.idle") == 1)
            await client.shutdown()
            #expect(observed.level("holdfast.pool.idle") == 0)
        }
    }

    @Test func aRefusedServer() async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.rogue)) { _ in
            [.respond()]
        } _: { server in
            let client = observed.client(world.configuration())
            _ = try? await client.collect(HTTPRequest(port: server.port), upTo: 9)
            let expected = [
                "GET": "trustRefused", "holdfast.dial": "trustRefused", "holdfast.tls": "refused",
                "holdfast.connect": nil, "holdfast.verify": nil,
            ]
            for (name, code) in expected {
                let span = try #require(observed.spans(name).first, "\(name)")
                #expect(span.value("error.type") == code, "\(name)")
                #expect((span.status?.code == .error) == (name != "holdfast.connect"), "\(name)")
            }
            #expect(observed.spans("holdfast.verify").first?.value("holdfast.trust.finding") == "unknownIssuer")
            #expect(observed.tracer.activeSpans.isEmpty)
        }
    }

    /// OpenTelemetry: 4xx and 5xx are errors of a client's span. The span of an unknown method has a generic name.
    @Test func statusesAndMethods() async throws {
        try await ScriptedServer.with { _ in
            [.respond(status: "404 Not Found")]
        } _: { server in
            let client = observed.client(.forPlainServers)
            let method = try #require(HTTPRequest.Method(rawValue: "PROPFIND"))
            _ = try await client.collect(.plain(method, port: server.port), upTo: 9)
            let span = try #require(observed.spans("HTTP").first)
            #expect(span.value("http.request.method") == "_OTHER")
            #expect(span.value("http.response.status_code") == "404")
            #expect(span.value("error.type") == "404")
            #expect(span.status?.code == .error)
        }
    }

    /// The span lasts until the body has been read.
    @Test func aStreamedResponse() async throws {
        try await ScriptedServer.with { _ in
            [.respond("x")]
        } _: { server in
            let client = observed.client(.forPlainServers)
            try await client.execute(.plain(port: server.port)) { _, body in
                while try await body.next() != nil {}
                #expect(observed.spans("GET").isEmpty)
            }
            #expect(observed.spans("GET").first?.value("http.response.status_code") == "200")
            await #expect(throws: MissingError.self) {
                try await client.execute(.plain(port: server.port)) { _, _ in throw MissingError() }
            }
            #expect(observed.spans("GET").last?.value("error.type") == "caller")
            #expect(observed.spans("GET").last?.errors.isEmpty == true)
        }
    }

    // MARK: Propagation

    @Test func theServerReceivesTheTrace() async throws {
        try await ScriptedServer.with { _ in
            [.respond("x")]
        } _: { server in
            let client = observed.client(.forPlainServers)
            let name = try #require(traceField)
            _ = try await client.collect(.plain(port: server.port), upTo: 9)
            let span = try #require(observed.spans("GET").first)
            #expect(server.requests.first?.field("in-memory-trace-id") == span.traceID)
            #expect(server.requests.first?.field("in-memory-span-id") == span.spanID)
            // Fields that the caller sets are kept.
            _ = try await client.collect(.plain(port: server.port, [name: "mine"]), upTo: 9)
            let fields = server.requests.last?.fields.filter { $0.name == "in-memory-trace-id" }.map(\.value)
            #expect(fields == ["mine"])
        }
    }

    /// A redirect within the origin keeps the trace. A different origin does not receive it, and neither does a return
    /// to the first.
    @Test func anotherOriginDoesNotReceiveTheTrace() async throws {
        let other = try await ScriptedServer.start { request in
            let back = request.target.split(separator: "/").last ?? ""
            return [.respond(status: "302 Found", fields: ["Location: http://127.0.0.1:\(back)/home"])]
        }
        try await ScriptedServer.with { request in
            switch request.target {
            case "/": [.respond(status: "302 Found", fields: ["Location: /near"])]
            case "/near":
                [
                    .respond(
                        status: "302 Found",
                        fields: [
                            "Location: http://127.0.0.1:\(other.port)/"
                                + "\(request.field("Host")?.split(separator: ":").last ?? "")"
                        ])
                ]
            default: [.respond("home")]
            }
        } _: { server in
            let client = observed.client(.forPlainServers)
            let options = RequestOptions(redirects: .follow())
            let answer = try await client.collect(.plain(port: server.port), upTo: 9, options: options)
            #expect(answer.text == "home")
            #expect(server.requests.map(\.target) == ["/", "/near", "/home"])
            #expect(server.requests.map { $0.field("in-memory-trace-id") != nil } == [true, true, false])
            #expect(other.requests.map { $0.field("in-memory-trace-id") } == [nil])
            #expect(observed.spans("GET").map { $0.value("http.request.resend_count") } == [nil, "1", "2", "3"])
            await client.shutdown()
        }
        try await other.stop()
    }

    /// Baggage may contain any text. A line break in it does not start a new field.
    @Test func invalidFieldsAreOmitted() {
        var fields = HTTPFields()
        let injector = HTTPFieldInjector()
        injector.inject("a\r\nHost: evil", forKey: "baggage", into: &fields)
        injector.inject("x", forKey: "no token", into: &fields)
        injector.inject("00-1-2-01", forKey: "traceparent", into: &fields)
        #expect(fields.map(\.name.canonicalName) == ["traceparent"])
    }
}
