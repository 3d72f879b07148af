import ChatWire
import Foundation
import HTTPTypes
import HoldfastTransport
import Testing

@testable import ChatDevServer

/// A person's browser at the desk of a server under test: a cookie, and the token of the forms.
struct DeskClient: Sendable {
    static let token = "0123456789abcdef"

    let subject: ServerUnderTest
    var cookie: String?
    var form: String

    /// Runs a server with a desk and without a bot.
    static func serving<R: Sendable>(
        _ configure: (inout ChatDevServerConfiguration) -> Void = { _ in },
        _ body: (ServerUnderTest) async throws -> R
    ) async throws -> R {
        let token = try OperatorToken(token)
        return try await ServerUnderTest.with(
            {
                $0.operatorToken = token
                $0.isBotEnabled = false
                configure(&$0)
            }, body)
    }

    /// Signs in.
    init(_ subject: ServerUnderTest, as name: String = "Ada") async throws {
        self.subject = subject
        let answer = try await Self.signIn(subject, name: name, token: Self.token)
        #expect(answer.status == 303)
        let session: String = try #require(Self.cookie("desk", in: answer))
        cookie = session
        form = ""
        form = try #require(Self.meta("desk-form", in: try await page()))
    }

    /// Fills in the sign-in form as a browser does.
    static func signIn(
        _ subject: ServerUnderTest, name: String, token: String, headers: HTTPFields = [:]
    ) async throws -> CollectedResponse {
        let page = try await subject.request(.get, "/desk/sign-in", headers: [.accept: "text/html"])
        let cookie = try #require(Self.cookie("desk-form", in: page))
        var headers = headers
        headers[.cookie] = "desk-form-\(subject.address.port)=\(cookie)"
        headers[.accept] = "text/html"
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await subject.request(
            .post, "/desk/sign-in", headers: headers,
            body: .bytes(Array(encoded(["form": cookie, "name": name, "token": token]).utf8)))
    }

    // MARK: Requests

    /// The fields that a browser sends with each request.
    func headers(_ more: HTTPFields = [:]) -> HTTPFields {
        var headers = more
        if let cookie { headers[.cookie] = "other=1; desk-\(subject.address.port)=\(cookie)" }
        if headers[.accept] == nil { headers[.accept] = "text/html,application/xhtml+xml" }
        return headers
    }

    func get(_ path: String, _ more: HTTPFields = [:]) async throws -> CollectedResponse {
        try await subject.request(.get, path, headers: headers(more))
    }

    /// Returns the text of a page.
    func page(_ path: String = "/desk") async throws -> String {
        let answer = try await get(path)
        #expect(answer.status == 200, "\(path)")
        return String(decoding: answer.body, as: UTF8.self)
    }

    /// Sends a form without files. `form: nil` leaves out the token.
    func post(
        _ action: String, _ fields: [String: String] = [:], client: String = "alice", form: String? = "",
        headers more: HTTPFields = [:]
    ) async throws -> CollectedResponse {
        var fields = fields
        if let form { fields["form"] = form.isEmpty ? self.form : form }
        var headers = headers(more)
        headers[.contentType] = "application/x-www-form-urlencoded"
        let path = "/desk/conversations/\(ChatDialect.percentEncoded(client))/\(action)"
        return try await subject.request(
            .post, path, headers: headers, body: .bytes(Array(Self.encoded(fields).utf8)))
    }

