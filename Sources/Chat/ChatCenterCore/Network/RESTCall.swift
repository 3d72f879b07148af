package import ChatWire

/// A REST request with the credentials and addresses of the user that it is made for.
package struct RESTCall: Hashable, Sendable {
    package var request: RESTRequest
    package var credentials: WireCredentials
    package var clientID: String
    package var deviceAddress: String?

    package init(_ request: RESTRequest, credentials: WireCredentials, clientID: String, deviceAddress: String?) {
        self.request = request
        self.credentials = credentials
        self.clientID = clientID
        self.deviceAddress = deviceAddress
    }
}
