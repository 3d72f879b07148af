public import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ReportIdentity {
    /// Creates the identity of an app on this machine, with the machine's platform and version.
    ///
    /// The reporter creates and stores a random installation identifier. Use `ReportRedaction.installation` to omit
    /// it from reports.
    public init(bundleID: String, version: String) {
        let system = ProcessInfo.processInfo.operatingSystemVersion
        self.init(
            bundleID: bundleID, version: version, vendorID: "", platform: Self.thisPlatform,
            platformVersion: "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)")
    }

    /// The platform name in TrustKit's format.
    private static var thisPlatform: String {
        #if os(iOS)
        "IOS"
        #elseif os(tvOS)
        "TVOS"
        #elseif os(watchOS)
        "WATCHOS"
        #elseif os(macOS)
        "MACOS"
        #else
        "LINUX"
        #endif
    }
}
