import Dispatch
import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import PinReportCollector
import Synchronization
import Testing

/// A collector over real sockets.
@Suite("Collector", .serialized)
struct CollectorTests {
    let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    // MARK: Receiving reports

    @Test func reportIsStoredAndListed() async throws {
        let body = try Sample.bytes(sample.trustKit)
        try await CollectorUnderTest.with { test async throws in
            let answer = try await test.post(body)
            #expect(answer.status == 201)
            #expect(try answer.object["id"]?.number == 1)
            #expect(answer.response.headerFields[.cacheControl] == "no-store")
            #expect(answer.response.headerFields[.date] == "Sat, 15 Mar 2031 12:00:00 GMT")
            let list = try await test.object("/reports")
            let report = try #require(try list.list("reports").first)
            #expect(report["id"]?.number == 1)
            #expect(report["receivedAt"]?.text == Sample.time.description)
            #expect(report["host"]?.text == "www.chat.example.com")
            #expect(report["result"]?.text == "failedNoMatchingPin")
            #expect(try report.list("validatedChain").first?["pin"]?.text == sample.leaf.spkiDigest.base64)
            #expect(list["next"] == .null)
            let whole = try await test.object("/reports/1")
            #expect(try JSONObject(#require(whole["report"])).keys == Set(sample.trustKit.keys))
            guard case .stored(let event) = await test.events.events(1).first else { throw Unexpected() }
            #expect(event.host == "www.chat.example.com")
            #expect(event.app == "com.example.shop 2.1")
        }
    }

    private struct Unexpected: Error {}

    @Test func everyFormatAndPathIsAccepted() async throws {
        let (android, hpkp) = (try Sample.bytes(sample.android), try Sample.bytes(sample.hpkp))
        try await CollectorUnderTest.with {
            $0.intakePaths = ["/reports", "/trustkit/report", "/in"]
        } _: { test async throws in
            #expect(try await test.post(android, to: "/trustkit/report").status == 201)
            #expect(try await test.post(hpkp, to: "/in").status == 201)
            let reports = try await test.object("/reports").list("reports")
            #expect(reports.map { $0["format"]?.text } == ["hpkp", "trustkit"])
        }
    }

    @Test func repeatedReportIsStoredOnce() async throws {
        let body = try Sample.bytes(sample.trustKit)
        let other = try sample.numbered(7)
        try await CollectorUnderTest.with { test async throws in
            #expect(try await test.post(body, id: "7f3a-1").status == 201)
            let again = try await test.post(body, id: "7f3a-1")
            #expect(again.status == 200)
            #expect(try again.object["repeated"] == .bool(true))
            let taken = try await test.post(other, id: "7f3a-1")
            #expect(taken.status == 409)
            #expect(taken.error == "identifierTaken")
            for id in ["", "a b", "a/b", String(repeating: "a", count: 129), "é"] {
                #expect(try await test.post(other, id: id).error == "invalidIdentifier", "\(id)")
            }
            #expect(try await test.object("/reports").list("reports").count == 1)
        }
    }

    @Test func refusalsHaveReasonAndPosition() async throws {
        var report = sample.trustKit
        report["hostname"] = "'; DROP TABLE report; --\n\u{1B}[31m"
        let bad = try Sample.bytes(report)
        try await CollectorUnderTest.with { test async throws in
            let answer = try await test.post(bad)
            #expect(answer.status == 400)
            #expect(answer.error == "invalidValue")
            #expect(try answer.object["field"]?.text == "hostname")
            #expect(try answer.object["line"]?.number == 1)
            #expect((try answer.object["column"]?.number ?? 0) > 100)
            let events = await test.events.events(1)
            #expect(events == [.refused(status: 400, code: "invalidValue", count: 1)])
            #expect(!"\(events)".contains("DROP"))
            #expect(try await test.post(Array("{}".utf8)).error == "missingField")
            #expect(try await test.post([]).error == "invalidJSON")
            #expect(try await test.object("/reports").list("reports").isEmpty)
        }
    }

