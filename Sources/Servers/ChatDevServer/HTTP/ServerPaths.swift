/// The paths that the dialect does not define, because clients configure them.
enum ServerPaths {
    /// The WebSocket path, as in `wss://host/socket`.
    static let socket = "/socket"
    /// The file server's path, as in `https://host/files`.
    static let files = "/files"
    /// The path of resumable uploads.
    static let uploads = files + "/uploads"
}
