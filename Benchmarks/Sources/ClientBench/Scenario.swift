import ArgumentParser

/// A scenario to measure: protocol, protection, size of the body, and number of concurrent requests.
struct Scenario: Hashable, Sendable, Codable {
    /// The HTTP version.
    enum Version: String, Hashable, Sendable, Codable, CaseIterable, ExpressibleByArgument {
        case http1, http2
    }

    /// The size of the response's body.
    enum Body: String, Hashable, Sendable, Codable, CaseIterable {
        case small = "200B"
        case large = "1MiB"

        var count: Int {
            switch self {
            case .small: 200
            case .large: 1 << 20
            }
        }

        var path: String { "/" + rawValue }
    }

    var version: Version
    var isSecure: Bool
    var body: Body
    var concurrency: Int
    /// The maximum number of connections; by default, the number of concurrent requests. HTTP/2 uses one connection.
    var connections: Int
    /// The number of HTTP/2 connections over which Holdfast distributes the requests by load. The others use one.
    var spread = 1
    /// Whether every request opens its own connection.
    var isFresh = false

    /// The name for `--only` and the report.
    var name: String {
        var parts = [version.rawValue, isSecure ? "tls" : "plain", body.rawValue, "c\(concurrency)"]
        if isFresh { parts.append("fresh") }
        if !isFresh, version == .http1, connections != concurrency { parts.append("over\(connections)") }
        if spread > 1 { parts.append("over\(spread)") }
        return parts.joined(separator: "-")
    }

    /// The scenarios of a standard run.
    static var standard: [Scenario] {
        var all: [Scenario] = []
        for (version, isSecure) in [(Version.http1, false), (.http1, true), (.http2, true)] {
            func add(
                _ body: Body, _ concurrency: Int, over connections: Int? = nil, spread: Int = 1, isFresh: Bool = false
            ) {
                all.append(
                    Scenario(
                        version: version, isSecure: isSecure, body: body, concurrency: concurrency,
                        connections: connections ?? concurrency, spread: spread, isFresh: isFresh))
            }
            for concurrency in [1, 32, 256] { add(.small, concurrency) }
            if version == .http1 { add(.small, 256, over: 8) }
            if version == .http2 { add(.small, 256, spread: 4) }
            for concurrency in [1, 32] { add(.large, concurrency) }
            if version == .http2 { add(.large, 32, spread: 4) }
            if version == .http1, isSecure { add(.small, 8, isFresh: true) }
        }
        return all
    }
}
