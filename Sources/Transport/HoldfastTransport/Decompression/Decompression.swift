/// Whether bodies are asked for in compressed form and decompressed, and how far.
///
/// Where it is on, a request that names no `Accept-Encoding` of its own asks for `gzip, deflate`, unless it asks for a
/// `Range`; and the response that the caller sees has its decoded body, without `Content-Encoding` and
/// `Content-Length`. A body in another coding fails the request.
public struct Decompression: Hashable, Sendable {
    /// Whether bodies are decompressed.
    public var isOn: Bool
    /// How many bytes a compressed byte may become, on the average of all that has come so far. Below a mebibyte of output
    /// it is not looked at.
    public var maximumRatio: Int
    /// The most bytes that a body may become.
    public var maximumBytes: Int64

    /// Nothing is asked for, and bodies are handed over as they come. This is the default.
    public static let off = Decompression(isOn: false, maximumRatio: 0, maximumBytes: 0)

    /// Bodies are decompressed.
    ///
    /// - Parameters:
    ///   - maximumRatio: See ``maximumRatio``. 200 by default: text seldom exceeds 20, a bomb of DEFLATE reaches 1032.
    ///   - maximumBytes: See ``maximumBytes``. A gibibyte by default. ``HTTPClient/collect(_:body:upTo:options:)`` has its own
    ///     limit besides.
    public static func on(maximumRatio: Int = 200, maximumBytes: Int64 = 1 << 30) -> Decompression {
        Decompression(isOn: true, maximumRatio: max(1, maximumRatio), maximumBytes: max(0, maximumBytes))
    }
}
