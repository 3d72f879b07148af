import ChatCenterCore
import ChatWire
import HTTPTypes
import Testing

@testable import ChatCenter

/// The addresses and headers of the chat's requests.
@Suite struct ServerAddressesTests {
    let credentials = WireCredentials(token: "Bearer t", scheme: "jwt")

    private func addresses(newRoutes: Bool = true) throws -> ServerAddresses {
        let config = ChatTransportConfig(
            rest: "https://rest.example:8443/base", webSocket: "wss://ws.example/socket",
            dataStore: "https://files.example/store", dataStoreHTTPHeaders: ["X-Store": "key"],
            newRoutesEnabled: newRoutes)
        return ServerAddresses(
            endpoints: try #require(config.endpoints), dialect: .documented, newRoutesEnabled: newRoutes,
            dataStoreHeaders: config.dataStoreHTTPHeaders)
    }

    private func call(_ request: RESTRequest, device: String? = nil) -> RESTCall {
        RESTCall(request, credentials: credentials, clientID: "client", deviceAddress: device)
    }

    private let store = HTTPField.Name("X-Store")

    @Test("newRoutesEnabled changes only the history's path")
    func routes() throws {
        let history = call(.history(HistoryRequest(.newest, count: 5)))
        #expect(try addresses().request(history).path == "/base/api/client/history?count=5")
        #expect(try addresses(newRoutes: false).request(history).path == "/base/history?count=5")
        #expect(try addresses(newRoutes: false).request(call(.unread)).path == "/base/api/client/history/unread")
        let request = try addresses().request(history)
        #expect(request.authority == "rest.example:8443")
        #expect(request.scheme == "https")
    }

    @Test("REST calls carry the credentials and the client, but no header of the file store")
    func restHeaders() throws {
        let fields = try addresses().request(call(.unread)).headerFields
        #expect(fields[.authorization] == "Bearer t")
        #expect(fields[try #require(.init("X-Auth-Schema"))] == "jwt")
        #expect(fields[try #require(.init("X-Client-Id"))] == "client")
        #expect(fields[try #require(store)] == nil)
        let known = try addresses().request(call(.unread, device: "device")).headerFields
        #expect(known[try #require(.init("X-Device-Address"))] == "device")
        #expect(known[try #require(.init("X-Client-Id"))] == nil)
    }

    @Test("a device is deleted with the address that the server knows")
    func deleteDevice() throws {
        let request = try addresses().request(call(.deleteDevice, device: "device"))
        #expect(request.method == .delete)
        #expect(request.path == "/base/api/client/device")
        #expect(request.headerFields[try #require(.init("X-Device-Address"))] == "device")
        #expect(try addresses().request(call(.unread)).method == .get)
    }

    @Test("the socket's upgrade carries only the credentials")
    func upgrade() throws {
        let fields = try addresses().upgradeHeaders(credentials)
        #expect(fields.count == 2)
        #expect(fields[.authorization] == "Bearer t")
        let cookies = try addresses().upgradeHeaders(WireCredentials(token: "t", scheme: "s", method: .cookies))
        #expect(cookies[.cookie] == "Authorization=t; X-Auth-Schema=s")
        #expect(cookies[.authorization] == nil)
    }

    private func download(_ reference: String) throws -> HTTPRequest {
        try addresses().download(
            DownloadPlan(reference: reference, credentials: credentials, clientID: "client", deviceAddress: nil))
    }

    @Test("requests for the store's files carry its headers, by id and by address")
    func ownFiles() throws {
        let byID = try download("a/../b?c")
        #expect(byID.path == "/store/a%2F..%2Fb%3Fc")
        for request in [byID, try download("https://FILES.example:443/elsewhere/x")] {
            #expect(request.headerFields[.authorization] == "Bearer t")
            #expect(request.headerFields[try #require(store)] == "key")
        }
    }

    @Test(
        "a third-party host receives no credential and no header of the store",
        arguments: [
            "https://files.example.evil.test/x", "https://files.example:8443/x", "https://rest.example:8443/x",
            "https://cdn.example/store/x",
        ])
    func foreignFiles(reference: String) throws {
        let fields = try download(reference).headerFields
        #expect(fields.isEmpty, "\(fields)")
    }

    @Test(
        "an address outside the file store must be https and public",
        arguments: [
            "http://cdn.example/x", "http://files.example/x", "http://127.0.0.1/x", "http://localhost/x",
            "https://127.0.0.1/x", "https://127.1/x", "https://0x7f.0.0.1/x", "https://localhost/x",
            "https://LOCALHOST./x", "https://x.localhost/x", "https://10.1.2.3/x", "https://172.31.0.1/x",
            "https://192.168.0.1/x", "https://169.254.169.254/latest/meta-data", "https://100.64.0.1/x",
            "https://0.0.0.0/x", "https://224.0.0.1/x", "https://[::1]/x", "https://[::]/x", "https://[fe80::1]/x",
            "https://[fd00::1]/x", "https://[::ffff:127.0.0.1]/x", "https://[::ffff:a00:1]/x",
            "https://[::127.0.0.1]/x",
            "https://[64:ff9b::a00:1]/x", "https://[2002:a00:1::]/x", "https://[2001:0:a00:1::]/x",
            "https://[2001:db8::1]/x",
        ])
    func localAddress(reference: String) throws {
        let error = #expect(throws: FileTransferError.self) { try download(reference) }
        #expect(error?.code == .invalidAddress)
    }

    @Test(
        "public addresses are accepted",
        arguments: [
            "https://1.1.1.1/x", "https://172.32.0.1/x", "https://[2606:4700::1111]/x", "https://[64:ff9b::101:101]/x",
            "https://[::ffff:1.1.1.1]/x", "https://localhost.example/x",
        ])
    func publicAddress(reference: String) throws {
        #expect(try download(reference).headerFields.isEmpty)
    }

    @Test("only the chat's own file store may be on this machine")
    func ownLoopback() throws {
        let config = ChatTransportConfig(
            rest: "http://127.0.0.1:8000", webSocket: "ws://127.0.0.1:8000/socket",
            dataStore: "http://127.0.0.1:8001/files")
        let addresses = ServerAddresses(
            endpoints: try #require(config.endpoints), dialect: .documented, newRoutesEnabled: true,
            dataStoreHeaders: [:])
        func download(_ reference: String) throws -> HTTPRequest {
            try addresses.download(
                DownloadPlan(reference: reference, credentials: credentials, clientID: "client", deviceAddress: nil))
        }
        #expect(try download("http://127.0.0.1:8001/x").headerFields[.authorization] == "Bearer t")
        for reference in ["http://127.0.0.1:8000/x", "http://127.0.0.1/x", "http://localhost:8001/x"] {
            #expect(throws: FileTransferError.self, "\(reference)") { try download(reference) }
        }
    }

    @Test(
        "an invalid address is refused", arguments: ["ftp://files.example/x", "wss://files.example/x", "https://"])
    func badAddress(reference: String) throws {
        #expect(throws: (any Error).self) { try download(reference) }
    }

    @Test("a file name cannot break out of its header in the form")
    func multipart() {
        let form = MultipartForm(
            file: "a\"\r\nX: y\u{7}ü.png", type: "image/png\r\nX: y", boundary: "boundary")
        let text = String(decoding: form.head, as: UTF8.self)
        #expect(
            text == "--boundary\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a%22%0D%0AX: y_ü.png\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n")
        #expect(String(decoding: form.tail, as: UTF8.self) == "\r\n--boundary--\r\n")
    }
}
