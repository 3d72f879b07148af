import Foundation
import HoldfastFuzzing
import HoldfastTestSupport
import HoldfastTrust

/// Writes the generated part of the corpus: certificates and signed bundles.
///
/// Keys are new each time, so that another run writes other files. Policies are written by hand, in folders named after
/// the formats.
enum CorpusMaker {
    static func write(to folder: String) throws {
        let factory = CertificateFactory()
        for (target, samples) in try certificates(factory) + texts(factory) {
            let directory = folder + "/" + target.rawValue
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            for (name, bytes) in samples {
                try Data(bytes).write(to: URL(fileURLWithPath: directory + "/" + name))
            }
        }
    }

    private typealias Samples = [(name: String, bytes: [UInt8])]

    private static func certificates(_ factory: CertificateFactory) throws -> [(FuzzTarget, Samples)] {
        let root = try factory.authority("Root", .with { $0.organization = "Fuzz  Ämter" })
        let constraints = NameConstraintSet(
            permittedDNSNames: ["example.com", ".example.org"], excludedDNSNames: ["bad.example.com"],
            permittedIPRanges: [[10, 0, 0, 0, 255, 0, 0, 0]],
            excludedIPRanges: [Array(repeating: 0xFD, count: 16) + Array(repeating: 0xFF, count: 16)],
            excludedDirectoryNames: [
                [0x30, 0x0F, 0x31, 0x0D, 0x30, 0x0B, 0x06, 3, 0x55, 4, 0x0A, 0x0C, 4] + Array("Evil".utf8)
            ])
        let issuing = try factory.intermediate(
            "Issuing", signedBy: root, .init(pathLength: 0, nameConstraints: constraints))
        let leaf = try factory.leaf(
            ["chat.example.com", "*.example.com"], ipAddresses: ["10.1.2.3", "::1"], signedBy: issuing)
        let names = try factory.leaf(
            ["chat.example.com"], signedBy: issuing,
            .with {
                $0.extraGeneralNames = [
                    [0x81, 13] + Array("u@example.com".utf8), [0x86, 13] + Array("https://a.b/c".utf8),
                    [0xA4, 2, 0x30, 0], [0x88, 2, 0x2A, 3],
                ]
            })
        let rsaRoot = try factory.authority("RSA", .init(keyKind: .rsa2048))
        let rsaLeaf = try factory.leaf(["chat.example.com"], signedBy: rsaRoot, .init(keyKind: .rsa2048))
        let ed25519 = try factory.leaf(["chat.example.com"], signedBy: nil, .init(keyKind: .ed25519))
        let p521 = try factory.leaf(["chat.example.com"], signedBy: nil, .init(keyKind: .p521))
        let old = try factory.leaf(["chat.example.com"], signedBy: root, .with { $0.version = 1 })
        let odd = try factory.leaf(
            ["chat.example.com"], signedBy: root,
            .with {
                $0.extraExtensions = [ExtraExtension("1.2.3.4", isCritical: true), ExtraExtension("2.5.29.17")]
                $0.extendedKeyUsages = []
                $0.serial = [0]
            })
        let all: [(String, Identity)] = [
            ("root", root), ("issuing", issuing), ("leaf", leaf), ("names", names), ("rsa", rsaLeaf),
            ("ed25519", ed25519), ("p521", p521), ("version-1", old), ("odd", odd),
        ]
        func joined(_ list: [Identity]) -> [UInt8] { Array(list.map(\.certificateDER).joined()) }
        return [
            (.certificate, all.map { ($0, $1.certificateDER) }),
            (
                .chain,
                [
                    ("three", joined([leaf, issuing, root])), ("names", joined([names, issuing, root])),
                    ("rsa", joined([rsaLeaf, rsaRoot])), ("self-signed", joined([ed25519])),
                    ("noise", joined([leaf, odd, issuing]) + [0x30, 0x03, 1, 2, 3] + joined([root])),
                ]
            ),
            (.crl, RevocationListSamples.all),
            (.timestamps, try TransparencySamples.timestamps(factory)),
            (.logList, try TransparencySamples.logLists(factory)),
            (
                .pem,
                [
                    ("chain", Array(leaf.chainPEM.utf8)), ("key", Array(ed25519.privateKeyPEM.utf8)),
                    ("text", Array("# a comment\r\n-----BEGIN X-----\r\nAAAA\r\nAA==\r\n-----END X-----\r\n".utf8)),
                    ("damaged", Array("-----BEGIN X-----\nProc-Type: 4\n\nAAA\n-----END Y-----\n-----BEGIN X".utf8)),
                ]
            ),
        ]
    }

    private static func texts(_ factory: CertificateFactory) throws -> [(FuzzTarget, Samples)] {
        let key = BundleSigningKey(generating: .ed25519, id: "2031")
        let bundle = try SignedBundle.sign(
            policy: Array(TextSamples.policy.utf8), application: "com.example.app", version: 7,
            notBefore: factory.now, notAfter: factory.now.advanced(bySeconds: 86_400), with: key)
        return [
            (.host, TextSamples.hosts.map { ($0.name, Array($0.text.utf8)) }),
            (
                .bundle,
                [
                    ("ed25519", bundle.bytes), ("empty", Array("{}".utf8)),
                    ("other", Array("{\"holdfastBundle\": 2, \"keyID\": \"a\", \"payload\": \"!\"}".utf8)),
                ]
            ),
        ]
    }
}

extension Timestamp {
    fileprivate func advanced(bySeconds seconds: Int64) -> Timestamp {
        Timestamp(secondsSince1970: secondsSince1970 + seconds)
    }
}
