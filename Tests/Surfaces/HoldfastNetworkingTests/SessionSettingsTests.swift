import Foundation
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which settings of a session's configuration are used, and which are refused instead of ignored.
@Suite struct SessionSettingsTests {
    private func request(timeout: TimeInterval? = nil) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "https://api.example.com/")))
        if let timeout { request.timeoutInterval = timeout }
        return request
    }

    @Test func theStandardConfigurationsAreAccepted() throws {
        for configuration in [URLSessionConfiguration.default, .ephemeral] {
            #expect(SessionSettings(configuration).unsupported == [])
            let (_, options) = try SessionSettings(configuration).applied(to: request())
            #expect(options.idleTimeout == .seconds(60))
            #expect(options.totalTimeout == .seconds(7 * 86_400))
        }
    }

    @Test func timeoutsAndConnectionLimitsAreUsed() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 7
        configuration.timeoutIntervalForResource = 70
        configuration.httpMaximumConnectionsPerHost = 3
        let settings = SessionSettings(configuration)
        #expect(settings.maximumConnectionsPerHost == 3)
        #expect(try settings.applied(to: request()).1.idleTimeout == .seconds(7))
        #expect(try settings.applied(to: request()).1.totalTimeout == .seconds(70))
        #expect(try settings.applied(to: request(timeout: 5)).1.idleTimeout == .seconds(5))
    }

    @Test(arguments: [Double.nan, -1, -Double.infinity, 0])
    func invalidTimeoutsDoNotTrap(seconds: Double) throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = seconds
        configuration.timeoutIntervalForResource = -seconds
        configuration.httpMaximumConnectionsPerHost = .min
        let settings = SessionSettings(configuration)
        #expect(settings.maximumConnectionsPerHost == 1)
        #expect(try settings.applied(to: request()).1.idleTimeout == .zero)
        #expect(try settings.applied(to: request(timeout: .infinity)).1.idleTimeout > .seconds(1_000_000))
    }

    @Test func additionalFieldsAreSentUnlessTheRequestSetsThem() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-App": "1", "Accept": "text/plain"]
        var own = try request()
        own.setValue("application/json", forHTTPHeaderField: "accept")
        let (sent, _) = try SessionSettings(configuration).applied(to: own)
        #expect(sent.value(forHTTPHeaderField: "X-App") == "1")
        #expect(sent.value(forHTTPHeaderField: "Accept") == "application/json")
    }

    private final class OwnProtocol: URLProtocol {}

    private static let unsupported: [String: @Sendable (URLSessionConfiguration) -> Void] = [
        "requestCachePolicy": { $0.requestCachePolicy = .returnCacheDataElseLoad },
        "networkServiceType": { $0.networkServiceType = .background },
        "allowsCellularAccess": { $0.allowsCellularAccess = false },
        "isDiscretionary": { $0.isDiscretionary = true },
        "connectionProxyDictionary": { $0.connectionProxyDictionary = ["HTTPSProxy": "proxy.example.com"] },
        "httpAdditionalHeaders": { $0.httpAdditionalHeaders = ["X-App": 1] },
        "protocolClasses": { $0.protocolClasses = [OwnProtocol.self] },
        "httpCookieStorage": { configuration in
            let cookie = HTTPCookie(properties: [.name: "a", .value: "b", .domain: "example.com", .path: "/"])
            if let cookie { configuration.httpCookieStorage?.setCookie(cookie) }
        },
    ]

    /// No setting is ignored silently: every request fails and names the property.
    @Test func unsupportedSettingsAreRefused() async throws {
        for (property, set) in Self.unsupported {
            let configuration = URLSessionConfiguration.ephemeral
            set(configuration)
            let error = UnsupportedConfigurationError(properties: [property])
            #expect(SessionSettings(configuration).unsupported == [property])
            try await ScriptedServer.with { _ in
                [.respond()]
            } _: { server in
                let transport = PinningTransport(pinnedDomains: [:], configuration: configuration)
                let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
                await #expect(throws: error) { try await transport.data(for: URLRequest(url: url)) }
                #expect(server.connectionCount == 0)
            }
        }
    }

    @Test func allUnsupportedSettingsAreNamed() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.isDiscretionary = true
        configuration.allowsCellularAccess = false
        #expect(SessionSettings(configuration).unsupported == ["allowsCellularAccess", "isDiscretionary"])
    }

    @Test func theConfigurationIsUsedOnTheWire() async throws {
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["X-App": "1"]
        let transport = PinningTransport(pinnedDomains: [:], configuration: configuration)
        try await ScriptedServer.with { _ in
            [.respond("ok")]
        } _: { server in
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
            #expect(try await transport.data(for: URLRequest(url: url)).0 == Data("ok".utf8))
            #expect(server.requests.first?.field("X-App") == "1")
        }
    }
}
