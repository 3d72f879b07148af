/// What a bundle may do beyond changing pins. Nothing, unless the app says so: whoever gets hold of the signing key could
/// otherwise switch pinning off.
public struct BundlePermissions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Leave hosts out that were pinned, take back denied keys, or let unlisted hosts through.
    public static let unpin = BundlePermissions(rawValue: 1)
    /// Turn a rule that enforces into one that only reports.
    public static let reportOnly = BundlePermissions(rawValue: 2)
    /// Bring trust anchors along, or switch pins off for them.
    public static let anchors = BundlePermissions(rawValue: 4)
}
