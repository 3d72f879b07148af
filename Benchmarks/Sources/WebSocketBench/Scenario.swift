/// One thing that is measured: which end, over what, with messages of what size, and how many at a time.
struct Scenario: Hashable, Sendable, Codable {
    /// The end that is compared. The other one is the same for all.
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
        /// One connection, and one message at a time: how long does it take to come back?
        case pingPong = "ping-pong"
        /// Several connections with several messages under way on each: how many pass?
        case flood
    }

    var role: Role
    var isSecure: Bool
    var deflates: Bool
    var size: Size
    var load: Load

    var connections: Int { load == .pingPong ? 1 : 8 }

    /// How many messages are under way on each connection.
    var window: Int {
        switch (load, size) {
        case (.pingPong, _): 1
        case (.flood, .small), (.flood, .medium): 32
        case (.flood, .large): 4
        }
    }

    /// How `--only` and the report name it.
    var name: String {
        var parts = [role.rawValue, isSecure ? "tls" : "plain"]
        if deflates { parts.append("deflate") }
        return (parts + [size.rawValue, load.rawValue]).joined(separator: "-")
    }

    /// Everything that a standard run measures.
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