    /// Sends a reply as a browser does.
    func reply(
        _ text: String, id: String = "0f", client: String = "alice", more: [String: String] = [:],
        files: [(name: String, type: String, bytes: [UInt8])] = [], form: String? = nil, headers: HTTPFields = [:]
    ) async throws -> CollectedResponse {
        var body: [UInt8] = []
        let boundary = ServerUnderTest.boundary
        func add(_ head: String, _ bytes: [UInt8]) {
            body += Array("--\(boundary)\r\nContent-Disposition: form-data; \(head)\r\n\r\n".utf8) + bytes
            body += Array("\r\n".utf8)
        }
        add("name=\"form\"", Array((form ?? self.form).utf8))
        add("name=\"id\"", Array(id.utf8))
        for (name, value) in more.sorted(by: { $0.key < $1.key }) { add("name=\"\(name)\"", Array(value.utf8)) }
        add("name=\"text\"", Array(text.utf8))
        if files.isEmpty { add("name=\"file\"; filename=\"\"\r\nContent-Type: application/octet-stream", []) }
        for file in files {
            add("name=\"file\"; filename=\"\(file.name)\"\r\nContent-Type: \(file.type)", file.bytes)
        }
        body += Array("--\(boundary)--\r\n".utf8)
        var headers = self.headers(headers)
        headers[.contentType] = "multipart/form-data; boundary=\(boundary)"
        return try await subject.request(
            .post, "/desk/conversations/\(ChatDialect.percentEncoded(client))/replies", headers: headers,
            body: .bytes(body))
    }

    // MARK: The stream

    /// An event of a stream.
    struct Event: Sendable {
        var id: String?
        var data: JSONObject

        var kind: String? { data["kind"]?.stringValue }
        var html: String { data["html"]?.stringValue ?? "" }
    }

    /// Reads a stream until a condition holds. `whenOpen` runs after the first event, while the stream is open.
    func follow(
        client: String? = "alice", after: String, headers more: HTTPFields = [:],
        until isDone: ([Event]) -> Bool, whenOpen: () async throws -> Void = {}
    ) async throws -> [Event] {
        let query = "after=\(after)" + (client.map { "&client=" + ChatDialect.percentEncoded($0) } ?? "")
        let request = HTTPRequest(
            method: .get, scheme: subject.address.isSecure ? "https" : "http",
            authority: "\(subject.address.host):\(subject.address.port)", path: "/desk/events?" + query,
            headerFields: headers(more))
        return try await subject.http.execute(request) { response, body in
            #expect(response.status.code == 200)
            #expect(response.headerFields[.contentType]?.hasPrefix("text/event-stream") == true)
            var events: [Event] = []
            var text = ""
            var isOpen = false
            while !isDone(events), let part = try await body.next() {
                text += String(decoding: part, as: UTF8.self)
                var blocks = text.components(separatedBy: "\n\n")
                text = blocks.removeLast()
                for block in blocks { if let event = try Self.event(block) { events.append(event) } }
                if !isOpen, !events.isEmpty {
                    isOpen = true
                    try await whenOpen()
                }
            }
            return events
        }
    }

    private static func event(_ block: String) throws -> Event? {
        var event = Event(data: [:])
        for line in block.split(separator: "\n") {
            if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
            if line.hasPrefix("data: ") {
                event.data = try #require(try JSONValue(parsing: String(line.dropFirst(6))).objectValue)
            }
        }
        return event.data.isEmpty ? nil : event
    }

    // MARK: Reading

    static func cookie(_ name: String, in response: CollectedResponse) -> String? {
        for line in response.response.headerFields[values: .setCookie] {
            let pair = line.prefix { $0 != ";" }.split(separator: "=")
            let port = pair[0].dropFirst(name.count + 1)
            guard pair.count == 2, pair[0].hasPrefix(name + "-"), port.allSatisfy(\.isNumber) else { continue }
            return String(pair[1])
        }
        return nil
    }

    static func meta(_ name: String, in page: String) -> String? {
        guard let start = page.firstRange(of: "<meta name=\"\(name)\" content=\"") else { return nil }
        return page[start.upperBound...].split(separator: "\"", maxSplits: 1).first.map(String.init)
    }

    static func encoded(_ fields: [String: String]) -> String {
        fields.sorted { $0.key < $1.key }
            .map { ChatDialect.percentEncoded($0.key) + "=" + ChatDialect.percentEncoded($0.value) }
            .joined(separator: "&")
    }
}

extension CollectedResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The code of a refusal as JSON.
    var refusal: String? { try? JSONValue(parsing: text).objectValue?["code"]?.stringValue }
}