    @Test func onlyJSONIsAccepted() async throws {
        let body = try Sample.bytes(sample.trustKit)
        try await CollectorUnderTest.with { test async throws in
            for type in ["text/plain", "application/json; charset=utf-16", "application/x-www-form-urlencoded", ""] {
                let answer = try await test.post(body, headers: [.contentType: type])
                #expect(answer.status == 415, "\(type)")
            }
            let coded = try await test.post(
                body, headers: [.contentType: "application/json", .contentEncoding: "gzip"])
            #expect(coded.error == "contentCoding")
            #expect(
                try await test.post(body, headers: [.contentType: "Application/JSON; Charset=\"UTF-8\""]).status == 201)
        }
    }

    @Test func hugeBodiesAreRefused() async throws {
        let limit = ReportCollectorLimits().bodyBytes
        try await CollectorUnderTest.with { test async throws in
            // With a length: refused before reading. Without: refused when the limit is reached.
            let announced = try await test.post(Array(repeating: 0x20, count: limit + 1))
            #expect(announced.status == 413)
            let chunk = [UInt8](repeating: 0x20, count: 32 * 1024)
            let stream = HTTPBody.stream(length: nil) { writer in
                for _ in 0..<5 { try await writer.write(chunk) }
            }
            let unannounced = try await test.request(
                .post, "/reports", headers: [.contentType: "application/json"], body: stream)
            #expect(unannounced.status == 413)
            #expect(try await test.request(.get, "/health").status == 200)
        }
    }

    @Test func deeplyNestedJSONIsRefused() async throws {
        let bomb = Array(String(repeating: "[", count: 100_000).utf8)
        try await CollectorUnderTest.with { test async throws in
            #expect(try await test.post(bomb).error == "invalidJSON")
        }
    }

    @Test func aFloodIsRefused() async throws {
        let sample = sample
        try await CollectorUnderTest.with {
            $0.limits.burst = 5
            $0.limits.bytesPerCount = 1 << 20
        } _: { test async throws in
            var statuses: [Int] = []
            for number in 0..<8 { statuses.append(try await test.post(sample.numbered(number)).status) }
            #expect(statuses == [201, 201, 201, 201, 201, 429, 429, 429])
            let refused = try await test.post(sample.numbered(9))
            #expect(refused.response.headerFields[.retryAfter] == "1")
            // Readers are not affected.
            #expect(try await test.object("/reports").list("reports").count == 5)
        }
    }

    @Test func largeReportsCountBySize() async throws {
        let sample = sample
        let padding = [UInt8](repeating: 0x20, count: 100_000)
        try await CollectorUnderTest.with { test async throws in
            // The limit is sixty, and each of these counts for more than twenty.
            var statuses: [Int] = []
            for number in 0..<4 { statuses.append(try await test.post(sample.numbered(number) + padding).status) }
            #expect(statuses == [201, 201, 201, 429])
            let refused = try await test.post(sample.numbered(9))
            let wait = try #require(refused.response.headerFields[.retryAfter].flatMap { Int($0) })
            #expect((15...60).contains(wait))
        }
    }

    @Test func invalidReportsCountBySize() async throws {
        let noReport = [UInt8](repeating: 0x20, count: 100_000)
        try await CollectorUnderTest.with { test async throws in
            var statuses: [Int] = []
            for _ in 0..<4 { statuses.append(try await test.post(noReport).status) }
            #expect(statuses == [400, 400, 400, 429])
        }
    }

    @Test func idempotencyKeyIdentifiesAReport() async throws {
        let (body, other) = (try Sample.bytes(sample.trustKit), try sample.numbered(7))
        try await CollectorUnderTest.with { test async throws in
            func post(_ body: [UInt8], key: String, id: String? = nil) async throws -> CollectedResponse {
                var headers: HTTPFields = [.contentType: "application/json"]
                if let name = HTTPField.Name("Idempotency-Key") { headers[name] = key }
                return try await test.post(body, id: id, headers: headers)
            }
            #expect(try await post(body, key: "\"7f3a-1\"").status == 201)
            #expect(try await post(body, key: "\"7f3a-1\"").status == 200)
            #expect(try await post(body, key: "7f3a-1").status == 200)
            #expect(try await test.post(body, id: "7f3a-1").status == 200)
            #expect(try await post(body, key: "\"7f3a-1\"", id: "7f3a-1").status == 200)
            #expect(try await post(other, key: "\"7f3a-1\"").error == "identifierTaken")
            #expect(try await post(other, key: "\"b\"", id: "a").error == "invalidIdentifier")
            for key in ["", "\"", "\"\"", "\"a", "\"a b\""] {
                #expect(try await post(other, key: key).error == "invalidIdentifier", "\(key)")
            }
            #expect(try await test.object("/reports").list("reports").count == 1)
        }
    }

    /// A blocking receiver, such as a full pipe, does not prevent answers or the collector's end.
    @Test(.timeLimit(.minutes(1))) func receiverMayBlock() async throws {
        let sample = sample
        let gate = DispatchSemaphore(value: 0)
        defer { for _ in 0..<100 { gate.signal() } }
        try await CollectorUnderTest.with {
            $0.onEvent = { _ in gate.wait() }
        } _: { test async throws in
            for number in 0..<20 { #expect(try await test.post(sample.numbered(number)).status == 201) }
            #expect(try await test.post([]).status == 400)
        }
    }

    @Test func aHeadHasNoBody() async throws {
        try await CollectorUnderTest.with { test async throws in
            let peer = try await RawPeer.connect(to: test.address.port)
            try await peer.send(
                Array("HEAD /reports HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
            let answer = try await peer.everything()
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(answer.hasSuffix("\r\n\r\n"))
            #expect(answer.lowercased().contains("content-length: "))
            #expect(!answer.lowercased().contains("content-length: 0\r"))
            #expect(try await test.request(.head, "/reports/7").status == 404)
        }
    }

    // MARK: Listing

    @Test func listsArePagedAndFiltered() async throws {
        let sample = sample
        try await CollectorUnderTest.with { test async throws in
            for number in 0..<5 {
                let body = try sample.numbered(number, host: number == 0 ? "other.example" : Sample.host)
                #expect(try await test.post(body).status == 201)
            }
            let page = try await test.object("/reports?limit=2")
            #expect(try page.list("reports").map { $0["id"]?.number } == [5, 4])
            #expect(page["next"]?.number == 4)
            let next = try await test.object("/reports?limit=2&before=4")
            #expect(try next.list("reports").map { $0["id"]?.number } == [3, 2])
            #expect(try await test.object("/reports?host=Other.Example").list("reports").count == 1)
            #expect(try await test.object("/reports?result=1").list("reports").count == 5)
            #expect(try await test.object("/reports?result=failedInvalidCertificateChain").list("reports").isEmpty)
            #expect(try await test.object("/reports?since=2031-03-16").list("reports").isEmpty)
            #expect(try await test.object("/reports?since=2031-03-15T12%3A00%3A00Z").list("reports").count == 5)
            let summary = try await test.object("/reports/summary")
            #expect(try summary.list("counts").map { $0["count"]?.number } == [4, 1])
            #expect(try summary.list("counts").first?["day"]?.text == "2031-03-15")
        }
    }

    @Test func invalidRequestsAreRefused() async throws {
        try await CollectorUnderTest.with { test async throws in
            for query in [
                "limit=0", "limit=201", "limit=x", "before=0", "before=-1", "host=a%20b", "host=%zz", "host=%ff",
                "result=7", "since=yesterday", "colour=red", "limit=1&limit=2", "limit", "&", "host=%27%20OR%201=1--",
            ] {
                let answer = try await test.request(.get, "/reports?\(query)")
                #expect(answer.status == 400, "\(query)")
                #expect(answer.error == "invalidQuery", "\(query)")
            }
            #expect(try await test.request(.get, "/reports/7").status == 404)
            #expect(try await test.request(.get, "/reports/-7").status == 404)
            #expect(try await test.request(.get, "/reports/99999999999999999999").status == 404)
            #expect(try await test.request(.get, "/").status == 404)
            #expect(try await test.request(.get, "/reports/../health").status == 404)
            let wrong = try await test.request(.delete, "/reports")
            #expect(wrong.status == 405)
            #expect(wrong.response.headerFields[.allow] == "GET, HEAD, POST")
            #expect(try await test.request(.get, "/trustkit/report").status == 405)
            #expect(try await test.request(.post, "/health").status == 405)
        }
    }

    // MARK: Access

    @Test func withATokenOnlyItsHolderReads() async throws {
        let uptime = Mutex<Int64>(0)
        try await CollectorUnderTest.with {
            $0.token = try ReaderToken("  0123456789abcdef\n")
            $0.limits.burst = 10
            $0.uptime = { uptime.withLock(\.self) }
        } _: { test async throws in
            for value in [
                nil, "", "Bearer", "Bearer ", "Bearer 0123456789abcdeF", "Bearer  0123456789abcdef",
                "Basic 0123456789abcdef", "0123456789abcdef",
            ] {
                var headers = HTTPFields()
                headers[.authorization] = value
                let answer = try await test.request(.get, "/reports", headers: headers)
                #expect(answer.status == 401, "\(value ?? "none")")
                #expect(answer.response.headerFields[.wwwAuthenticate] == "Bearer")
            }
            let good: HTTPFields = [.authorization: "bearer 0123456789abcdef"]
            for path in ["/reports", "/reports/summary"] {
                #expect(try await test.request(.get, path, headers: good).status == 200)
                #expect(try await test.request(.get, path).status == 401)
            }
            // Guessing is limited by address: after too many attempts, a correct guess is refused, too.
            #expect(try await test.request(.get, "/reports/1").status == 429)
            let limited = try await test.request(.get, "/reports/1", headers: good)
            #expect(limited.status == 429)
            #expect(limited.response.headerFields[.retryAfter] == "1")
            #expect(try await test.request(.get, "/health").status == 200)
            // A correct token costs nothing, so that its holder can read as soon as the address may try again.
            uptime.withLock { $0 += 1_000_000_000 }
            for _ in 0..<20 {
                #expect(try await test.request(.get, "/reports/1", headers: good).status == 404)
            }
        }
    }

    @Test func withoutATokenOnlyThisMachineReads() async throws {
        try await CollectorUnderTest.with { test async throws in
            #expect(try await test.request(.get, "/reports", host: "localhost").status == 200)
            // A foreign page's host name that resolves to loopback, and a missing name.
            for host in [
                "Host: evil.example", "Host: localhost.evil.example", "Host: 192.0.2.1:80", "Host:", "X: y",
                "Host: localhost:1@evil.com", "Host: 127.0.0.1:1#evil.com", "Host: localhost\r\nHost: evil.com",
                "Host: localhost\r\nHost: localhost", "Host: localhost:80:80", "Host: localhost/", "Host: local%68ost",
            ] {
                let peer = try await RawPeer.connect(to: test.address.port)
                try await peer.send(Array("GET /reports HTTP/1.1\r\n\(host)\r\nConnection: close\r\n\r\n".utf8))
                let answer = try await peer.everything()
                #expect(answer.hasPrefix("HTTP/1.1 403 "), "\(host): \(answer)")
                #expect(!answer.contains("\"reports\""), "\(host)")
            }
            for field in ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "Via", "X-Real-IP"] {
                var headers = HTTPFields()
                if let name = HTTPField.Name(field) { headers[name] = "192.0.2.1" }
                #expect(try await test.request(.get, "/reports", headers: headers).error == "forbidden", "\(field)")
            }
        }
    }

    /// Where a reverse proxy is likely, requests from loopback may come from anywhere: nginx's plain `proxy_pass`
    /// neither identifies itself nor keeps the requested host name.
    @Test func readingBehindAProxyNeedsAToken() async throws {
        let cases: [(host: String, burst: Int, isAllowed: Bool, status: Int)] = [
            ("127.0.0.1", 60, false, 200), ("127.0.0.1", 0, false, 403), ("0.0.0.0", 60, false, 403),
            ("127.0.0.1", 0, true, 200), ("0.0.0.0", 60, true, 200),
        ]
        for (host, burst, isAllowed, status) in cases {
            try await CollectorUnderTest.with {
                $0.dangerouslyAllowsCleartext = true
                $0.host = host
                $0.limits.burst = burst
                $0.dangerouslyAllowsReadingWithoutToken = isAllowed
            } _: { test async throws in
                let answer = try await test.request(.get, "/reports", host: "localhost")
                #expect(answer.status == status, "\(host) \(burst) \(isAllowed)")
                #expect(try await test.request(.get, "/health", host: "localhost").status == 200)
            }
        }
    }

    @Test func aTokenIsNeverShown() throws {
        let token = try ReaderToken("s3cret-s3cret-s3cret")
        var text = ""
        dump(token, to: &text)
        #expect(!"\(token) \(text) \(String(reflecting: token))".contains("s3cret"))
        for bad in ["", "short", "with space in between", "täglich-neu-gemacht"] {
            do throws(ReportCollectorError) {
                _ = try ReaderToken(bad)
                Issue.record("taken: \(bad)")
            } catch {
                #expect(error.code == .unusableToken)
                #expect(bad.isEmpty || !error.reason.contains(bad))
            }
        }
    }
}
