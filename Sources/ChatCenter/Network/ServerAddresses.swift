import ChatCenterCore
import ChatWire
import HTTPTypes
import HoldfastTransport

/// Makes the requests of the chat: addresses, and which headers go to whom.
struct ServerAddresses: Sendable {
    let endpoints: ChatEndpoints
    let dialect: ChatDialect
    let newRoutesEnabled: Bool
    let dataStoreHeaders: [String: String]

    /// A REST call.
    func request(_ call: RESTCall) -> HTTPRequest {
        let target = dialect.target(of: call.request, newRoutesEnabled: newRoutesEnabled)
        var request = HTTPRequest(
            method: dialect.isDeletion(call.request) ? .delete : .get, scheme: endpoints.rest.scheme,
            authority: endpoints.rest.authority, path: endpoints.rest.path + target)
        request.headerFields[.accept] = "application/json"
        add(dialect.headers(for: call.credentials), to: &request.headerFields)
        add([dialect.identity(clientID: call.clientID, deviceAddress: call.deviceAddress)], to: &request.headerFields)
        return request
    }

    /// The header fields of the socket's upgrade.
    func upgradeHeaders(_ credentials: WireCredentials) -> HTTPFields {
        var fields = HTTPFields()
        add(dialect.headers(for: credentials), to: &fields)
        return fields
    }

    /// The upload of a file.
    func upload(_ plan: UploadPlan) -> HTTPRequest {
        var request = HTTPRequest(
            method: .put, scheme: endpoints.dataStore.scheme, authority: endpoints.dataStore.authority,
            path: endpoints.dataStore.path.isEmpty ? "/" : endpoints.dataStore.path)
        addFileHeaders(plan.credentials, plan.clientID, plan.deviceAddress, to: &request.headerFields)
        return request
    }

    /// The download of a file: an id in the file store, or an absolute address.
    ///
    /// An address on another server than the file store gets neither credentials nor headers of the file store.
    func download(_ plan: DownloadPlan) throws -> HTTPRequest {
        guard plan.reference.contains("://") else {
            let path = endpoints.dataStore.path + "/" + ChatDialect.percentEncoded(plan.reference)
            var request = HTTPRequest(
                method: .get, scheme: endpoints.dataStore.scheme, authority: endpoints.dataStore.authority, path: path)
            addFileHeaders(plan.credentials, plan.clientID, plan.deviceAddress, to: &request.headerFields)
            return request
        }
        let url = try RequestURL(plan.reference)
        guard url.scheme == .https || url.scheme == .http else {
            throw FileTransferError(.invalidAddress, "A file cannot be fetched over \(url.scheme.rawValue):.")
        }
        var request = HTTPRequest(
            method: .get, scheme: url.scheme.rawValue, authority: url.authority, path: url.target)
        let store = endpoints.dataStore
        if url.scheme.rawValue == store.scheme, url.host == store.host, url.port == store.port {
            addFileHeaders(plan.credentials, plan.clientID, plan.deviceAddress, to: &request.headerFields)
        }
        return request
    }

    /// Whether a download leads to a server that is none of the chat's own.
    func isForeign(_ plan: DownloadPlan) throws -> Bool {
        guard plan.reference.contains("://") else { return false }
        let url = try RequestURL(plan.reference)
        return ![endpoints.rest, endpoints.webSocket, endpoints.dataStore].contains {
            $0.host == url.host && $0.port == url.port
        }
    }

    private func addFileHeaders(
        _ credentials: WireCredentials, _ clientID: String, _ deviceAddress: String?, to fields: inout HTTPFields
    ) {
        add(dialect.headers(for: credentials), to: &fields)
        add([dialect.identity(clientID: clientID, deviceAddress: deviceAddress)], to: &fields)
        for (name, value) in dataStoreHeaders.sorted(by: { $0.key < $1.key }) {
            guard let name = HTTPField.Name(name) else { continue }
            fields[name] = value
        }
    }

    private func add(_ headers: [WireHeader], to fields: inout HTTPFields) {
        for header in headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            fields[name] = header.value
        }
    }
}
