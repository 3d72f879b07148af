public import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ReportIdentity {
    /// An app on this machine: platform and its version are the machine's. The identifier of the installation is left to the
    /// reporter, which makes a random one and keeps it; see ``ReportRedaction/installation`` for sending none.
    public init(bundleID: String, version: String) {
        let system = ProcessInfo.processInfo.operatingSystemVersion
        self.init(
            bundleID: bundleID, version: version, vendorID: "", platform: Self.thisPlatform,
            platformVersion: "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)")
    }

    /// As TrustKit writes it.
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
