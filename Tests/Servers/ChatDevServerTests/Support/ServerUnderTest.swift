import ChatDevServer
import ChatWire
import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket

/// A running server, and helpers for a client. Certificates are valid around the factory's time.
struct ServerUnderTest {
    let server: ChatDevServer
    let address: ChatDevServerAddress
    let authority: ServerCertificateAuthority
    let http: HTTPClient
    let sockets: WebSocketClient

    /// Issued once for all tests, because they do not modify it.
    static let authority = Result { try ServerCertificateAuthority(now: CertificateFactory.referenceTime) }

    /// Runs a server with TLS, a bot that answers at once, and no database, unless `configure` changes that.
    static func with<R: Sendable>(
        _ configure: (inout ChatDevServerConfiguration) -> Void = { _ in },
        _ body: (ServerUnderTest) async throws -> R
    ) async throws -> R {
        let authority = try Self.authority.get()
        var configuration = ChatDevServerConfiguration()
        configuration.tls = try authority.identity(for: .genuine)
        configuration.botDelay = .zero
        configure(&configuration)
        return try await ChatDevServer.with(configuration) { server in
            var address = try await server.started()
            address.host = authority.host
            let transport = transport(.system(anchors: .only([authority.root.view])))
            return try await body(
                ServerUnderTest(
                    server: server, address: address, authority: authority,
                    http: HTTPClient(configuration: transport), sockets: WebSocketClient(configuration: transport)))
        }
    }

    static func transport(_ trust: TrustContext) -> TransportConfiguration {
        TransportConfiguration(
            trust: trust, clock: .fixed(CertificateFactory.referenceTime), connectTimeout: .seconds(10),
            tlsTimeout: .seconds(10), hostOverrides: ["localhost": "127.0.0.1"])
    }

    // MARK: REST

    /// Sends a request; the path begins with a slash.
    func request(
        _ method: HTTPRequest.Method = .get, _ path: String, headers: HTTPFields = [:], body: HTTPBody? = nil
    ) async throws -> CollectedResponse {
        let prefix = address.isSecure ? "https" : "http"
        let request = HTTPRequest(
            method: method, scheme: prefix, authority: "\(address.host):\(address.port)", path: path,
            headerFields: headers)
        return try await http.collect(request, body: body, upTo: 64 << 20)
    }

    /// Sends a GET request as this client.
    func get(_ path: String, as clientID: String = "alice") async throws -> CollectedResponse {
        var headers = HTTPFields()
        if let name = HTTPField.Name("X-Client-Id") { headers[name] = clientID }
        return try await request(.get, path, headers: headers)
    }

    func history(_ query: String = "count=100") async throws -> HistoryAnswer {
        try HistoryAnswer(parsing: try await get("/api/client/history?\(query)").body)
    }

    /// Uploads a file in a form, as browsers and apps do.
    func upload(_ bytes: [UInt8], name: String, type: String = "image/png") async throws -> CollectedResponse {
        try await request(
            .put, "/files", headers: [.contentType: "multipart/form-data; boundary=\(Self.boundary)"],
            body: .bytes(Self.form(bytes, name: name, type: type)))
    }

    static let boundary = "----holdfast7MA4YWxk"

    static func form(_ bytes: [UInt8], name: String, type: String = "image/png") -> [UInt8] {
        let head =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
            + "Content-Type: \(type)\r\n\r\n"
        return Array(head.utf8) + bytes + Array("\r\n--\(boundary)--\r\n".utf8)
    }

    // MARK: Socket

    func connect(headers: HTTPFields = [:]) async throws -> TestSocket {
        TestSocket(try await sockets.connect(address.webSocket, options: WebSocketOptions(headers: headers)))
    }

    /// Opens a socket of a client that has registered and sent its information.
    func join(_ clientID: String = "alice", deviceAddress: String? = nil) async throws -> TestSocket {
        let socket = try await connect()
        try await socket.join(clientID, deviceAddress: deviceAddress)
        return socket
    }
}

extension CollectedResponse {
    var status: Int { response.status.code }

    /// The protocol's error in the body.
    var failure: ErrorAnswer? { ErrorAnswer(parsing: body) }
}
