import ChatCenterCore
import ChatWire
import HTTPTypes
import HoldfastTransport
import HoldfastTrust

/// Creates the chat's requests, and decides which headers are sent to which server.
struct ServerAddresses: Sendable {
    let endpoints: ChatEndpoints
    let dialect: ChatDialect
    let newRoutesEnabled: Bool
    let dataStoreHeaders: [String: String]

    /// Returns the request of a REST call.
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

    /// Returns the header fields of the socket's upgrade request.
    func upgradeHeaders(_ credentials: WireCredentials) -> HTTPFields {
        var fields = HTTPFields()
        add(dialect.headers(for: credentials), to: &fields)
        return fields
    }

    /// Returns the request that uploads a file.
    func upload(_ plan: UploadPlan) -> HTTPRequest {
        var request = HTTPRequest(
            method: .put, scheme: endpoints.dataStore.scheme, authority: endpoints.dataStore.authority,
            path: endpoints.dataStore.path.isEmpty ? "/" : endpoints.dataStore.path)
        addFileHeaders(plan.credentials, plan.clientID, plan.deviceAddress, to: &request.headerFields)
        return request
    }

    /// Returns the request that downloads a file, which is an id in the file store or an absolute address.
    ///
    /// A third-party host receives no header of the chat. Throws `FileTransferError` with `invalidAddress` if
    /// ``checkForeign(_:)`` refuses its address.
    func download(_ plan: DownloadPlan) throws -> HTTPRequest {
        guard plan.reference.contains("://") else {
            let path = endpoints.dataStore.path + "/" + ChatDialect.percentEncoded(plan.reference)
            var request = HTTPRequest(
                method: .get, scheme: endpoints.dataStore.scheme, authority: endpoints.dataStore.authority, path: path)
            addFileHeaders(plan.credentials, plan.clientID, plan.deviceAddress, to: &request.headerFields)
            return request
        }
        let url = try RequestURL(plan.reference)
        var request = HTTPRequest(
            method: .get, scheme: url.scheme.rawValue, authority: url.authority, path: url.target)
        if isFileStore(url) {
            addFileHeaders(plan.credentials, plan.clientID, plan.deviceAddress, to: &request.headerFields)
        } else {
            try checkForeign(url)
        }
        return request
    }

    /// Redirects a download to the location in a response. Returns `false` if the response is not a redirect.
    ///
    /// Outside the file store's origin, the request contains no header of the chat, and the address is checked like one
    /// in a message (RFC 9110, 15.4). Removed headers are not restored if a later redirect leads back.
    func follow(_ response: HTTPResponse, _ chain: inout RedirectChain) throws -> Bool {
        guard try chain.follow(response, canRepeatBody: true) else { return false }
        let url = try RequestURL(chain.request)
        guard !isFileStore(url) else { return true }
        chain.replaceFields([:])
        try checkForeign(url)
        return true
    }

    /// Returns whether a request is addressed to a third-party host.
    func isForeign(_ request: HTTPRequest) throws -> Bool {
        let url = try RequestURL(request)
        return ![endpoints.rest, endpoints.webSocket, endpoints.dataStore].contains {
            $0.host == url.host && $0.port == url.port
        }
    }

    private func isFileStore(_ url: RequestURL) -> Bool {
        let store = endpoints.dataStore
        return url.scheme.rawValue == store.scheme && url.host == store.host && url.port == store.port
    }

    /// Refuses addresses that a message must not make the app request: schemes other than `https`, and hosts of this
    /// machine or its local network. Names are checked again when they are resolved.
    private func checkForeign(_ url: RequestURL) throws(FileTransferError) {
        guard url.scheme == .https else {
            throw FileTransferError(
                .invalidAddress,
                "The file's address begins with \(url.scheme.rawValue)://. Only the file store may use it."
            )
        }
        guard !url.host.isLocal else {
            throw FileTransferError(
                .invalidAddress,
                "The file's address, \(url.host), is on this machine or a local network, and is not the file store."
            )
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
