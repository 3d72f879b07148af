import HoldfastTrust

/// The three addresses of a chat server, checked and without a trailing slash.
package struct ChatEndpoints: Hashable, Sendable {
    /// Base of the REST calls.
    package let rest: EndpointAddress
    /// Address of the socket.
    package let webSocket: EndpointAddress
    /// Base of the file transfers.
    package let dataStore: EndpointAddress

    init?(rest: String, webSocket: String, dataStore: String, problems: inout [ChatTransportProblem]) {
        let rest = EndpointAddress(rest, for: .rest, problems: &problems)
        let webSocket = EndpointAddress(webSocket, for: .webSocket, problems: &problems)
        let dataStore = EndpointAddress(dataStore, for: .dataStore, problems: &problems)
        guard let rest, let webSocket, let dataStore else { return nil }
        self.rest = rest
        self.webSocket = webSocket
        self.dataStore = dataStore
    }

    init?(cloudHost given: String, problems: inout [ChatTransportProblem]) {
        guard let address = EndpointAddress(cloudHost: given, problems: &problems) else { return nil }
        self.rest = address
        self.webSocket = address.derived(scheme: address.scheme == "https" ? "wss" : "ws", path: "/socket")
        self.dataStore = address.derived(scheme: address.scheme, path: "/files")
    }

    /// The servers, as `host:port`.
    var servers: Set<String> {
        Set([rest, webSocket, dataStore].map { "\($0.host.text):\($0.port)" })
    }
}
