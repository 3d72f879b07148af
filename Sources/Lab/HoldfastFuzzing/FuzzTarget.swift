import HoldfastTrust
import HoldfastWebSocket

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reader of untrusted input, with the properties that must hold for all input.
///
/// Three programs run the targets: libFuzzer, a driver with seeded mutations (both in `Fuzz/`), and a test that runs
/// the committed corpus.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Certificates: parsing and verification.
    case certificate
    /// Several concatenated certificates, as a server might send them.
    case chain
    /// Revocation lists.
    case crl
    /// OCSP answers.
    case ocsp
    /// Lists of certificate timestamps, as a certificate contains them.
    case timestamps = "sct-list"
    /// Lists of certificate transparency logs, and signed ones.
    case logList = "log-list"
    /// PEM texts.
    case pem
    /// Host names and addresses.
    case host
    /// Signed bundles of policies.
    case bundle
    /// Policies in Holdfast's own format (JSON).
    case holdfast
    /// TrustKit's property lists and JSON.
    case trustKit = "trustkit"
    /// Property lists with `NSPinnedDomains`.
    case pinnedDomains = "nspinneddomains"
    /// Android's network security configuration (XML).
    case android
    /// OkHttp's pins, one a line.
    case okHttp = "okhttp"
    /// The `Public-Key-Pins` header.
    case hpkp
    /// Chromium's static pins: JSON with comments.
    case chromium
    /// curl's option for pinned public keys.
    case curl
    /// The bytes that a server sends to a WebSocket client after the upgrade.
    case webSocketClient = "websocket-client"
    /// The bytes that a client sends to a WebSocket server after the upgrade.
    case webSocketServer = "websocket-server"
    /// The HTTP heads of a WebSocket upgrade: a client's request and a server's response.
    case webSocketHandshake = "websocket-handshake"
    /// Messages that one end of a WebSocket sends and the other end receives.
    case webSocketSending = "websocket-sending"
    /// The frames that a page of the chat sends to its server.
    case pageIntent = "page-intent"

    /// The time at which certificates and policies are evaluated.
    static let time = Timestamp(secondsSince1970: 1_931_342_400)

    /// Runs the target on the bytes. A trap is the other way to fail.
    ///
    /// - Throws: ``BrokenPromise`` if a property does not hold.
    public func run(_ bytes: [UInt8]) throws(BrokenPromise) {
        switch self {
        case .certificate: try CertificateFuzzing.certificate(bytes)
        case .chain: try CertificateFuzzing.chain(bytes)
        case .crl: try RevocationListFuzzing.list(bytes)
        case .ocsp: try OCSPFuzzing.answer(bytes)
        case .timestamps: try TransparencyFuzzing.timestamps(bytes)
        case .logList: try TransparencyFuzzing.logList(bytes)
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
        case .pageIntent: try PageFuzzing.intent(bytes)
        }
    }
}

/// The committed samples of a target: the files in the folder with the target's name.
public enum FuzzCorpus {
    /// Returns the samples, sorted by name. Throws the errors of the file system.
    public static func samples(of target: FuzzTarget, in folder: String) throws -> [(name: String, bytes: [UInt8])] {
        let directory = folder + "/" + target.rawValue
        return try FileManager.default.contentsOfDirectory(atPath: directory).sorted().map { name in
            (name, Array(try Data(contentsOf: URL(fileURLWithPath: directory + "/" + name))))
        }
    }
}

/// An error for a property that must hold for all input and does not hold for this input.
public struct BrokenPromise: Error, CustomStringConvertible {
    /// The violated property.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Throws unless the condition holds.
    static func unless(_ holds: Bool, _ description: @autoclosure () -> String) throws(BrokenPromise) {
        guard holds else { throw BrokenPromise(description()) }
    }
}
