import Crypto
import Foundation

/// Where the credentials of a service are by default.
enum KeyChainLocation {
    /// `$XDG_STATE_HOME/SERVICE/NAME`, or that below `~/.local/state`: the XDG Base Directory Specification, by which
    /// a path that is not absolute does not count. `nil` where there is no such folder.
    static func folder(
        _ name: String = "key-chain", of service: String, _ environment: [String: String]
    ) -> String? {
        func absolute(_ variable: String) -> String? { environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let state = absolute("XDG_STATE_HOME") ?? absolute("HOME").map { $0 + "/.local/state" }
        return state.map { $0 + "/" + component(service) + "/" + name }
    }

    /// The name of the running program's bundle or, where it has none, of its executable.
    static func defaultService(bundleIdentifier: String?, executable: String?, process: String) -> String {
        [bundleIdentifier, executable].compactMap(\.self).first { !$0.isEmpty } ?? process
    }

    /// The service as one component of a path: whatever could mean something else there is percent-encoded, so that no
    /// two services share a folder and none leads out of it.
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
        // File systems stop at 255 bytes. Nothing above begins with a percent sign and this letter.
        return "%h" + SHA256.hash(data: Data(service.utf8)).map(percent).joined().filter { $0 != "%" }
    }

    private static func percent(_ byte: UInt8) -> String {
        "%" + String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
    }
}
