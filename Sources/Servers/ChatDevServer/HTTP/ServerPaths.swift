/// Where the parts of the server are that the dialect leaves to the client's configuration.
enum ServerPaths {
    /// The socket; `wss://host/socket`.
    static let socket = "/socket"
    /// The file store; `https://host/files`.
    static let files = "/files"
    /// The uploads that come in parts.
    static let uploads = files + "/uploads"
}
