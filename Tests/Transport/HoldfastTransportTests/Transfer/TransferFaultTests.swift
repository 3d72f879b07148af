import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// Downloads through a network that cuts connections: in the handshake, the request, and the response, on every wire.
@Suite(.timeLimit(.minutes(1))) struct TransferFaultTests {
    private static let payload = RangeServer.payload(150_000)

    /// Where the first connection ends, and how.
    static let plans: [(name: String, plan: FaultPlan)] =
        [InjectedFault.Kind.close, .reset, .halfClose].flatMap { kind in
            [1, 300, 3000, 100_000].map { offset in
                (
                    "\(kind) after \(offset) bytes to the client",
                    FaultPlan(toClient: [InjectedFault(kind, after: offset)])
                )
            }
                + [10, 200].map { offset in
                    (
                        "\(kind) after \(offset) bytes to the server",
                        FaultPlan(toServer: [InjectedFault(kind, after: offset)])
                    )
                }
        }

    /// The bytes are the same wherever the connection is cut, and the second connection requests only the missing
    /// bytes.
    @Test(arguments: Wire.allCases)
    func aCutAnywhere(wire: Wire) async throws {
        let world = try PinnedWorld()
        try await TransferFolder.with { folder in
            try await ScriptedServer.with(tls: wire.server(world), version: wire.version) {
                RangeServer(payload: Self.payload)($0)
            } _: { server in
                for (name, plan) in Self.plans {
                    try await FaultProxy.with(to: server.port, plan: { $0 == 0 ? plan : .none }) { proxy in
                        let client = HTTPClient(configuration: wire.configuration(world))
                        let result = try await client.download(
                            wire.request(port: proxy.port), to: folder.file, options: DownloadTests.options())
                        #expect(folder.bytes(folder.file) == Self.payload, "\(name)")
                        #expect(folder.names == ["file.bin"], "\(name)")
                        #expect(result.attempts <= 2 && proxy.connectionCount <= 2, "\(name)")
                        await client.shutdown()
                    }
                }
            }
        }
    }

    /// Over TLS a flipped bit ends the connection, and the download resumes. Without TLS the digest detects it.
    @Test(arguments: Wire.allCases)
    func aChangedByte(wire: Wire) async throws {
        let world = try PinnedWorld()
        try await TransferFolder.with { folder in
            let sum = try #require(Checksum(.sha256, hex: Self.sha256))
            try await ScriptedServer.with(tls: wire.server(world), version: wire.version) {
                RangeServer(payload: Self.payload)($0)
            } _: { server in
                let plan = FaultPlan(toClient: [InjectedFault(.corrupt(1), after: 90_000)])
                try await FaultProxy.with(to: server.port, plan: { $0 == 0 ? plan : .none }) { proxy in
                    let client = HTTPClient(configuration: wire.configuration(world))
                    let download: @Sendable () async throws -> DownloadedFile = {
                        try await client.download(
                            wire.request(port: proxy.port), to: folder.file,
                            options: DownloadTests.options(checksum: sum))
                    }
                    if wire == .plain {
                        let error = try await transferError { _ = try await download() }
                        #expect(error.code == .checksumMismatch)
                        #expect(folder.names.isEmpty)
                    } else {
                        let result = try await download()
                        #expect(result.attempts == 2 && result.verified == [sum])
                        #expect(folder.bytes(folder.file) == Self.payload)
                    }
                }
            }
        }
    }

    private static let sha256 = "2937f6fec5f5e281f7b55545a43c0f2540176045a7a95edc91e32bbfaed89ba1"
}
