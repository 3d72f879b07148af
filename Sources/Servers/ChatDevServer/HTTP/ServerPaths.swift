import ChatWire

/// The paths that the dialect does not define, because clients configure them.
enum ServerPaths {
    /// The WebSocket path, as in `wss://host/socket`.
    static let socket = "/socket"
    /// The file server's path, as in `https://host/files`.
    static let files = "/files"
    /// The path of resumable uploads.
    static let uploads = files + "/uploads"
}

/// The page that a browser shows at the server's root.
enum ServerIndex {
    static let text: String = {
        let dialect = ChatDialect.documented
        return """
            Holdfast's chat server for development.

            GET  \(dialect.configurationPath)?chatApiVersion=17
            GET  \(dialect.historyPath)?count=30            with \(dialect.clientIDHeader): <client>
            GET  \(dialect.unreadPath)              with \(dialect.clientIDHeader): <client>
            GET  \(dialect.searchPath)?query=<text>         with \(dialect.clientIDHeader): <client>
            PUT  \(ServerPaths.files)                                 multipart/form-data with a file
            GET  \(ServerPaths.files)/<id>
            WebSocket  \(ServerPaths.socket)
            \(OperatorRoutes.root)                                   for operators, with their token
            \(DeskPaths.root)                                       the operator desk

            """
    }()
}
