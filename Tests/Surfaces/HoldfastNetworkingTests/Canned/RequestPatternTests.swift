import Foundation
import HoldfastNetworking
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which requests a pattern matches.
@Suite struct RequestPatternTests {
    private func request(_ url: String, _ method: String? = nil) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        if let method { request.httpMethod = method }
        return request
    }

    @Test func literalsMatchExactly() throws {
        let pattern = RequestPattern(host: "api.example.com", path: "/a+b/(c)")
        #expect(pattern.matches(try request("https://api.example.com/a+b/(c)")))
        #expect(pattern.matches(try request("https://API.EXAMPLE.com/a+b/(c)?q=1")))
        #expect(!pattern.matches(try request("https://api.example.com/aab/(c)")))
        #expect(!pattern.matches(try request("https://api.example.com/a+b/(c)/d")))
        #expect(!pattern.matches(try request("https://api.example.com/x/a+b/(c)")))
        // A trailing line break does not count as the end.
        #expect(!pattern.matches(try request("https://api.example.com/a+b/(c)%0A")))
        #expect(RequestPattern(path: "/a/").matches(try request("https://h/a/")))
        #expect(RequestPattern(path: "/").matches(try request("https://h/")))
    }

    /// The attack on the modelled library, in which a host's name matched in the middle of a different name.
    @Test func onlyAWholeHostMatches() throws {
        let pattern = RequestPattern(host: "api.example.com", path: "/")
        #expect(!pattern.matches(try request("https://api.example.com.evil.net/")))
        #expect(!pattern.matches(try request("https://evil-api.example.com/")))
        #expect(!pattern.matches(try request("https://apixexample.com/")))
    }

    @Test func expressionsMatchAnywhere() throws {
        let pattern = RequestPattern(method: .post, hostRegex: "example", pathRegex: "/[0-9]+$")
        #expect(pattern.matches(try request("https://www.example.org/a/12", "POST")))
        #expect(!pattern.matches(try request("https://www.example.org/a/12", "GET")))
        #expect(!pattern.matches(try request("https://www.example.org/a/12x", "POST")))
        #expect(!pattern.matches(try request("https://www.else.org/a/12", "POST")))
        #expect(RequestPattern(method: .get, pathRegex: "^").matches(try request("https://h")))
    }

    @Test func anInvalidExpressionMatchesNothingAndIsReported() throws {
        let request = try request("https://h/((")
        for (pattern, error) in [
            (RequestPattern(pathRegex: "(("), RequestPatternError(part: .path, expression: "((")),
            (RequestPattern(hostRegex: "[", pathRegex: "x"), RequestPatternError(part: .host, expression: "[")),
            (
                RequestPattern(pathRegex: "a{99999999999}"),
                RequestPatternError(part: .path, expression: "a{99999999999}")
            ),
            (RequestPattern(pathRegex: "(?<"), RequestPatternError(part: .path, expression: "(?<")),
        ] {
            #expect(!pattern.matches(request))
            #expect(throws: error) { try pattern.match(request) }
            #expect(throws: error) { try pattern.validate() }
        }
        #expect(throws: Never.self) { try RequestPattern(path: "((").validate() }
    }

    @Test func aRequestWithoutAURLDoesNotMatch() throws {
        var request = try request("https://h/")
        request.url = nil
        #expect(!RequestPattern(pathRegex: "").matches(request))
    }
}
