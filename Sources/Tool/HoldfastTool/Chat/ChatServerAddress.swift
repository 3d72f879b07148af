import HoldfastBase
import ChatCenter
import HoldfastTransport
import HoldfastTrust

/// The server that `holdfast chat` connects to.
struct ChatServerAddress: Sendable {
    var transport: ChatTransportConfig
    /// The server of the first address.
    var server: ProbeTarget?
    /// The hosts of its addresses.
    var hosts: [CanonicalHost]
    /// Whether all addresses use TLS.
    var isSecure: Bool

    /// Takes a host, as the SDK does, or the three addresses. Throws an error with one sentence.
    init(
        server: String?, rest: String?, socket: String?, files: String?, version: APIVersion
    ) throws(ToolError) {
        let urls: [String]
        do throws(ChatTransportConfigError) {
            if let server {
                transport = try ChatTransportConfig(validatingCloudHost: server, apiVersion: version)
                urls = [server.contains("://") ? server : "https://" + server]
            } else {
                transport = try ChatTransportConfig(
                    validating: rest ?? "", webSocket: socket ?? "", dataStore: files ?? "", apiVersion: version)
                urls = [rest, socket, files].compactMap(\.self)
            }
        } catch {
            throw ToolError("the server's address cannot be used: \(Printable.text("\(error)"))", status: .usage)
        }
        hosts = []
        isSecure = true
        for url in urls {
            do throws(TransportError) {
                let parts = try RequestURL(url)
                if self.server == nil { self.server = ProbeTarget(host: parts.host, port: parts.port) }
                if !hosts.contains(parts.host) { hosts.append(parts.host) }
                isSecure = isSecure && (parts.scheme == .https || parts.scheme == .wss)
            } catch {
                throw ToolError("the server's address cannot be used: \(Printable.text(error.reason))", status: .usage)
            }
        }
    }
}

/// Explains why the chat's server was refused, as `holdfast probe` does.
struct ChatJudge: Sendable {
    let server: ProbeTarget
    let prober: Prober

    /// Returns the verdict, the seen and the expected pins, and the remedy. Empty if no server was refused.
    func lines(on error: ChatNetworkError) -> [String] {
        guard let verdict = error.verdict else { return [] }
        return ProbeReport(verdict, on: server, prober: prober).refusalLines
            + ["hint: holdfast probe \(server) shows what the server sends"]
    }
}
