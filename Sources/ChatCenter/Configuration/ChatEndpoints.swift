/// The three addresses of a chat server, checked and without a trailing slash.
package struct ChatEndpoints: Hashable, Sendable {
    /// Base of the REST calls.
    package let rest: String
    /// Address of the socket.
    package let webSocket: String
    /// Base of the file transfers.
    package let dataStore: String

    init?(rest: String, webSocket: String, dataStore: String, problems: inout [ChatTransportProblem]) {
        let rest = EndpointAddress(rest, for: .rest, problems: &problems)
        let webSocket = EndpointAddress(webSocket, for: .webSocket, problems: &problems)
        let dataStore = EndpointAddress(dataStore, for: .dataStore, problems: &problems)
        guard let rest, let webSocket, let dataStore else { return nil }
        self.rest = rest.text
        self.webSocket = webSocket.text
        self.dataStore = dataStore.text
    }

    init?(cloudHost given: String, problems: inout [ChatTransportProblem]) {
        guard let address = EndpointAddress(cloudHost: given, problems: &problems) else { return nil }
        let secure = address.scheme == "https"
        self.rest = address.text
        self.webSocket = (secure ? "wss" : "ws") + "://" + address.authority + "/socket"
        self.dataStore = address.text + "/files"
    }
}
