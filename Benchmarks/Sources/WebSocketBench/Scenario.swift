/// A scenario to measure: end, protection, size of the messages, and number of concurrent messages.
struct Scenario: Hashable, Sendable, Codable {
    /// The compared end. The other end is the same for all contestants.
    enum Role: String, Hashable, Sendable, Codable, CaseIterable {
        case server, client
    }

    enum Size: String, Hashable, Sendable, Codable, CaseIterable {
        case small = "32B"
        case medium = "1KiB"
        case large = "64KiB"

        var count: Int {
            switch self {
            case .small: 32
            case .medium: 1 << 10
            case .large: 1 << 16
            }
        }
    }

    enum Load: String, Hashable, Sendable, Codable, CaseIterable {
        /// One connection, and one message at a time. The round-trip time is measured.
        case pingPong = "ping-pong"
        /// Several connections with several messages at a time. The number of messages is measured.
        case flood
    }

    var role: Role
    var isSecure: Bool
    var deflates: Bool
    var size: Size
    var load: Load

    var connections: Int { load == .pingPong ? 1 : 8 }

    /// The number of messages in flight on each connection.
    var window: Int {
        switch (load, size) {
        case (.pingPong, _): 1
        case (.flood, .small), (.flood, .medium): 32
        case (.flood, .large): 4
        }
    }

    /// The name for `--only` and the report.
    var name: String {
        var parts = [role.rawValue, isSecure ? "tls" : "plain"]
        if deflates { parts.append("deflate") }
        return (parts + [size.rawValue, load.rawValue]).joined(separator: "-")
    }

    /// The scenarios of a standard run.
    static var standard: [Scenario] {
        var all: [Scenario] = []
        for role in Role.allCases {
            for load in Load.allCases {
                for (isSecure, deflates) in [(false, false), (true, false), (false, true), (true, true)] {
                    for size in Size.allCases {
                        all.append(
                            Scenario(role: role, isSecure: isSecure, deflates: deflates, size: size, load: load))
                    }
                }
            }
        }
        return all
    }
}
