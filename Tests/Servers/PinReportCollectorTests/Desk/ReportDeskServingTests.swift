import Foundation
import HTTPTypes
import HoldfastTransport
import Synchronization
import Testing

@testable import PinReportCollector

/// Signing in, forms, exports and headers of a running desk.
@Suite("Serving the report desk", .timeLimit(.minutes(1)))
struct ReportDeskServingTests {
    private static let token = "0123456789abcdef0123456789abcdef"

    /// A browser with cookies, without the parts that refuse requests.
    private final class Browser: Sendable {
        let desk: CollectorUnderTest
        private let jar: Mutex<[String: String]>

        init(desk: CollectorUnderTest, cookies: [String: String] = [:]) {
            self.desk = desk
            jar = Mutex(cookies)
        }

        var cookies: [String: String] { jar.withLock { $0 } }

        func get(_ path: String, headers: HTTPFields = [:]) async throws -> CollectedResponse {
            try await send(.get, path, headers)
        }

        func post(
            _ path: String, _ fields: [(String, String)], headers: HTTPFields = [:]
        ) async throws -> CollectedResponse {
            var headers = headers
            headers[.contentType] = "application/x-www-form-urlencoded"
            let text = fields.map {
                "\($0.0)=\($0.1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
            }
            return try await send(.post, path, headers, body: .bytes(Array(text.joined(separator: "&").utf8)))
        }

        private func send(
            _ method: HTTPRequest.Method, _ path: String, _ extra: HTTPFields, body: HTTPBody? = nil
        ) async throws -> CollectedResponse {
            var headers = extra
            let sent = cookies
            if !sent.isEmpty {
                headers[.cookie] = sent.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
            }
            let response = try await desk.request(method, path, headers: headers, body: body)
            for line in response.response.headerFields[values: .setCookie] {
                let pair = line.split(separator: ";")[0].split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let (name, value) = (String(pair[0]), pair[1].isEmpty ? nil : String(pair[1]))
                jar.withLock { $0[name] = value }
            }
            return response
        }

        /// Signs in, and returns the token of the session's forms.
        func signIn(_ secret: (String, String), name: String = "Ada") async throws -> String {
            let page = try await get("/desk/sign-in")
            let answer = try await post("/desk/sign-in", [("form", try page.field("form")), ("name", name), secret])
            #expect(answer.status == 303)
            return try await get("/desk/incidents").field("form")
        }
    }

    private func withDesk(
        _ configure: @escaping @Sendable (inout ReportCollectorConfiguration) throws -> Void = {
            $0.token = try ReaderToken(Self.token)
        },
        _ body: @escaping @Sendable (CollectorUnderTest, Browser) async throws -> Void
    ) async throws {
        try await CollectorUnderTest.with(configure) { desk in
            let sample = try Sample.shared.get()
            #expect(try await desk.post(sample.numbered(1)).status == 201)
            try await body(desk, Browser(desk: desk))
        }
    }

    // MARK: Signing in

    @Test func theReadersTokenSignsAPersonIn() async throws {
        try await withDesk { _, browser in
            #expect(try await browser.get("/desk/incidents", headers: [.accept: "text/html"]).status == 303)
            _ = try await browser.signIn(("token", Self.token))
            let page = try await browser.get("/desk/incidents")
            #expect(page.status == 200)
            #expect(page.text.contains("<bdi>\(Sample.host)</bdi>"))
            #expect(page.text.contains("Signed in as <bdi>Ada</bdi>"))
        }
    }

    @Test func cookiesAreForThisHostAndHiddenFromScripts() async throws {
        try await withDesk { desk, browser in
            let page = try await browser.get("/desk/sign-in")
            let answer = try await browser.post(
                "/desk/sign-in", [("form", try page.field("form")), ("name", "Ada"), ("token", Self.token)])
            let cookies = answer.response.headerFields[values: .setCookie]
            #expect(cookies.count == 2)
            for cookie in cookies {
                #expect(cookie.contains("; HttpOnly; SameSite=Strict"))
                #expect(cookie.contains("Path=/"))
                #expect(!cookie.contains("Domain"))
            }
        }
    }

