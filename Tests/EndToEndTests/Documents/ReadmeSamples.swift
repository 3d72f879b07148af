// swift-format-ignore-file: NeverForceUnwrap, because these are the samples as a user writes them.
import ChatCenter
import Foundation
import HTTPTypes
import HoldfastNetworking
import HoldfastTransport
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of the README and of the pages behind its doors, compiled. `ReadmeTests` compares them line by line.
enum ReadmeSamples {
    /// The policy of the README's sample.
    static func policy() throws -> PinningPolicy {
        let keys = try [  // from: ./run pin api.example.com backup.pem; leave out the authorities
            SPKIDigest("sha256/GC/52nAf0UTi/SzUHajdupeesBsr9/zDN29LGy7O5Oc="),  // the server's own key
            SPKIDigest("sha256/nmcbHM3thWbHaR5WZM/niFYs6UbCFhRfA+C4Od+TAfI="),  // the backup key, kept offline
        ]
        let policy = try PinningPolicy(name: "api", rules: [PinningRule(HostPattern("api.example.com"), keys: keys)])
        return policy
    }

    static func pinAnApp() async throws -> Int {
        let keys = try [  // from: ./run pin api.example.com backup.pem; leave out the authorities
            SPKIDigest("sha256/GC/52nAf0UTi/SzUHajdupeesBsr9/zDN29LGy7O5Oc="),  // the server's own key
            SPKIDigest("sha256/nmcbHM3thWbHaR5WZM/niFYs6UbCFhRfA+C4Od+TAfI="),  // the backup key, kept offline
        ]
        let policy = try PinningPolicy(name: "api", rules: [PinningRule(HostPattern("api.example.com"), keys: keys)])
        let transport = HTTPClientTransport(configuration: TransportConfiguration(trust: .policy(policy)))
        let url = URL(string: "https://api.example.com/")!
        let (data, response) = try await transport.data(for: URLRequest(url: url))
        return data.count + response.statusCode
    }

    static func pinAServerSideClient(keys: [SPKIDigest]) async throws {
        let rule = try PinningRule(HostPattern("pay.example.com"), keys: keys)
        let policy = try PinningPolicy(name: "payments", rules: [rule])
        let client = HTTPClient(configuration: TransportConfiguration(trust: .policy(policy)))
        let request = HTTPRequest(method: .get, scheme: "https", authority: "pay.example.com", path: "/v1/status")

        do {
            let answer = try await client.collect(request, upTo: 1 << 20)
            print(answer.response.status)
        } catch let error as TransportError where error.code == .trustRefused {
            print(error.reason)  // what was seen and what was expected; error.verdict has the same as values
        }
    }

    static func embedTheChat(currentCertificate: URL, nextCertificate: URL) throws {
        var network = ChatNetworkConfig()
        network.sslPinning = try SSLPinningConfig(requiring: [
            ChatSSLCertificate(contentsOf: currentCertificate), ChatSSLCertificate(contentsOf: nextCertificate),
        ])
        let server = ChatTransportConfig(cloudHost: "chat.example.com")
        let chat = ChatCenterUISDK(
            providerUid: "my-provider", chatConfig: ChatConfig(transportConfig: server, networkConfig: network))
        chat.authorize(user: ChatUser(identifier: "unique-and-hard-to-guess"))

        let screen = try chat.getChat()  // its state is a value to draw
        screen.viewDidAppear()
        try screen.send("Hello")
    }
}
