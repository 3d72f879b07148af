import Foundation
import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Compares with an independent implementation: openssl reads the requests, and its answers pass verification.
@Suite("OCSP with openssl")
struct OCSPOpenSSLTests {
    private static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    let fixture: RevocationScene

    init() throws {
        fixture = try RevocationScene()
    }

    /// Returns openssl's answer to a request about the server of the fixture. openssl uses the machine's clock.
    private func answer(to request: [UInt8], status: String, in folder: TemporaryFolder) throws -> [UInt8] {
        let state = status == "R" ? "R\t491231235959Z\t260101000000Z" : "V\t491231235959Z\t"
        let serial = fixture.server.view.serialNumber.uppercased()
        try folder.write("\(state)\t\(serial)\tunknown\t/CN=chat\n", to: "index")
        try folder.write(request, to: "request")
        try folder.write(fixture.issuing.certificatePEM, to: "issuer.pem")
        try folder.write(fixture.issuing.privateKeyPEM, to: "key.pem")
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.openssl))
        process.arguments =
            """
            ocsp -index index -CA issuer.pem -rsigner issuer.pem -rkey key.pem -ndays 1 \
            -reqin request -respout response
            """
            .split(separator: " ").map(String.init)
        process.currentDirectoryURL = folder.root
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return Array(try Data(contentsOf: URL(filePath: folder.path("response"))))
    }

    @Test(
        "openssl accepts the request, and its answer passes verification", .enabled(if: openssl != nil),
        arguments: OCSPHash.allCases, ["V", "R"])
    func roundTrip(hash: OCSPHash, status: String) throws {
        let nonce = [UInt8](repeating: 9, count: 32)
        let request = OCSPRequest(
            certificateID: OCSPCertificateID(fixture.server.view, issuer: fixture.issuing.view, hash: hash),
            nonce: nonce)
        let bytes = try TemporaryFolder.use { try answer(to: request.der, status: status, in: $0) }
        let response = try OCSPResponse(der: bytes)
        #expect(response.nonce == nonce)
        let made = response.producedAt
        let believed = try fixture.answer(bytes, nonce: nonce, at: made)
        if status == "R" {
            #expect(believed.status == .revoked(try #require(Timestamp(iso8601: "2026-01-01T00:00:00Z"))))
        } else {
            #expect(believed.status == .good)
            #expect(believed.until == believed.thisUpdate.advanced(bySeconds: 86_400))
        }
    }
}