    @Test func aWrongTokenIsRefusedAndLimited() async throws {
        try await withDesk({
            $0.token = try ReaderToken(Self.token)
            $0.limits.burst = 3
        }) { _, browser in
            var statuses: [Int] = []
            for _ in 0..<5 {
                let page = try await browser.get("/desk/sign-in")
                let answer = try await browser.post(
                    "/desk/sign-in", [("form", try page.field("form")), ("name", "Ada"), ("token", "wrong")])
                statuses.append(answer.status)
            }
            #expect(statuses == [403, 403, 403, 429, 429])
            // Now the right token is refused, too.
            let page = try await browser.get("/desk/sign-in")
            let answer = try await browser.post(
                "/desk/sign-in", [("form", try page.field("form")), ("name", "Ada"), ("token", Self.token)])
            #expect(answer.status == 429)
        }
    }

    @Test func theAddressOfTheDeskSignsInOnce() async throws {
        try await withDesk({ _ in }) { desk, browser in
            let url = try #require(desk.collector.deskURL(at: desk.address))
            let path = url.replacing(desk.address.url, with: "")
            // Loading the address has no effect: browsers load addresses before a person opens them.
            for _ in 0..<3 { #expect(try await browser.get(path).status == 200) }
            let once = try #require(path.split(separator: "=").last.map(String.init))
            _ = try await browser.signIn(("once", once))
            let other = Browser(desk: desk)
            let page = try await other.get("/desk/sign-in")
            let answer = try await other.post(
                "/desk/sign-in", [("form", try page.field("form")), ("name", "Eve"), ("once", once)])
            #expect(answer.status == 403)
        }
    }

    @Test func aSignInFormNeedsItsCookieAndAName() async throws {
        try await withDesk { desk, browser in
            var form = try await browser.get("/desk/sign-in").field("form")
            for name in ["", "   ", "a\u{202E}b", String(repeating: "x", count: 61)] {
                let answer = try await browser.post(
                    "/desk/sign-in", [("form", form), ("name", name), ("token", Self.token)])
                #expect(answer.status == 422, "\(name.debugDescription)")
                // The refusal has a new form.
                form = try answer.field("form")
            }
            let other = Browser(desk: desk)
            let answer = try await other.post(
                "/desk/sign-in", [("form", form), ("name", "Ada"), ("token", Self.token)])
            #expect(answer.status == 403)
        }
    }

    @Test func withoutATokenOnlyThisMachineMayUseTheDesk() async throws {
        try await withDesk({ _ in }) { desk, browser in
            #expect(try await browser.get("/desk/sign-in").status == 200)
            let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
            #expect(try await browser.get("/desk/sign-in", headers: [forwarded: "192.0.2.1"]).status == 403)
        }
    }

    // MARK: Changes

    @Test func aStateChangesWithTheTokenOfTheSession() async throws {
        try await withDesk { _, browser in
            let form = try await browser.signIn(("token", Self.token), name: "Grace")
            let path = "/desk/incidents/1/state"
            #expect(try await browser.post(path, [("state", "acknowledged")]).status == 403)
            #expect(try await browser.post(path, [("state", "acknowledged"), ("form", "f0")]).status == 403)
            #expect(try await browser.post(path, [("state", "new"), ("form", form)]).status == 409)
            #expect(try await browser.post(path, [("state", "open"), ("form", form)]).status == 400)
            #expect(try await browser.post(path, [("state", "acknowledged"), ("form", form)]).status == 303)
            let page = try await browser.get("/desk/incidents/1")
            #expect(page.text.contains("acknowledged, by <bdi>Grace</bdi>"))
            #expect(
                try await browser.post("/desk/incidents/99/state", [("state", "resolved"), ("form", form)]).status
                    == 409)
        }
    }

