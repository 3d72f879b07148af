import Foundation
import HoldfastTestSupport
import HoldfastTrust
import NIOSSL
import Testing

@testable import HoldfastTool

@Suite("holdfast pin: PKCS #12 files") struct PKCS12Tests {
    private static let password = "an-export-password-of-a-test"

    private let folder: TemporaryFolder
    private let root: Identity
    private let leaf: Identity

    init() throws {
        folder = try TemporaryFolder()
        let factory = CertificateFactory()
        root = try factory.authority("Root")
        leaf = try factory.leaf(["shop.example"], signedBy: root)
    }

    /// Returns the bytes of a file with the leaf, its key and the root.
    private func bytes(_ password: String = password) throws -> [UInt8] {
        let certificates = try [leaf, root].map { try NIOSSLCertificate(bytes: $0.certificateDER, format: .der) }
        let key = try NIOSSLPrivateKey(bytes: Array(leaf.privateKeyPEM.utf8), format: .pem)
        return try NIOSSLPKCS12Bundle(certificateChain: certificates, privateKey: key)
            .serialize(passphrase: Array(password.utf8))
    }

    private func passwordFile(_ text: String = password + "\n") throws -> String {
        let path = try folder.file("password.txt", text)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return path
    }

    private func pins(_ outcome: ToolOutcome) throws -> [String] {
        try JSONDecoder().decode(PinOutput.self, from: Data(outcome.output.utf8)).keys.map(\.pin)
    }

    @Test func everyCertificateIsListed() async throws {
        let file = try folder.file("identity.p12", try bytes())
        let outcome = await ToolOutcome.of("pin", file, "--password-file", try passwordFile(), "--json")
        #expect(outcome.status == .success, "\(outcome.notes)")
        #expect(outcome.notes.isEmpty)
        #expect(try pins(outcome) == [leaf, root].map(\.spkiDigest.base64))
        #expect(!outcome.output.contains(Self.password))
        let text = await ToolOutcome.of("pin", file, "--password-file", try passwordFile())
        #expect(text.output.contains("openssl pkcs12 -in \(file) -nokeys -passin file:"))
        #expect(!text.output.contains(Self.password))
    }

    @Test func contentsDecideNotTheName() async throws {
        let name = try folder.file("identity.dat", try bytes())
        #expect(await ToolOutcome.of("pin", name, "--password-file", try passwordFile()).status == .success)
        // A certificate with the wrong extension needs no password.
        let certificate = try folder.file("leaf.p12", leaf.certificateDER)
        #expect(try pins(await ToolOutcome.of("pin", certificate, "--json")) == [leaf.spkiDigest.base64])
    }

    @Test func emptyPasswordNeedsNoOption() async throws {
        let file = try folder.file("open.pfx", try bytes(""))
        let outcome = await ToolOutcome.of("pin", file, "--json")
        #expect(outcome.status == .success, "\(outcome.notes)")
        #expect(try pins(outcome) == [leaf, root].map(\.spkiDigest.base64))
    }

    @Test func wrongAndMissingPasswordsAreOneSentence() async throws {
        let file = try folder.file("identity.p12", try bytes())
        let wrong = await ToolOutcome.of("pin", file, "--password-file", try passwordFile("not-the-password"))
        wrong.expectUnusable("does not decrypt")
        #expect(!wrong.notes.contains("not-the-password"))
        let missing = await ToolOutcome.of("pin", file)
        missing.expectUnusable("--password-file")
        #expect(missing.notes.contains(ToolEnvironment.pkcs12Password))
        await ToolOutcome.of("pin", file, "--password-file", folder.path + "/none").expectUnusable("none")
    }

