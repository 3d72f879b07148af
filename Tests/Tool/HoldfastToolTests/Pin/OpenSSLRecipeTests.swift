import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("holdfast pin: the openssl commands") struct OpenSSLRecipeTests {
    private static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Returns what a shell prints for a command.
    private func shell(_ command: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test(.enabled(if: openssl != nil, "openssl is not installed"))
    func theCommandPrintsTheSamePin() async throws {
        let factory = CertificateFactory()
        let folder = try TemporaryFolder()
        let root = try factory.authority("Root", .init(keyKind: .rsa2048))
        let leaf = try factory.leaf(["shop.example"], signedBy: root, .init(keyKind: .p384))
        let info = Data(leaf.view.subjectPublicKeyInfo).base64EncodedString()
        let files = [
            try folder.file("chain.pem", leaf.certificatePEM + "\n" + root.certificatePEM),
            try folder.file("it's a leaf.cer", leaf.certificateDER),
            try folder.file("key.pem", "-----BEGIN PUBLIC KEY-----\n\(info)\n-----END PUBLIC KEY-----\n"),
            try folder.file("key.der", Array(leaf.view.subjectPublicKeyInfo)),
        ]
        for file in files {
            let outcome = await ToolOutcome.of("pin", file, "--json")
            let keys = try JSONDecoder().decode(PinOutput.self, from: Data(outcome.output.utf8)).keys
            #expect(!keys.isEmpty)
            for key in keys {
                #expect(try shell(key.command) == key.pin, "\(key.command)")
            }
        }
    }

    @Test(.enabled(if: openssl != nil, "openssl is not installed"))
    func aCertificationRequestOfOpensslHasThePinOfItsKey() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        _ = try shell(
            "cd \(ShellWord(path)) && openssl ecparam -name prime256v1 -genkey -noout -out key.pem "
                + "&& openssl req -new -key key.pem -subj /CN=shop.example -out request.pem "
                + "&& openssl req -in request.pem -outform DER -out request.der")
        for name in ["request.pem", "request.der"] {
            let outcome = await ToolOutcome.of("pin", path + "/" + name, "--json")
            #expect(outcome.status == .success, "\(outcome.notes)")
            let keys = try JSONDecoder().decode(PinOutput.self, from: Data(outcome.output.utf8)).keys
            let key = try #require(keys.count == 1 ? keys.first : nil)
            #expect(key.kind == "certificationRequest")
            #expect(try shell(key.command) == key.pin, "\(key.command)")
        }
    }

    @Test func commandForAServerSendsItsName() {
        let named = OpenSSLRecipe(origin: .server("shop.example:443", serverName: "shop.example"))
        #expect(
            named.text(for: .certificate, position: 2)
                == "openssl s_client -connect shop.example:443 -servername shop.example -showcerts "
                + "</dev/null 2>/dev/null"
                + " | awk '/BEGIN .*CERTIFICATE-/{n++} n==2' | openssl x509 -noout -pubkey"
                + " | openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | openssl base64")
        let address = OpenSSLRecipe(origin: .server("[::1]:443", serverName: nil))
        #expect(
            address.text(for: .certificate, position: 1).hasPrefix(
                "openssl s_client -connect '[::1]:443' -noservername "))
    }

    @Test(arguments: [
        ("plain/path-1_2.pem", "plain/path-1_2.pem"), ("", "''"), ("two words", "'two words'"), ("it's", "'it'\\''s'"),
        ("$(rm -rf /)", "'$(rm -rf /)'"), ("a;b", "'a;b'"), ("ü", "'ü'"),
    ]) func aWordIsQuotedForTheShell(_ word: String, _ quoted: String) throws {
        #expect(ShellWord(word).description == quoted)
        #expect(try shell("printf %s \(ShellWord(word))") == word)
    }
}