    @Test func pagesOfOtherOriginsCanChangeNothing() async throws {
        try await withDesk { desk, browser in
            let form = try await browser.signIn(("token", Self.token))
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let origin = try #require(HTTPField.Name("Origin"))
            for headers: HTTPFields in [
                [site: "cross-site"], [site: "same-site"], [origin: "https://evil.example"],
                [origin: "http://127.0.0.1:1"],
            ] {
                let answer = try await browser.post(
                    "/desk/incidents/1/state", [("state", "acknowledged"), ("form", form)], headers: headers)
                #expect(answer.status == 403, "\(headers)")
            }
            let own: HTTPFields = [site: "same-origin", origin: desk.address.url]
            let answer = try await browser.post(
                "/desk/incidents/1/state", [("state", "acknowledged"), ("form", form)], headers: own)
            #expect(answer.status == 303)
        }
    }

    @Test func signingOutEndsTheSession() async throws {
        try await withDesk { desk, browser in
            let form = try await browser.signIn(("token", Self.token))
            let thief = Browser(desk: desk, cookies: browser.cookies)
            #expect(try await browser.post("/desk/sign-out", [("form", form)]).status == 303)
            #expect(!browser.cookies.keys.contains { $0.hasSuffix("holdfast-desk-\(desk.address.port)") })
            #expect(try await thief.get("/desk/incidents").status == 303)
            #expect(try await thief.get("/desk/incidents.json").status == 401)
        }
    }

    @Test func readingWithTheWrongMethodChangesNothing() async throws {
        try await withDesk { _, browser in
            _ = try await browser.signIn(("token", Self.token))
            #expect(try await browser.get("/desk/incidents/1/state").status == 405)
            #expect(try await browser.get("/desk/sign-out").status == 405)
            #expect(try await browser.post("/desk/incidents", []).status == 405)
        }
    }

    // MARK: Pages, exports and headers

    @Test func everyResponseHasAStrictPolicy() async throws {
        try await withDesk { _, browser in
            _ = try await browser.signIn(("token", Self.token))
            for path in [
                "/desk/incidents", "/desk/incidents/1", "/desk/reports/1", "/desk/roll-outs", "/desk/incidents.json",
                "/desk/nothing", "/desk/sign-in", "/desk/desk.js", "/desk/incidents?state=open",
            ] {
                let fields = try await browser.get(path).response.headerFields
                let policy = try #require(fields[.contentSecurityPolicy])
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"), "\(path)")
                #expect(!policy.contains("unsafe"))
                #expect(policy.contains("frame-ancestors 'none'"))
                #expect(fields[.xContentTypeOptions] == "nosniff", "\(path)")
                #expect(fields[.cacheControl] == "no-store", "\(path)")
            }
        }
    }

    @Test func filesWithTheirDigestMayBeKept() async throws {
        try await withDesk { _, browser in
            let page = try await browser.get("/desk/sign-in")
            let address = try #require(page.text.firstMatch(of: /href="(\/desk\/desk\.css\?v=[0-9a-f]+)"/)).1
            let fields = try await browser.get(String(address)).response.headerFields
            #expect(fields[.cacheControl]?.contains("immutable") == true)
            #expect(try await browser.get("/desk/desk.css?v=0").response.headerFields[.cacheControl] == "no-store")
        }
    }

