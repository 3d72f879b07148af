import ArgumentParser
import Foundation
import HoldfastNetworking
import HoldfastTransport
import HoldfastTrust

/// Sends a GET request to a pinned server, and prints the body. `holdfast get` has more options.
@main
struct PinnedGet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Send a GET request to a pinned server.")

    @Argument(help: "The address, which begins with https://.")
    var address: String

    @Option(name: .customLong("pin"), help: "A pinned key, as sha256/BASE64. Give the server's key and a backup key.")
    var pins: [String]

    @Option(help: "A PEM file with the roots to trust instead of the machine's.")
    var roots: String?

    func run() async throws {
        let (data, response) = try await get()
        print("status: \(response.statusCode)")
        print(String(decoding: data, as: UTF8.self))
    }

    /// Sends the request. Throws a `TransportError` with the verdict if the server is refused.
    func get() async throws -> (Data, HTTPURLResponse) {
        guard let url = URL(string: address), url.scheme == "https", let host = url.host else {
            throw ValidationError("'\(address)' is not an https address.")
        }
        // Only this host is pinned. Redirects to other hosts are not followed, because they have no pins.
        let rule = try PinningRule(HostPattern(host), keys: pins.map { try SPKIDigest($0) })
        let policy = try PinningPolicy(name: host, rules: [rule], requiresRuleForEveryHost: true)
        let transport = HTTPClientTransport(
            configuration: TransportConfiguration(trust: .policy(policy, anchors: try anchors())))
        return try await transport.data(for: URLRequest(url: url))
    }

    private func anchors() throws -> TrustAnchors {
        guard let roots else { return .system }
        let pem = try Data(contentsOf: URL(fileURLWithPath: roots))
        return .only(try CertificateLoading.certificates(in: Array(pem)))
    }
}
