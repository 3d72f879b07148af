import Foundation
import HoldfastTestSupport
import HoldfastTrust
import NIOSSL

@testable import HoldfastTool

/// The files that documented commands use, in a folder that is removed with the last reference.
struct DocumentFiles: Sendable {
    /// The host of the policies, in addition to `localhost`, where the servers run.
    static let host = "www.example.com"

    let folder: TemporaryFolder
    let leaf: Identity
    /// The pins of the server's key and of a backup key, in base64.
    let pins: [String]

    init() throws {
        folder = try TemporaryFolder()
        let factory = CertificateFactory(now: TrustClock.system.now())
        // The development server's root has this name: `serve chat --root root.pem` replaces the root of an earlier
        // run.
        let root = try factory.authority("Holdfast Development Root")
        let intermediate = try factory.intermediate("Intermediate", signedBy: root)
        leaf = try factory.leaf(["localhost", Self.host], ipAddresses: ["127.0.0.1"], signedBy: intermediate)
        let next = try factory.leaf(["localhost", Self.host], ipAddresses: ["127.0.0.1"], signedBy: intermediate)
        pins = [leaf, next].map { $0.view.spkiDigest.base64 }

        for name in ["root.pem", "machine-roots.pem"] { try write(name, root.certificatePEM) }
        try write("chain.pem", leaf.chainPEM)
        try write("key.pem", leaf.privateKeyPEM, mode: 0o600)
        for name in ["server.pem", "certificate.pem"] { try write(name, leaf.certificatePEM) }
        for name in ["next.pem", "backup.pem"] { try write(name, next.certificatePEM) }
        try writePKCS12("identity.p12", password: "a-password-of-a-test")
        try write("password.txt", "a-password-of-a-test\n", mode: 0o600)
        for name in ["server.cer", "cert.cer"] { _ = try folder.file(name, leaf.certificateDER) }
        let key = Data(leaf.view.subjectPublicKeyInfo).base64EncodedString()
        try write("public.pem", "-----BEGIN PUBLIC KEY-----\n\(key)\n-----END PUBLIC KEY-----\n")
        for shipped in ["certificates", "Certificates", "App/Certificates"] {
            try makeFolder(shipped)
            _ = try folder.file("\(shipped)/current.cer", leaf.certificateDER)
            _ = try folder.file("\(shipped)/next.cer", next.certificateDER)
        }
        try writePolicies()
        try write("cases.jsonl", try TestCase("one", leaf, host: Self.host).line + "\n")
        try write("token", "an-operators-token-of-a-test\n", mode: 0o600)
        try write("token.txt", "X-Token: a-token-of-a-test\n", mode: 0o600)
        try write(
            "faq.json", #"{"holdfastCannedAnswers": 1, "answers": [{"name": "Greeting", "text": "Hello"}]}"#)
        try writeReport()
    }

    private func writePolicies() throws {
        let list = pins.map { "\"sha256/\($0)\"" }.joined(separator: ", ")
        let domains = ["localhost", Self.host].map { "{\"host\": \"\($0)\", \"pins\": [\(list)]}" }
        let policy = "{\"holdfast\": 1, \"name\": \"shop\", \"domains\": [\(domains.joined(separator: ", "))]}"
        for name in ["policy.json", "policy-in-the-app.json"] { try write(name, policy) }

        let hashes = pins.map { "<string>\($0)</string>" }.joined()
        try write(
            "trustkit.plist",
            propertyList(
                """
                <key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict><key>\(Self.host)</key><dict>
                <key>TSKEnforcePinning</key><true/><key>TSKDisableDefaultReportUri</key><true/>
                <key>TSKPublicKeyHashes</key><array>\(hashes)</array></dict></dict></dict>
                """))
        let keys = pins.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>" }.joined()
        let info = propertyList(
            """
            <key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict><key>\(Self.host)</key><dict>
            <key>NSPinnedLeafIdentities</key><array>\(keys)</array></dict></dict></dict>
            """)
        try makeFolder("Extension")
        for name in ["App/Info.plist", "Extension/Info.plist", "Debug.plist", "Release.plist"] { try write(name, info) }

        let arguments = pins.map { ", \"sha256/\($0)\"" }.joined()
        try write("Client.kt", "val pinner = CertificatePinner.Builder().add(\"\(Self.host)\"\(arguments)).build()\n")

        let fields = pins.map { "pin-sha256=\"\($0)\"" } + ["max-age=5184000"]
        try write("header.txt", "Public-Key-Pins: \(fields.joined(separator: "; "))\n")
    }

    /// Writes the leaf, its key and its issuers.
    private func writePKCS12(_ name: String, password: String) throws {
        let certificates = try leaf.chain.map { try NIOSSLCertificate(bytes: $0, format: .der) }
        let key = try NIOSSLPrivateKey(bytes: Array(leaf.privateKeyPEM.utf8), format: .pem)
        let bundle = NIOSSLPKCS12Bundle(certificateChain: certificates, privateKey: key)
        _ = try folder.file(name, try bundle.serialize(passphrase: Array(password.utf8)))
    }

    /// Writes a report in TrustKit's format.
    private func writeReport() throws {
        let fields: [String: Any] = [
            "app-bundle-id": "com.example.shop", "app-version": "1", "app-vendor-id": "", "app-platform": "IOS",
            "trustkit-version": "3.0.0", "date-time": "2031-03-15T12:00:00Z", "hostname": Self.host, "port": 443,
            "noted-hostname": Self.host, "include-subdomains": false, "enforce-pinning": true,
            "validated-certificate-chain": [leaf.certificatePEM], "known-pins": ["pin-sha256=\"\(pins[0])\""],
            "validation-result": 1,
        ]
        _ = try folder.file("report.json", Array(try JSONSerialization.data(withJSONObject: fields)))
    }

    private func propertyList(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        \(body)
        </dict></plist>
        """
    }

    /// Writes a text file, with a mode if one is given.
    func write(_ name: String, _ text: String, mode: Int? = nil) throws {
        let path = try folder.file(name, text)
        if let mode { try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path) }
    }

    /// Creates a folder within the folder.
    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/" + name, withIntermediateDirectories: true)
    }
}
