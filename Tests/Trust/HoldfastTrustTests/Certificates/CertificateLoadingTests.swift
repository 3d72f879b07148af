import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@Suite("Loading certificates")
struct CertificateLoadingTests {
    let root: Identity
    let leaf: Identity

    init() throws {
        let factory = CertificateFactory()
        root = try factory.authority("Root")
        leaf = try factory.leaf(["a.test"], signedBy: root)
    }

    /// Returns the error of a loader for an input. Loaders are passed as functions.
    private func error<Input, Loaded>(
        _ load: (Input) throws(CertificateError) -> Loaded, _ input: Input
    ) -> CertificateError? {
        do throws(CertificateError) {
            _ = try load(input)
            return nil
        } catch {
            return error
        }
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("reads DER, PEM, and PEM with a private key next to the chain")
    func forms() throws {
        #expect(try CertificateLoading.certificates(in: leaf.certificateDER) == [leaf.view])
        #expect(try CertificateLoading.certificate(in: bytes(leaf.certificatePEM)) == leaf.view)
        let bundle = leaf.privateKeyPEM + "\n" + leaf.certificatePEM + "\n" + root.certificatePEM
        #expect(try CertificateLoading.certificates(in: bytes(bundle)) == [leaf.view, root.view])
    }

    @Test("detects DER that contains PEM in a name, and PEM after text that starts like DER")
    func disguises() throws {
        let name = "-----BEGIN CERTIFICATE-----"
        let odd = try CertificateFactory().authority("Odd", .with { $0.organization = name })
        #expect(try CertificateLoading.certificate(in: odd.certificateDER) == odd.view)
        #expect(try CertificateLoading.certificate(inDER: odd.certificateDER) == odd.view)
        // 0x30 is the digit 0 in a text and a SEQUENCE in DER.
        #expect(try CertificateLoading.certificate(in: bytes("0\n" + leaf.certificatePEM)) == leaf.view)
    }

    @Test("refuses two certificates where one is expected")
    func several() throws {
        let bundle = bytes(leaf.certificatePEM + "\n" + root.certificatePEM)
        #expect(error(CertificateLoading.certificate(in:), bundle)?.code == .severalCertificates)
    }

    @Test("refuses PEM where DER is expected and names the conversion command")
    func pemGiven() throws {
        let given = bytes("a comment\n" + leaf.certificatePEM)
        let error = error(CertificateLoading.certificate(inDER:), given)
        #expect(error?.code == .pemGiven)
        #expect(error?.reason.contains("openssl x509 -in cert.pem -outform DER -out cert.cer") == true)
        #expect(try CertificateLoading.certificate(inDER: leaf.certificateDER) == leaf.view)
    }

    @Test("refuses bytes that are not a certificate")
    func nothing() {
        let load = CertificateLoading.certificates(in:)
        #expect(error(load, [])?.code == .empty)
        #expect(error(load, bytes("hello"))?.code == .malformedDER)
        #expect(error(load, [0xff, 0xfe, 45, 0])?.code == .malformedPEM)
        #expect(error(load, Array(leaf.certificateDER.dropLast()))?.code == .notACertificate)
        #expect(error(load, leaf.certificateDER + [0])?.code == .notACertificate)
    }

    @Test("PEM without a certificate names its contents")
    func otherLabels() {
        let error = error(CertificateLoading.certificates(in:), bytes(leaf.privateKeyPEM))
        #expect(error?.code == .noCertificateInPEM)
        #expect(error?.reason.contains("PRIVATE KEY") == true)
    }

    @Test("an invalid block is an error with its line, and is not skipped")
    func badBlock() {
        let text = leaf.certificatePEM + "\n-----BEGIN CERTIFICATE-----\nAAEC\n-----END CERTIFICATE-----\n"
        let error = error(CertificateLoading.certificates(in:), bytes(text))
        #expect(error?.code == .malformedDER)
        let line = leaf.certificatePEM.split(separator: "\n").count + 1
        #expect(error?.reason.contains("line \(line) ") == true)
    }

    @Test("files")
    func files() throws {
        try TemporaryFolder.use { folder in
            let pem = try folder.write(leaf.certificatePEM, to: "it's a name.pem")
            let der = try folder.write(leaf.certificateDER, to: "leaf.cer")
            let link = folder.path("link.cer")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: der)
            #expect(try CertificateLoading.certificate(atPath: pem) == leaf.view)
            #expect(try CertificateLoading.certificate(atPath: link) == leaf.view)
            #expect(try CertificateLoading.certificate(inDERFileAtPath: der) == leaf.view)
            #expect(try CertificateLoading.certificates(atPath: der) == [leaf.view])

            let given = error(CertificateLoading.certificate(inDERFileAtPath:), pem)
            #expect(given?.code == .pemGiven)
            // The command contains the path of the file, quoted for a shell.
            let quoted = pem.replacing("'", with: "'\\''")
            #expect(
                given?.reason.contains("openssl x509 -in '\(quoted)' -outform DER -out 'it'\\''s a name.cer'") == true)
        }
    }

    @Test("refuses files that cannot be read")
    func unreadableFiles() throws {
        try TemporaryFolder.use { folder in
            func code(_ path: String) -> CertificateError.Code? {
                let error = error(CertificateLoading.certificates(atPath:), path)
                #expect(error?.reason.hasPrefix(path + ": ") == true)
                return error?.code
            }
            #expect(code(folder.path("missing.pem")) == .unreadableFile)
            #expect(code(folder.path("")) == .unreadableFile)
            #expect(code("/dev/zero") == .unreadableFile)
            #expect(code(try folder.write("", to: "empty.pem")) == .empty)
            #expect(code(try folder.write("garbage", to: "garbage.cer")) == .malformedDER)
            let dangling = folder.path("dangling")
            try FileManager.default.createSymbolicLink(atPath: dangling, withDestinationPath: folder.path("missing"))
            #expect(code(dangling) == .unreadableFile)
            let loop = folder.path("loop")
            try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
            #expect(code(loop) == .unreadableFile)
            let huge = try folder.write([UInt8](repeating: 10, count: CertificateLoading.sizeLimit + 1), to: "huge")
            #expect(code(huge) == .tooLarge)
        }
    }
}
