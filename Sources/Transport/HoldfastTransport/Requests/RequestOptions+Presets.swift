extension RequestOptions {
    /// Returns the options for a REST request with the chat setting `connectionTimeout`: an idle timeout over all
    /// phases, from connecting to the last byte of the response. Each byte restarts it. There is no total timeout, and
    /// a missing network fails the request at once.
    public static func rest(connectionTimeout: Duration = .seconds(30)) -> RequestOptions {
        RequestOptions(idleTimeout: connectionTimeout)
    }

    /// Returns the options for a file download with the chat setting `downloadTimeout`, an idle timeout as for REST
    /// requests.
    public static func download(downloadTimeout: Duration = .seconds(30)) -> RequestOptions {
        RequestOptions(idleTimeout: downloadTimeout)
    }

    /// Returns the options for an upload with the chat setting `uploadTimeout`, which is both the idle timeout and the
    /// default total timeout. A large file over a slow connection needs a larger value or its own `total`.
    ///
    /// Only uploads wait for a missing network, up to the total timeout. A refused server (trust), a refused connection
    /// or a reset fails an upload at once.
    ///
    /// - Parameters:
    /// - uploadTimeout: The idle timeout, and the total timeout if `total` is `nil`.
    /// - total: The total timeout of the upload.
    public static func upload(
        uploadTimeout: Duration = .seconds(120), total: Duration? = nil
    ) -> RequestOptions {
        RequestOptions(idleTimeout: uploadTimeout, totalTimeout: total ?? uploadTimeout, waitsForConnectivity: true)
    }
}
