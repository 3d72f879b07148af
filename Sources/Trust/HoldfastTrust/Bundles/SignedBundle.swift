import HoldfastBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A policy in its signed envelope: JSON with the payload bytes in base64, so that exactly the signed bytes are read.
/// See `docs/bundles.md`.
public struct SignedBundle: Hashable, Sendable {
    /// The maximum size of a bundle in bytes.
    public static let maximumSize = 4 << 20
    /// The highest valid version: 2^53 - 1, the largest integer that every JSON reader preserves exactly.
    ///
    /// An app refuses every version below its current one, so a version near the end of the integer range would block
    /// all later bundles. Unix seconds are in range.
    public static let maximumVersion: Int64 = 9_007_199_254_740_991

    /// The bytes of the envelope.
    public let bytes: [UInt8]
    let keyID: String
    let algorithm: BundleAlgorithm
    let payload: [UInt8]
    let signature: [UInt8]

    /// Reads an envelope without verifying it.
    ///
    /// - Throws: ``BundleError`` with the code `malformed` or `tooLarge`.
    public init(_ bytes: [UInt8]) throws(BundleError) {
        guard bytes.count <= SignedBundle.maximumSize else {
            throw BundleError(
                .tooLarge, "The bundle has \(bytes.count) bytes; the limit is \(SignedBundle.maximumSize).")
        }
        let fields = try SignedBundle.fields(
            of: bytes, allowed: ["holdfastBundle", "keyID", "algorithm", "payload", "signature"])
        guard fields["holdfastBundle"] == .number("1") else {
            throw BundleError(.malformed, "The bundle does not have version 1 of the format.")
        }
        guard case .string(let keyID) = fields["keyID"], case .string(let name) = fields["algorithm"],
            let algorithm = BundleAlgorithm(rawValue: name), case .string(let payload) = fields["payload"],
            case .string(let signature) = fields["signature"], let payloadBytes = Data(base64Encoded: payload),
            let signatureBytes = Data(base64Encoded: signature)
        else {
            throw BundleError(
                .malformed, "keyID, algorithm, payload or signature of the bundle is missing or malformed.")
        }
        self.bytes = bytes
        self.keyID = keyID
        self.algorithm = algorithm
        self.payload = Array(payloadBytes)
        self.signature = Array(signatureBytes)
    }

    /// Creates and signs a bundle.
    ///
    /// - Parameters:
    ///   - policy: The contents of a policy file in Holdfast's own format. The policy is checked before it is signed.
    ///   - application: The application that accepts the bundle.
    ///   - version: From 1 to ``maximumVersion``. An app accepts only versions that are higher than its current one.
    ///   - allowsEmptyPolicy: Whether a policy without effect is signed. Apps accept it only with the permission
    ///     ``BundlePermissions/unpin``.
    /// - Throws: ``BundleError`` with the code `invalidPolicy` or `malformed`.
    public static func sign(
        policy: [UInt8], application: String, version: Int64, notBefore: Timestamp, notAfter: Timestamp,
        with key: BundleSigningKey, allowsEmptyPolicy: Bool = false
    ) throws(BundleError) -> SignedBundle {
        guard notBefore < notAfter, !application.isEmpty else {
            throw BundleError(
                .malformed, "A bundle needs an application, and its notAfter must be later than its notBefore.")
        }
        guard (1...maximumVersion).contains(version) else {
            throw BundleError(
                .malformed, "The version \(version) is not between 1 and \(maximumVersion).")
        }
        let honoured: PinningPolicy
        do throws(PolicyError) { honoured = try PinningPolicy(holdfastJSON: policy) } catch {
            throw BundleError(.invalidPolicy, "The policy is not valid.", problems: error.problems)
        }
        guard allowsEmptyPolicy || !honoured.asksForNothing else {
            throw BundleError(
                .invalidPolicy,
                "The policy has no effect: it has no rule with pins, denied key or anchor, and it allows hosts "
                    + "without a rule. "
                    + "Apps accept it only with the permission unpin.")
        }
        let payload = Array(
            JSONWriter.text(
                .fields([
                    ("application", .string(application)),
                    ("version", .number(String(version))),
                    ("notBefore", .text(notBefore)),
                    ("notAfter", .text(notAfter)),
                    ("policy", .string(String(decoding: policy, as: UTF8.self))),
                ])
            ).utf8)
        let signature = try key.sign(message(payload, keyID: key.id, key.algorithm))
        let envelope = JSONWriter.text(
            .fields([
                ("holdfastBundle", .number("1")),
                ("keyID", .string(key.id)),
                ("algorithm", .string(key.algorithm.rawValue)),
                ("payload", .string(Data(payload).base64EncodedString())),
                ("signature", .string(Data(signature).base64EncodedString())),
            ]))
        return try SignedBundle(Array(envelope.utf8))
    }

