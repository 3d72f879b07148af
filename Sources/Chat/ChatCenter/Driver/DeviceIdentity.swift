import ChatCenterCore
import Foundation
import Synchronization

extension DeviceDescription {
    /// Returns the description of this device.
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

/// The identifier of this installation for `registerDevice`: random, and not related to a user.
enum InstallationID {
    /// Returns the identifier in `root`, and creates it the first time. If it cannot be stored, it lasts until the
    /// process ends.
    static func read(in root: URL) -> String {
        let file = root.appendingPathComponent("installation")
        guard (try? StorePlace.checkFolder(root)) != nil, let isKept = try? StorePlace.checkFile(file) else {
            return UUID().uuidString.lowercased()
        }
        if isKept, let text = try? String(contentsOf: file, encoding: .utf8), UUID(uuidString: text) != nil {
            return text
        }
        let identifier = UUID().uuidString.lowercased()
        let manager = FileManager.default
        try? manager.createDirectory(
            at: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        _ = manager.createFile(
            atPath: file.path, contents: Data(identifier.utf8), attributes: [.posixPermissions: 0o600])
        return identifier
    }
}

/// The push token of this device: one for the process, passed to every SDK that exists.
enum DeviceToken {
    private struct State {
        var token: String?
        var observers: [UInt64: @Sendable (String) -> Void] = [:]
        var lastID: UInt64 = 0
    }

    private static let state = Mutex(State())

    /// The token as hexadecimal digits.
    static var current: String? { state.withLock { $0.token } }

    /// Sets the token, and calls the observers if it changed.
    static func set(_ token: String) {
        let observers = state.withLock { state -> [@Sendable (String) -> Void] in
            guard token != state.token else { return [] }
            state.token = token
            return Array(state.observers.values)
        }
        for observer in observers { observer(token) }
    }

    /// Calls `body` with each new token until ``stopObserving(_:)``.
    static func observe(_ body: @escaping @Sendable (String) -> Void) -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = body
            return state.lastID
        }
    }

    static func stopObserving(_ id: UInt64) {
        state.withLock { _ = $0.observers.removeValue(forKey: id) }
    }
}
