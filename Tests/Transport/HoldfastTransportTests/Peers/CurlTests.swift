import Foundation
import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// curl as a second client with the same pin: both clients accept and refuse the same servers.
@Suite(.enabled(if: PeerProgram.curl.isInstalled, "curl is not installed")) struct CurlTests {
    /// curl's exit codes for a pin that does not match, and for an untrusted certificate.
    private static let pinMismatch: Int32 = 90
    private static let untrusted: Int32 = 60

    private func curl(_ folder: PeerFolder, pin: Identity, port: UInt16) async throws -> (status: Int32, output: String)
    {
        return try await PeerProgram.curl.run([
            "--silent", "--show-error", "--noproxy", "*", "--cacert", folder.path("root.pem"),
            "--pinnedpubkey", "sha256//\(pin.spkiDigest.base64)", "--resolve", "\(PinnedWorld.host):\(port):127.0.0.1",
            "https://\(PinnedWorld.host):\(port)/",
        ])
    }

    private func holdfast(_ folder: PeerFolder, pin: Identity, port: UInt16) async throws -> Result<
        String, TransportError
    > {
        let client = HTTPClient(configuration: try folder.configuration(pin: pin))
        do {
            return .success(try await client.collect(HTTPRequest(port: port), upTo: 99).text)
        } catch let error as TransportError {
            return .failure(error)
        }
    }

    @Test func bothAcceptAndBothRefuse() async throws {
        try await PeerFolder.with { folder in
            let foreign = try folder.factory.leaf(["other.example.com"], signedBy: folder.root)
            let rows: [(name: String, server: Identity, pin: Identity, curl: Int32, finding: TrustFinding.Code?)] = [
                ("the pinned server", folder.leaf, folder.leaf, 0, nil),
                ("another pin", folder.leaf, folder.rogue, Self.pinMismatch, .pinMismatch),
                ("another authority, and its key pinned", folder.rogue, folder.rogue, Self.untrusted, .unknownIssuer),
                ("another host", foreign, foreign, Self.untrusted, .hostMismatch),
            ]
            for row in rows {
                try await ScriptedServer.with(tls: ServerTLS(row.server)) { _ in
                    [.respond("hello")]
                } _: { server in
                    let theirs = try await curl(folder, pin: row.pin, port: server.port)
                    let ours = try await holdfast(folder, pin: row.pin, port: server.port)
                    #expect(theirs.status == row.curl, "\(row.name)")
                    switch ours {
                    case .success(let text):
                        #expect(row.finding == nil, "\(row.name)")
                        #expect(text == "hello" && theirs.output == "hello")
                    case .failure(let error):
                        #expect(error.verdict?.finding.code == row.finding, "\(row.name): \(error)")
                        #expect(server.requests.isEmpty)
                    }
                }
            }
        }
    }
}
