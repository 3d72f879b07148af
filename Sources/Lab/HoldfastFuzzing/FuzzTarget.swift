import HoldfastTrust
import HoldfastWebSocket

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reader of hostile bytes, and what must hold for whatever bytes it is given.
///
/// Two programs and a test drive these: libFuzzer, a plain driver with seeded mutations (both in `Fuzz/`), and a run over
/// the committed corpus in the test suite.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Certificates, from their bytes to a verdict.
    case certificate
    /// Several certificates, one behind the other, as a server might send them.
    case chain
    /// Revocation lists.
    case crl
    /// PEM texts.
    case pem
    /// Host names and addresses.
    case host
    /// Signed bundles of policies.
    case bundle
    /// Policies, by format. Holdfast's own is JSON.
    case holdfast
    /// TrustKit's property lists, and its JSON.
    case trustKit = "trustkit"
    /// Property lists with `NSPinnedDomains`.
    case pinnedDomains = "nspinneddomains"
    /// Android's XML.
    case android
    /// OkHttp's lines.
    case okHttp = "okhttp"
    /// The `Public-Key-Pins` header.
    case hpkp
    /// Chromium's static pins: JSON with comments.
    case chromium
    /// curl's option.
    case curl
    /// What a server sends to a WebSocket client, behind the upgrade.
    case webSocketClient = "websocket-client"
    /// What a client sends to a WebSocket server, behind the upgrade.
    case webSocketServer = "websocket-server"
    /// The heads of the upgrade to a WebSocket: a client's request, a server's answer.
    case webSocketHandshake = "websocket-handshake"
    /// What one end of a WebSocket sends, and the other one makes of it.
    case webSocketSending = "websocket-sending"

    /// The instant for which everything is judged.
    static let time = Timestamp(secondsSince1970: 1_931_342_400)

    /// Reads the bytes and throws ``BrokenPromise`` if something does not hold. A trap is the other way to fail.
    public func run(_ bytes: [UInt8]) throws(BrokenPromise) {
        switch self {
        case .certificate: try CertificateFuzzing.certificate(bytes)
        case .chain: try CertificateFuzzing.chain(bytes)
        case .crl: try CertificateFuzzing.revocationList(bytes)
        case .pem: try TextFuzzing.pem(bytes)
        case .host: try TextFuzzing.host(bytes)
        case .bundle: try TextFuzzing.bundle(bytes)
        case .holdfast: try PolicyFuzzing.policy(bytes, .holdfast)
        case .trustKit: try PolicyFuzzing.policy(bytes, .trustKit)
        case .pinnedDomains: try PolicyFuzzing.policy(bytes, .pinnedDomains)
        case .android: try PolicyFuzzing.policy(bytes, .android)
        case .okHttp: try PolicyFuzzing.policy(bytes, .okHttp)
        case .hpkp: try PolicyFuzzing.policy(bytes, .hpkp)
        case .chromium: try PolicyFuzzing.policy(bytes, .chromium)
        case .curl: try PolicyFuzzing.policy(bytes, .curl)
        case .webSocketClient: try WebSocketFuzzing.session(bytes, .client)
        case .webSocketServer: try WebSocketFuzzing.session(bytes, .server)
        case .webSocketHandshake: try HandshakeFuzzing.heads(bytes)
        case .webSocketSending: try WebSocketFuzzing.sending(bytes)
        }
    }
}

/// Something that must hold for all bytes does not hold for some.
public struct BrokenPromise: Error, CustomStringConvertible {
    /// What does not hold.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Throws unless it holds.
    static func unless(_ holds: Bool, _ description: @autoclosure () -> String) throws(BrokenPromise) {
        guard holds else { throw BrokenPromise(description()) }
    }
}

/// The committed samples of a target: the files of the folder with its name.
public enum FuzzCorpus {
    /// The samples in the order of their names. Throws what the file system throws.
    public static func samples(of target: FuzzTarget, in folder: String) throws -> [(name: String, bytes: [UInt8])] {
        let directory = folder + "/" + target.rawValue
        return try FileManager.default.contentsOfDirectory(atPath: directory).sorted().map { name in
            (name, Array(try Data(contentsOf: URL(fileURLWithPath: directory + "/" + name))))
        }
    }
}
