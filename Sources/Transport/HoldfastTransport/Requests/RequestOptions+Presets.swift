extension RequestOptions {
    /// What chat settings call `connectionTimeout`: an idle time-out over all phases of a REST request, from connecting to the last
    /// byte of the answer, renewed by each byte. There is no total, and an absent network fails the request at once.
    public static func rest(connectionTimeout: Duration = .seconds(30)) -> RequestOptions {
        RequestOptions(idleTimeout: connectionTimeout)
    }

    /// What chat settings call `downloadTimeout`: the same for the download of a file.
    public static func download(downloadTimeout: Duration = .seconds(30)) -> RequestOptions {
        RequestOptions(idleTimeout: downloadTimeout)
    }

    /// What chat settings call `uploadTimeout`: an idle time-out and the limit of the whole upload at once, so that a large file
    /// over a slow connection needs a larger one, or a `total` of its own. Uploads alone wait for the network, no longer than
    /// the total; a refused server (trust), a refused connection and a reset fail them at once.
    ///
    /// - Parameters:
    ///   - uploadTimeout: The idle time-out, and the total where `total` is `nil`.
    ///   - total: The limit of the whole upload.
    public static func upload(
        uploadTimeout: Duration = .seconds(120), total: Duration? = nil
    ) -> RequestOptions {
        RequestOptions(idleTimeout: uploadTimeout, totalTimeout: total ?? uploadTimeout, waitsForConnectivity: true)
    }
}
