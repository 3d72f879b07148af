import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Foundation's client without its cache and cookies.
struct URLSessionContestant: Contestant {
    private let session: URLSession
    private let url: URL

    init(_ scenario: Scenario, _ site: Site, path: String) throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = scenario.connections
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.timeoutIntervalForRequest = 30
        configuration.timeoutIntervalForResource = 60
        self.session = URLSession(configuration: configuration)
        guard let url = URL(string: site.origin(scenario) + path) else { throw URLError(.badURL) }
        self.url = url
    }

    func get() async throws -> Int {
        try await session.data(from: url).0.count
    }

    func shutDown() {
        session.invalidateAndCancel()
    }
}
