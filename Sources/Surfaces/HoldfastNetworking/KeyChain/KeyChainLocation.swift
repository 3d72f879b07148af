import Crypto
import Foundation

/// The default location of a service's credentials.
enum KeyChainLocation {
    /// Returns `$XDG_STATE_HOME/SERVICE/NAME`, or the same path below `~/.local/state`. Returns `nil` if neither base
    /// path is absolute; the XDG Base Directory Specification ignores relative paths.
    static func folder(
        _ name: String = "key-chain", of service: String, _ environment: [String: String]
    ) -> String? {
        func absolute(_ variable: String) -> String? { environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let state = absolute("XDG_STATE_HOME") ?? absolute("HOME").map { $0 + "/.local/state" }
        return state.map { $0 + "/" + component(service) + "/" + name }
    }

    /// Returns the identifier of the running program's bundle or, without one, the name of its executable.
    static func defaultService(bundleIdentifier: String?, executable: String?, process: String) -> String {
        [bundleIdentifier, executable].compactMap(\.self).first { !$0.isEmpty } ?? process
    }

    /// Returns the service as one path component. Special characters are percent-encoded, so services never share a
    /// folder and no name refers to a path outside the base folder.
    static func component(_ service: String) -> String {
        var text = ""
        for byte in service.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
                case ".": !text.isEmpty
                default: false
                }
            text += isPlain ? String(Character(scalar)) : percent(byte)
        }
        if text.isEmpty { return "%" }
        guard text.utf8.count > 200 else { return text }
        // File systems limit names to 255 bytes, so longer names are hashed. No name above starts with "%h".
        return "%h" + SHA256.hash(data: Data(service.utf8)).map(percent).joined().filter { $0 != "%" }
    }

    private static func percent(_ byte: UInt8) -> String {
        "%" + String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
    }
}