    @Test func passwordFileIsChecked() async throws {
        let file = try folder.file("identity.p12", try bytes())
        let open = try folder.file("open.txt", Self.password)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: open)
        let warned = await ToolOutcome.of("pin", file, "--password-file", open)
        #expect(warned.status == .success)
        #expect(warned.notes.contains("can be read or written by other users"))
        // Only the first line is the password, also with Windows' line breaks.
        let lines = try passwordFile(Self.password + "\r\nnotes\n")
        #expect(await ToolOutcome.of("pin", file, "--password-file", lines).status == .success)
        let binary = try folder.file("binary", [0xFF, 0xFE])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: binary)
        await ToolOutcome.of("pin", file, "--password-file", binary).expectUnusable("UTF-8")
        let unused = await ToolOutcome.of(
            "pin", try folder.file("leaf.pem", leaf.certificatePEM), "--password-file", try passwordFile())
        #expect(unused.status == .usage)
        #expect(unused.output.isEmpty)
    }

    @Test func environmentIsTheSecondChoice() throws {
        let transcript = Transcript()
        let path = try passwordFile("of the file\n")
        let file = try PKCS12Password(file: path, variable: "of the variable", on: transcript.console)
        #expect(file.text == "of the file" && file.origin == .file(path))
        let variable = try PKCS12Password(file: nil, variable: "of the variable", on: transcript.console)
        #expect(variable.text == "of the variable" && variable.origin == .environment)
        #expect(variable.opensslSource == "env:HOLDFAST_PKCS12_PASSWORD")
        let none = try PKCS12Password(file: nil, variable: nil, on: transcript.console)
        #expect(none.text.isEmpty && none.opensslSource == "pass:")
        #expect(throws: ToolError.self) {
            try PKCS12Password(file: nil, variable: "a\0b", on: transcript.console)
        }
    }

    @Test func passwordIsNotAnArgument() async throws {
        let file = try folder.file("identity.p12", try bytes())
        for option in ["--password", "--pass"] {
            #expect(await ToolOutcome.of("pin", file, option, Self.password).status == .usage)
        }
    }

    @Test func snippetsTakeTheKeys() async throws {
        let file = try folder.file("identity.p12", try bytes(""))
        let outcome = await ToolOutcome.of("pin", file, "--swift")
        #expect(outcome.status == .success, "\(outcome.notes)")
        #expect(outcome.output.contains(leaf.spkiDigest.description))
        #expect(outcome.output.contains("HostPattern(\"shop.example\")"))
    }

    // MARK: Bad input

    /// A damaged file must neither end the process nor be accepted in silence.
    @Test func damagedFilesAreRefused() async throws {
        let whole = try bytes()
        let password = try PKCS12Password(file: nil, variable: Self.password, on: Transcript().console)
        for length in stride(from: 0, to: whole.count, by: 37) {
            #expect(throws: PKCS12File.Failure.self) { try PKCS12File(Array(whole.prefix(length)), password: password) }
        }
        let cut = try folder.file("cut.p12", Array(whole.prefix(whole.count / 2)))
        await ToolOutcome.of("pin", cut, "--password-file", try passwordFile()).expectUnusable("PKCS #12")
        let header = try folder.file("header.p12", [0x30, 0x06, 0x02, 0x01, 0x03, 0x30, 0x01, 0x00])
        await ToolOutcome.of("pin", header).expectUnusable("PKCS #12")
    }

    /// The MAC covers the contents.
    @Test func changedContentsAreRefused() throws {
        let whole = try bytes()
        let password = try PKCS12Password(file: nil, variable: Self.password, on: Transcript().console)
        for position in stride(from: 80, to: whole.count / 2, by: 29) {
            var changed = whole
            changed[position] ^= 0x01
            #expect(throws: PKCS12File.Failure.self) { try PKCS12File(changed, password: password) }
        }
    }

    @Test(
        arguments: [
            ([], false), ([0x30], false), ([0x30, 0x80, 0x02, 0x01, 0x03, 0x30], true),
            ([0x30, 0x82, 0x01, 0x00, 0x02, 0x01, 0x03, 0x30], true), ([0x30, 0x06, 0x02, 0x01, 0x03, 0x30], true),
            ([0x30, 0xFF, 0x02, 0x01, 0x03, 0x30], false), ([0x30, 0x06, 0x02, 0x01, 0x00, 0x30], false),
            ([0x31, 0x06, 0x02, 0x01, 0x03, 0x30], false),
        ] as [([UInt8], Bool)]) func formIsRecognized(_ bytes: [UInt8], _ isPKCS12: Bool)
    {
        #expect(PKCS12File.isPKCS12(bytes) == isPKCS12)
    }

    // MARK: Files of openssl

    /// A file without a private key, or without the certificate of its key, is not an error of the tool.
    @Test(.enabled(if: ShellCommand.path(of: "openssl") != nil, "openssl is not installed"))
    func filesOfOpensslAreRead() async throws {
        let certificate = ShellWord(try folder.file("leaf.pem", leaf.certificatePEM))
        let other = ShellWord(try folder.file("root.pem", root.certificatePEM))
        let key = ShellWord(try folder.file("key.pem", leaf.privateKeyPEM))
        let path = ShellWord(folder.path)
        let export = "cd \(path) && openssl pkcs12 -export -passout pass:\(Self.password)"
        for command in [
            "\(export) -in \(certificate) -inkey \(key) -certfile \(other) -out all.p12",
            "\(export) -in \(certificate) -nokeys -out certificates.p12",
            "\(export) -in \(key) -nocerts -out key.p12",
        ] {
            let result = try ShellCommand.run(command)
            try #require(result.code == 0, "\(result.output)")
        }
        let password = try passwordFile()
        for (name, expected) in [("all.p12", [leaf, root]), ("certificates.p12", [leaf])] {
            let outcome = await ToolOutcome.of("pin", folder.path + "/" + name, "--password-file", password, "--json")
            #expect(outcome.status == .success, "\(name): \(outcome.notes)")
            let keys = try JSONDecoder().decode(PinOutput.self, from: Data(outcome.output.utf8)).keys
            #expect(keys.map(\.pin) == expected.map(\.spkiDigest.base64), "\(name)")
            for key in keys {
                let printed = try ShellCommand.run("(\(key.command)) 2>/dev/null").output
                #expect(printed == key.pin + "\n", "\(key.command)")
            }
        }
        await ToolOutcome.of("pin", folder.path + "/key.p12", "--password-file", password)
            .expectUnusable("contains no certificate")
    }
}