    /// The signed message: a prefix that other uses of the key do not share, followed by each part with its length.
    static func message(_ payload: [UInt8], keyID: String, _ algorithm: BundleAlgorithm) -> [UInt8] {
        var message = Array("holdfast pin bundle, version 1\n".utf8)
        for part in [Array(algorithm.rawValue.utf8), Array(keyID.utf8), payload] {
            message += (0..<8).map { UInt8(truncatingIfNeeded: UInt64(part.count) >> (56 - 8 * UInt64($0))) }
            message += part
        }
        return message
    }

    static func fields(of bytes: [UInt8], allowed: Set<String>) throws(BundleError) -> [String: JSONNode.Value] {
        do throws(JSONFault) {
            guard case .object(let members) = try JSONReader.read(bytes).value else {
                throw JSONFault(reason: "expected an object", position: .start)
            }
            if let unknown = members.first(where: { !allowed.contains($0.key) }) {
                throw JSONFault(
                    reason: "the key \"\(Printable.text(unknown.key))\" is unknown", position: unknown.position)
            }
            return Dictionary(members.map { ($0.key, $0.value.value) }) { first, _ in first }
        } catch {
            throw BundleError(.malformed, "The bundle cannot be read: \(error.position): \(error.reason).")
        }
    }
}

extension SignedBundle {
    /// The unverified application and version of a payload.
    package struct Claims: Hashable, Sendable {
        /// The application that accepts the bundle.
        package var application: String
        /// The version.
        package var version: Int64
    }

    /// Reads the payload without verifying its signature, for the operator's tools. Apps must not use it.
    ///
    /// - Throws: ``BundleError`` with the code `malformed`.
    package func unverifiedClaims() throws(BundleError) -> Claims {
        let fields = try SignedBundle.fields(
            of: payload, allowed: ["application", "version", "notBefore", "notAfter", "policy"])
        guard case .string(let application) = fields["application"], case .number(let digits) = fields["version"],
            let version = Int64(digits)
        else { throw BundleError(.malformed, "The application or the version of the payload is missing.") }
        return Claims(application: application, version: version)
    }
}

/// The reason why a bundle was refused. The policy in force stays in force.
public struct BundleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes are stable and safe as metric labels. New codes may be added, so compare with the
    /// constants and handle unknown codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as text.
        public let rawValue: String
        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The code as text.
        public var description: String { rawValue }

        /// The bundle exceeds the maximum size.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The bytes are not a valid bundle.
        public static let malformed = Code(rawValue: "malformed")
        /// The key id of the bundle is not in the key set.
        public static let unknownKey = Code(rawValue: "unknownKey")
        /// The algorithm of the bundle differs from that of its key.
        public static let algorithmMismatch = Code(rawValue: "algorithmMismatch")
        /// The signature does not match the key.
        public static let badSignature = Code(rawValue: "badSignature")
        /// The bundle is for another application.
        public static let wrongApplication = Code(rawValue: "wrongApplication")
        /// The bundle is not yet valid.
        public static let notYetValid = Code(rawValue: "notYetValid")
        /// The bundle has expired.
        public static let expired = Code(rawValue: "expired")
        /// A newer version is in force.
        public static let rollback = Code(rawValue: "rollback")
        /// The same version is already in force with other contents.
        public static let versionReused = Code(rawValue: "versionReused")
        /// The policy in the bundle is not valid.
        public static let invalidPolicy = Code(rawValue: "invalidPolicy")
        /// The bundle removes protection without the required permission.
        public static let weakensPolicy = Code(rawValue: "weakensPolicy")
        /// The copy on disk could not be read or written.
        public static let storage = Code(rawValue: "storage")
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable sentence.
    public var reason: String
    /// The problems of the policy in the bundle, if they are the reason.
    public var problems: [PolicyError.Problem]

    /// Creates an error.
    public init(_ code: Code, _ reason: String, problems: [PolicyError.Problem] = []) {
        self.code = code
        self.reason = reason
        self.problems = problems
    }

    /// The reason as text.
    public var description: String {
        ([reason] + problems.map { "  \($0)" }).joined(separator: "\n")
    }
}
