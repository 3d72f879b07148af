import ChatCenter
import ChatDevServer
import Foundation

/// The addresses and the keys of a server, as an SDK needs them. Child processes receive it as JSON.
package struct Site: Sendable, Codable {
    package static let providerUid = "benchmark"

    package var rest: String
    package var webSocket: String
    package var dataStore: String
    /// The DER certificates whose keys are pinned; empty for a server without TLS.
    package var certificates: [[UInt8]]

    package init(_ address: ChatDevServerAddress, _ certificates: [[UInt8]]) {
        rest = address.rest
        webSocket = address.webSocket
        dataStore = address.dataStore
        self.certificates = certificates
    }

    /// Returns a site on which no server listens, so that every call is refused immediately.
    package static func nowhere(pinning certificates: [[UInt8]]) -> Site {
        var site = Site(placeholder: "127.0.0.1:1")
        site.certificates = certificates
        return site
    }

    private init(placeholder authority: String) {
        rest = "https://\(authority)"
        webSocket = "wss://\(authority)/socket"
        dataStore = "https://\(authority)/files"
        certificates = []
    }

    /// Returns the same server behind another port of this machine.
    package func through(port: Int) -> Site {
        var site = self
        site.rest = replacingPort(of: rest, with: port)
        site.webSocket = replacingPort(of: webSocket, with: port)
        site.dataStore = replacingPort(of: dataStore, with: port)
        return site
    }

    private func replacingPort(of url: String, with port: Int) -> String {
        guard var components = URLComponents(string: url) else { return url }
        components.port = port
        return components.string ?? url
    }

    /// Returns the same server with a refused port for REST calls.
    package var withoutREST: Site {
        var site = self
        site.rest = replacingPort(of: rest, with: 1)
        return site
    }

    /// The server's port.
    package var port: Int { URLComponents(string: rest)?.port ?? 0 }

    /// Returns a production-like configuration that stores its data in `folder`.
    package func config(_ folder: URL) throws -> ChatConfig {
        var network = ChatNetworkConfig()
        if !certificates.isEmpty {
            network.sslPinning = try SSLPinningConfig(
                requiring: certificates.map { try ChatSSLCertificate(der: $0) })
        }
        var config = ChatConfig(
            transportConfig: try ChatTransportConfig(validating: rest, webSocket: webSocket, dataStore: dataStore),
            networkConfig: network)
        config.storageDirectory = folder
        return config
    }

    /// Returns an SDK for this server.
    package func sdk(_ folder: URL, logs levels: ChatLogLevel = .off) throws -> ChatCenterUISDK {
        var logger = ChatLoggerConfig(logLevel: levels)
        logger.directory = folder.appendingPathComponent("Logs")
        return ChatCenterUISDK(
            providerUid: Self.providerUid, chatConfig: try config(folder), loggerConfig: logger)
    }
}
