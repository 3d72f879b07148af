import ChatCenterCore
import Foundation

extension DeviceDescription {
    /// This machine.
    static func current(uid: String) -> DeviceDescription {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return DeviceDescription(
            uid: uid, timeZone: TimeZone.current.identifier, osName: osName,
            osVersion: "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)",
            locale: Locale.current.identifier, model: model)
    }

    private static var osName: String {
        #if os(iOS)
        "iOS"
        #elseif os(macOS)
        "macOS"
        #elseif os(Linux)
        "Linux"
        #else
        "other"
        #endif
    }

    private static var model: String {
        #if arch(arm64)
        "arm64"
        #elseif arch(x86_64)
        "x86_64"
        #else
        "other"
        #endif
    }
}
