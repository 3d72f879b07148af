import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Versions that would exclude all later bundles, and empty policies.
@Suite("Versions and contents of bundles")
struct BundleVersionTests {
    private let now = CertificateFactory.referenceTime
    private let signer = BundleSigningKey(generating: .ed25519, id: "2031-a")

    private var keys: [BundleKey] {
        get throws { [try BundleKey(id: "2031-a", publicKey: Array(signer.publicKeyPEM.utf8))] }
    }

    private let policy = Array(
        """
        {"holdfast": 1, "name": "p", "backupPins": "off", \
        "domains": [{"host": "example.com", "pins": ["\(SPKIDigest(hashing: [1]))"]}]}
        """.utf8)

    private func sign(
        _ policy: [UInt8], version: Int64 = 1, allowsEmptyPolicy: Bool = false
    ) throws -> SignedBundle {
        try SignedBundle.sign(
            policy: policy, application: "app", version: version, notBefore: now.advanced(bySeconds: -10),
            notAfter: now.advanced(bySeconds: 10), with: signer, allowsEmptyPolicy: allowsEmptyPolicy)
    }

    /// Returns a bundle as a signer without Holdfast's checks would create it.
    private func forged(_ policy: String, version: String) throws -> [UInt8] {
        let payload = Array(
            JSONWriter.text(
                .fields([
                    ("application", .string("app")), ("version", .number(version)),
                    ("notBefore", .text(now.advanced(bySeconds: -10))),
                    ("notAfter", .text(now.advanced(bySeconds: 10))),
                    ("policy", .string(policy)),
                ])
            ).utf8)
        let signature = try signer.sign(SignedBundle.message(payload, keyID: signer.id, signer.algorithm))
        return Array(
            JSONWriter.text(
                .fields([
                    ("holdfastBundle", .number("1")), ("keyID", .string(signer.id)), ("algorithm", .string("ed25519")),
                    ("payload", .string(Data(payload).base64EncodedString())),
                    ("signature", .string(Data(signature).base64EncodedString())),
                ])
            ).utf8)
    }

    private func state(_ embedded: PinningPolicy, _ permissions: BundlePermissions = []) throws -> BundleState {
        BundleState(embedded: embedded, version: 0, keys: try keys, application: "app", permissions: permissions)
    }

    @Test("refuses versions above 2^53 - 1 for signing and reading", arguments: [Int64.max, 9_007_199_254_740_992])
    func highVersions(_ version: Int64) throws {
        #expect(throws: BundleError.self) { try sign(policy, version: version) }
        var state = try state(try PinningPolicy(holdfastJSON: policy))
        let bytes = try forged(String(decoding: policy, as: UTF8.self), version: "\(version)")
        let error = #expect(throws: BundleError.self) { try state.offer(bytes, at: now) }
        #expect(error?.code == .malformed && error?.reason.contains("9007199254740991") == true)
        let later = try sign(policy, version: 2)
        #expect(try state.offer(later.bytes, at: now) == .taken, "a valid bundle is accepted afterwards")
    }

    @Test("accepts the highest version, which is far above Unix seconds")
    func highestVersion() throws {
        var state = try state(try PinningPolicy(holdfastJSON: policy))
        #expect(try state.offer(sign(policy, version: 4_102_444_800).bytes, at: now) == .taken)
        #expect(try state.offer(sign(policy, version: SignedBundle.maximumVersion).bytes, at: now) == .taken)
    }

    @Test(
        "refuses to sign an empty policy, and accepts it only with permission",
        arguments: [#"{"holdfast": 1}"#, #"{"holdfast": 1, "domains": [{"host": "example.com", "excluded": true}]}"#])
    func emptyPolicies(_ text: String) throws {
        let error = #expect(throws: BundleError.self) { try sign(Array(text.utf8)) }
        #expect(error?.code == .invalidPolicy)
        let bundle = try sign(Array(text.utf8), allowsEmptyPolicy: true)
        let empty = try PinningPolicy(holdfastJSON: Array(text.utf8))
        var strict = try state(empty, [.reportOnly, .anchors])
        let refusal = #expect(throws: BundleError.self) { try strict.offer(bundle.bytes, at: now) }
        #expect(refusal?.code == .weakensPolicy)
        var permitted = try state(try PinningPolicy(holdfastJSON: policy), .unpin)
        #expect(try permitted.offer(bundle.bytes, at: now) == .taken)
    }

    // MARK: - Keys

    @Test("refuses a key file of another kind and names the conversion command")
    func otherKeyFiles() throws {
        func publicReason(_ text: String) -> String {
            do throws(BundleError) {
                _ = try BundleKey(id: "k", publicKey: Array(text.utf8))
                return ""
            } catch { return error.reason }
        }
        func privateReason(_ text: String) -> String {
            do throws(BundleError) {
                _ = try BundleSigningKey(id: "k", pem: Array(text.utf8))
                return ""
            } catch { return error.reason }
        }
        func pem(_ label: String, _ body: String = "MAA=") -> String {
            "-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n"
        }
        #expect(publicReason(signer.privateKeyPEM).contains("openssl pkey -in FILE -pubout"))
        #expect(publicReason(pem("EC PRIVATE KEY")).contains("openssl pkey -in FILE -pubout"))
        #expect(publicReason(pem("CERTIFICATE")).contains("openssl x509 -in FILE -noout -pubkey"))
        #expect(publicReason(pem("CERTIFICATE REQUEST")).contains("openssl req -in FILE -noout -pubkey"))
        #expect(publicReason("ssh-ed25519 AAAA").contains("OpenSSH"))
        #expect(publicReason(pem("PUBLIC KEY")).contains("not an Ed25519 or P-256 key"))
        let encrypted = pem("EC PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nMAA=")
        for text in [encrypted, pem("ENCRYPTED PRIVATE KEY")] {
            #expect(privateReason(text).contains("encrypted. To write it without a passphrase: openssl pkey"))
        }
        #expect(privateReason(pem("OPENSSH PRIVATE KEY")).contains("holdfast bundle keygen"))
        #expect(
            privateReason(signer.publicKeyPEM).contains("contains a public key. Sign with the matching private key"))
        #expect(privateReason("\u{30}\u{2E}\u{02}").contains("openssl pkey -inform DER"))
        let secret = signer.privateKeyPEM.split(separator: "\n")[1]
        #expect(!publicReason(signer.privateKeyPEM).contains(secret))
    }
}
