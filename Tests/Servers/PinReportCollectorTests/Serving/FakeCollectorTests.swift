import Foundation
import HTTPTypes
import HoldfastTestKit
import HoldfastTransport
import HoldfastTrust
import PinReportCollector
import Testing

/// The test kit's collector refuses what this collector refuses. Otherwise an app's test could pass with reports that
/// production refuses.
@Suite("The collector and the test kit's collector", .timeLimit(.minutes(1)))
struct FakeCollectorTests {
    /// A request with a report.
    struct Posting: Sendable {
        var name: String
        var status: Int
        var body: [UInt8]
        var path = "/reports"
        var method = HTTPRequest.Method.post
        var fields: HTTPFields = [.contentType: "application/json"]
    }

    let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    /// Returns a report of TrustKit with one other value; `nil` removes the field.
    private func report(_ field: String, _ value: (any Sendable)?) throws -> [UInt8] {
        var report = sample.trustKit
        report[field] = value
        return try Sample.bytes(report)
    }

    private func postings() throws -> [Posting] {
        let valid = try Sample.bytes(sample.trustKit)
        let limit = ReportCollectorLimits().bodyBytes
        var postings = [
            Posting(name: "valid", status: 201, body: valid),
            Posting(name: "RFC 7469", status: 201, body: try Sample.bytes(sample.hpkp)),
            Posting(name: "Android", status: 201, body: try Sample.bytes(sample.android)),
            Posting(name: "no JSON", status: 400, body: []),
            Posting(name: "no object", status: 400, body: Array("[]".utf8)),
            Posting(name: "empty object", status: 400, body: Array("{}".utf8)),
            Posting(name: "nested too deeply", status: 400, body: Array(repeating: 0x5B, count: 100_000)),
            Posting(name: "largest body", status: 400, body: Array(repeating: 0x20, count: limit)),
            Posting(name: "body too large", status: 413, body: Array(repeating: 0x20, count: limit + 1)),
            Posting(name: "valid, but too large", status: 413, body: valid + Array(repeating: 0x20, count: limit)),
            Posting(name: "query", status: 400, body: valid, path: "/reports?a=b"),
            Posting(name: "other path", status: 404, body: valid, path: "/report"),
            Posting(name: "PUT", status: 405, body: valid, method: .put),
            Posting(name: "no type", status: 415, body: valid, fields: [:]),
            Posting(
                name: "charset", status: 201, body: valid, fields: [.contentType: "application/json; charset=UTF-8"]),
            Posting(
                name: "gzip", status: 415, body: valid,
                fields: [.contentType: "application/json", .contentEncoding: "gzip"]),
        ]
        for type in ["text/plain", "application/json; charset=utf-16", "application/x-www-form-urlencoded"] {
            postings.append(Posting(name: type, status: 415, body: valid, fields: [.contentType: type]))
        }
        let identifier = try #require(HTTPField.Name("Holdfast-Report-ID"))
        for id in ["a b", "a/b", String(repeating: "a", count: 129)] {
            postings.append(
                Posting(
                    name: "identifier \(id)", status: 400, body: valid,
                    fields: [.contentType: "application/json", identifier: id]))
        }
        for (body, status) in [(valid, 201), (valid, 200), (try sample.numbered(7), 409)] {
            postings.append(
                Posting(
                    name: "the same identifier", status: status, body: body,
                    fields: [.contentType: "application/json", identifier: "7f3a"]))
        }
        for name in ReportReaderTests.required {
            postings.append(Posting(name: "no \(name)", status: 400, body: try report(name, nil)))
        }
        for (name, value) in ReportReaderTests.badValues {
            postings.append(Posting(name: "\(name): \(value)", status: 400, body: try report(name, value)))
        }
        for pin in ReportReaderTests.badPins {
            postings.append(Posting(name: "pin \(pin)", status: 400, body: try report("known-pins", [pin])))
        }
        let manyPins = Array(repeating: "pin-sha256=\"\(SPKIDigest(hashing: [1]).base64)\"", count: 201)
        let manyCertificates = Array(repeating: sample.leaf.certificatePEM, count: 21)
        let excessive: [(String, any Sendable)] = [
            ("known-pins", manyPins), ("validated-certificate-chain", manyCertificates),
            ("validated-certificate-chain", ["no PEM"]), ("app-version", String(repeating: "1", count: 513)),
        ]
        for (name, value) in excessive {
            postings.append(Posting(name: "\(name)", status: 400, body: try report(name, value)))
        }
        var manyMembers = sample.trustKit
        for number in 0..<17 { manyMembers["field-\(number)"] = number }
        postings.append(Posting(name: "unknown fields", status: 400, body: try Sample.bytes(manyMembers)))
        return postings
    }

    @Test func bothRefuseTheSame() async throws {
        let postings = try postings()
        let fake = try await FakeReportCollector.start()
        let url = try #require(URL(string: fake.url))
        try await CollectorUnderTest.with {
            $0.limits.burst = 0
            // Without an identifier, equal bytes are stored again after this time.
            $0.limits.repetitionWindow = .nanoseconds(1)
        } _: { test async throws in
            for posting in postings {
                let answer = try await test.request(
                    posting.method, posting.path, headers: posting.fields, body: .bytes(posting.body))
                #expect(answer.status == posting.status, "the collector: \(posting.name)")
                let request = HTTPRequest(
                    method: posting.method, scheme: "http", authority: "\(url.host() ?? ""):\(url.port ?? 0)",
                    path: posting.path, headerFields: posting.fields)
                let other = try await test.http.collect(request, body: .bytes(posting.body), upTo: 1 << 16)
                #expect(other.status == posting.status, "the fake collector: \(posting.name)")
                if [400, 409, 413, 415].contains(posting.status) {
                    #expect(answer.error != nil && other.error == answer.error, "\(posting.name)")
                }
            }
        }
        let stored = postings.filter { $0.status == 201 }
        #expect(fake.reports.map(\.body) == stored.map(\.body))
        await fake.stop()
    }
}
