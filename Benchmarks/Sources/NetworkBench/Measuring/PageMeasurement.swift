import BenchSupport

/// Measures a page from a cold start.
struct PageMeasurement {
    let network: Network
    let page: Page
    let version: HTTPVersion
    let rounds: Int

    func run(_ clients: [any Client], _ site: NetworkSite) async throws -> [Figure] {
        var results = Rounds(rounds)
        try await PageServer.with(.pages(version), site) { server in
            try await results.run(clients) { client in
                try await Relay.with(to: server.port, through: network.profile) { relay in
                    let milliseconds = try await client.page(page, version, at: Address(port: relay.port))
                    let counts = relay.traffic.counts
                    return [milliseconds, Double(counts.connections), Double(counts.down) / 1000]
                }
            }
        }
        let title =
            "page of \(page.sizes.count) requests, \(Number.text(Double(page.bytes) / 1000)) kB, \(version.rawValue)"
        return results.figures(
            clients, [(title, "ms"), ("… connections", ""), ("… bytes down", "kB")])
    }
}

/// Measures the time to the first byte of a response after a cold start: TCP, TLS and the request.
struct FirstByteMeasurement {
    let network: Network
    let rounds: Int

    func run(_ clients: [any Client], _ site: NetworkSite) async throws -> [Figure] {
        var results = Rounds(rounds)
        try await PageServer.with(.pages(.http1), site) { server in
            try await results.run(clients) { client in
                try await Relay.with(to: server.port, through: network.profile) { relay in
                    [try await client.firstByte(at: Address(port: relay.port))]
                }
            }
        }
        return results.figures(clients, [("first byte after a cold start", "ms")])
    }
}
