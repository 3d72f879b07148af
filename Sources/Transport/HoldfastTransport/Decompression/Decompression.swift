/// The setting for requesting and decompressing compressed bodies.
///
/// If on, a request without `Accept-Encoding` and `Range` asks for `gzip, deflate`. The caller receives the decoded
/// body, and the response without `Content-Encoding` and `Content-Length`. A body in another coding fails the request.
public struct Decompression: Hashable, Sendable {
    /// Whether bodies are decompressed.
    public var isOn: Bool
    /// The maximum ratio of decompressed to compressed bytes, averaged over the body so far. Not checked below 1 MiB of
    /// output.
    public var maximumRatio: Int
    /// The maximum size of a decompressed body, in bytes.
    public var maximumBytes: Int64

    /// Compressed bodies are not requested, and bodies are returned unchanged. This is the default.
    public static let off = Decompression(isOn: false, maximumRatio: 0, maximumBytes: 0)

    /// Returns a setting that decompresses bodies.
    ///
    /// - Parameters:
    /// - maximumRatio: See ``maximumRatio``. 200 by default: text seldom exceeds 20, while a DEFLATE bomb reaches 1032.
    /// - maximumBytes: See ``maximumBytes``. 1 GiB by default. ``HTTPClient/collect(_:body:upTo:options:)`` has an
    ///   additional limit.
    public static func on(maximumRatio: Int = 200, maximumBytes: Int64 = 1 << 30) -> Decompression {
        Decompression(isOn: true, maximumRatio: max(1, maximumRatio), maximumBytes: max(0, maximumBytes))
    }
}
