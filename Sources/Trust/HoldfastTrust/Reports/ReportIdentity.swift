/// Who reports: the fields of a TrustKit report that describe the app.
public struct ReportIdentity: Hashable, Sendable {
    /// The app's identifier.
    public var bundleID: String
    /// The app's version.
    public var version: String
    /// A random identifier of this installation.
    public var vendorID: String
    /// `IOS`, `MACOS`, `LINUX` …
    public var platform: String
    /// The version of the operating system, as in `18.1.0`.
    public var platformVersion: String

    /// Describes an app.
    public init(bundleID: String, version: String, vendorID: String, platform: String, platformVersion: String) {
        self.bundleID = bundleID
        self.version = version
        self.vendorID = vendorID
        self.platform = platform
        self.platformVersion = platformVersion
    }
}