    @Test func programsReadExportsWithTheToken() async throws {
        try await withDesk { desk, browser in
            #expect(try await browser.get("/desk/incidents.json").status == 401)
            #expect(
                try await browser.get("/desk/incidents.json", headers: [.authorization: "Bearer wrong"]).status == 401)
            let token: HTTPFields = [.authorization: "Bearer \(Self.token)"]
            let json = try await browser.get("/desk/incidents.json?limit=1", headers: token)
            #expect(try json.object.list("incidents").map { $0["host"]?.text } == [Sample.host])
            let csv = try await browser.get("/desk/incidents.csv", headers: token)
            #expect(csv.response.headerFields[.contentDisposition] == "attachment; filename=\"incidents.csv\"")
            #expect(csv.text.hasPrefix("id,app,host,"))
            #expect(csv.text.contains(Sample.host))
            let one = try await browser.get("/desk/incidents/1.json", headers: token)
            #expect(try one.object.list("diagnoses").isEmpty == false)
            #expect(try await browser.get("/desk/reports/1.json", headers: token).object["report"] != nil)
            // Pages are for people only.
            #expect(try await browser.get("/desk/incidents", headers: token).status == 303)
        }
    }

    @Test func theDraftIsAFile() async throws {
        try await withDesk { _, browser in
            _ = try await browser.signIn(("token", Self.token))
            let page = try await browser.get("/desk/incidents/1")
            #expect(page.text.contains("data-kind=\"rotationToUnknownKey\""))
            let draft = try await browser.get("/desk/incidents/1/policy-draft.json")
            #expect(draft.response.headerFields[.contentDisposition] == "attachment; filename=\"policy-draft.json\"")
            #expect(try draft.object["holdfast"]?.number == 1)
        }
    }

    @Test func missingThingsAreNotFound() async throws {
        try await withDesk { _, browser in
            _ = try await browser.signIn(("token", Self.token))
            for path in ["/desk/incidents/99", "/desk/reports/99", "/desk/x", "/desk/incidents/99/policy-draft.json"] {
                #expect(try await browser.get(path).status == 404, "\(path)")
            }
        }
    }

    @Test func aDisabledDeskIsNotThere() async throws {
        try await withDesk({ $0.desk.isEnabled = false }) { desk, browser in
            let status = try await browser.get("/desk").status
            #expect(status == 404)
            #expect(desk.collector.deskURL(at: desk.address) == nil)
        }
    }

    // MARK: Metrics

    @Test func metricsHaveATokenOfTheirOwn() async throws {
        let metrics = "fedcba9876543210fedcba9876543210"
        try await withDesk({
            $0.token = try ReaderToken(Self.token)
            $0.desk.metricsToken = try ReaderToken(metrics)
        }) { _, browser in
            #expect(try await browser.get("/metrics").status == 401)
            #expect(try await browser.get("/metrics", headers: [.authorization: "Bearer \(Self.token)"]).status == 401)
            let answer = try await browser.get("/metrics", headers: [.authorization: "Bearer \(metrics)"])
            #expect(answer.status == 200)
            #expect(answer.text.contains("holdfast_collector_reports_total{outcome=\"stored\"} 1\n"))
            #expect(answer.text.contains("holdfast_collector_incidents{state=\"new\"} 1\n"))
        }
    }

    @Test func withoutATokenOnlyThisMachineReadsMetrics() async throws {
        try await withDesk { _, browser in
            #expect(try await browser.get("/metrics").status == 200)
            let via = try #require(HTTPField.Name("Via"))
            #expect(try await browser.get("/metrics", headers: [via: "1.1 proxy"]).status == 403)
        }
    }

    // MARK: Configuration

    @Test func theOriginBehindAProxyIsThatOfTheConfiguration() async throws {
        try await withDesk({
            $0.token = try ReaderToken(Self.token)
            $0.desk.origin = "https://desk.example.com"
        }) { desk, browser in
            // With a token, the address contains no secret.
            #expect(desk.collector.deskURL(at: desk.address) == "https://desk.example.com/desk")
            let cookie = try await browser.get("/desk/sign-in").response.headerFields[.setCookie]
            #expect(cookie?.hasPrefix("__Host-") == true)
            #expect(cookie?.contains("; Secure") == true)
        }
    }

    @Test func unusableSettingsAreRefused() throws {
        var configuration = ReportCollectorConfiguration()
        configuration.desk.origin = "desk.example.com"
        #expect(throws: ReportCollectorError.self) { try ReportCollector(configuration: configuration) }
        configuration.desk.origin = nil
        configuration.intakePaths = ["/desk/reports"]
        #expect(throws: ReportCollectorError.self) { try ReportCollector(configuration: configuration) }
        configuration.intakePaths = ["/metrics"]
        #expect(throws: ReportCollectorError.self) { try ReportCollector(configuration: configuration) }
        #expect(throws: ReportCollectorError.self) { try ReportDeskPolicy(name: "x", contents: Array("{}".utf8)) }
    }
}

extension CollectedResponse {
    /// The body as text.
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of a hidden field of the page's first form with it.
    fileprivate func field(_ name: String) throws -> String {
        let parts = text.components(separatedBy: "name=\"\(name)\" value=\"")
        guard parts.count > 1, let value = parts[1].split(separator: "\"").first else { throw MissingField() }
        return String(value)
    }
}

private struct MissingField: Error {}
