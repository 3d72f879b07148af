import HTTPTypes
import HoldfastTestSupport
import HoldfastTransportTestSupport
import Testing

@testable import HoldfastTransport

/// Bodies are decoded only if the request enables it, and only within the limits.
@Suite struct DecompressionTests {
    private let plain = TransportConfiguration.forPlainServers
    private let on = RequestOptions(decompression: .on())

    private func collect(
        _ body: [UInt8], coding: String?, upTo limit: Int = 10_000_000, options: RequestOptions,
        status: String = "200 OK", method: HTTPRequest.Method = .get, fields: HTTPFields = [:], version: ScriptedVersion
    ) async throws -> (answer: CollectedResponse, asked: String?) {
        let coding = coding.map { "Content-Encoding: \($0)\n" } ?? ""
        return try await ScriptedServer.with(version: version) { _ in
            [.text("HTTP/1.1 \(status)\n\(coding)Content-Length: \(body.count)\n\n"), .send(body)]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let request = HTTPRequest.plain(method, port: server.port, fields)
            let answer = try await client.collect(request, upTo: limit, options: options)
            return (answer, server.requests.first?.field("Accept-Encoding"))
        }
    }

    private static let text = Array(String(repeating: "All work and no play. ", count: 20_000).utf8)

    @Test(arguments: ScriptedVersion.allCases)
    func decompressionIsRequestedOnlyIfEnabled(version: ScriptedVersion) async throws {
        #expect(try await collect([1], coding: nil, options: RequestOptions(), version: version).asked == nil)
        #expect(try await collect([1], coding: nil, options: on, version: version).asked == "gzip, deflate")
        #expect(
            try await collect([1], coding: nil, options: on, fields: [.acceptEncoding: "br"], version: version).asked
                == "br")
        #expect(
            try await collect([1], coding: nil, options: on, fields: [.range: "bytes=0-1"], version: version).asked
                == nil)
    }

    /// An invalid ratio allows no large body, and only the request fails.
    @Test(arguments: [0, -1, Int.min])
    func anInvalidRatio(ratio: Int) async throws {
        var decompression = Decompression.on()
        decompression.maximumRatio = ratio
        let coded = try Compressed.gzip([UInt8](repeating: 65, count: 3 << 20))
        let error = try await transportError {
            _ = try await collect(
                coded, coding: "gzip", options: RequestOptions(decompression: decompression), version: .http1)
        }
        #expect(error.code == .decompressedTooLarge)
    }

    @Test(arguments: ["gzip", "GZip", "x-gzip", "deflate", "identity, gzip"], ScriptedVersion.allCases)
    func aCodedBodyIsDecoded(coding: String, version: ScriptedVersion) async throws {
        let coded = try coding == "deflate" ? Compressed.zlib(Self.text) : Compressed.gzip(Self.text)
        let answer = try await collect(coded, coding: coding, upTo: Self.text.count, options: on, version: version)
            .answer
        #expect(answer.body == Self.text)
        // The header fields that described the encoded body are removed.
        #expect(!answer.response.headerFields.contains(.contentEncoding))
        #expect(!answer.response.headerFields.contains(.contentLength))
        // Without decompression the response is unchanged.
        let untouched = try await collect(coded, coding: coding, options: RequestOptions(), version: version).answer
        #expect(untouched.body == coded)
        #expect(untouched.response.headerFields[.contentEncoding] == coding)
    }

    @Test(arguments: ScriptedVersion.allCases)
    func anUncodedBodyIsUnchanged(version: ScriptedVersion) async throws {
        #expect(try await collect([1, 2], coding: nil, options: on, version: version).answer.body == [1, 2])
        #expect(try await collect([1, 2], coding: "identity", options: on, version: version).answer.body == [1, 2])
        #expect(try await collect([], coding: "gzip", options: on, version: version).answer.body == [])
        let part = try await collect(
            [1, 2], coding: "gzip", options: on, status: "206 Partial Content", version: version
        ).answer
        #expect(part.body == [1, 2])
        #expect(part.response.headerFields[.contentEncoding] == "gzip")
    }

    static let damaged: [(name: String, coding: String, make: @Sendable ([UInt8]) throws -> [UInt8])] = [
        ("cut in the middle", "gzip", { Array(try Compressed.gzip($0).prefix(500)) }),
        ("without its last byte", "gzip", { try Compressed.gzip($0).dropLast() }),
        ("without its check sum", "deflate", { try Compressed.zlib($0).dropLast(4) }),
        (
            "a wrong check sum", "gzip",
            { text in
                var coded = try Compressed.gzip(text)
                coded[coded.count - 5] ^= 1
                return coded
            }
        ),
        ("garbage", "gzip", { _ in Array("this was never compressed".utf8) }),
        ("two members", "gzip", { try Compressed.gzip($0) + Compressed.gzip([1, 2, 3]) }),
        ("a byte after the end", "gzip", { try Compressed.gzip($0) + [0] }),
        ("zlib called gzip", "gzip", { try Compressed.zlib($0) }),
        ("gzip called deflate", "deflate", { try Compressed.gzip($0) }),
        ("a bare stream called deflate", "deflate", { try Compressed.raw($0) }),
        ("an unknown coding", "br", { $0 }),
        ("coded twice", "gzip, gzip", { try Compressed.gzip(Compressed.gzip($0)) }),
    ]

    @Test(arguments: damaged.indices, ScriptedVersion.allCases)
    func aDamagedBodyIsRefused(index: Int, version: ScriptedVersion) async throws {
        let (name, coding, make) = Self.damaged[index]
        let coded = try make(Self.text)
        let error = try await transportError {
            _ = try await collect(coded, coding: coding, options: on, version: version)
        }
        #expect(error.code == .decodingFailed, "\(name): \(error)")
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aBombIsRefused(version: ScriptedVersion) async throws {
        let bomb = try Compressed.gzip(Array(repeating: 0, count: 20_000_000))
        #expect(bomb.count < 25_000)
        let ratio = try await transportError {
            _ = try await collect(bomb, coding: "gzip", upTo: .max, options: on, version: version)
        }
        #expect(ratio.code == .decompressedTooLarge)
        let size = RequestOptions(decompression: .on(maximumRatio: 2000, maximumBytes: 19_999_999))
        let large = try await transportError {
            _ = try await collect(bomb, coding: "gzip", upTo: .max, options: size, version: version)
        }
        #expect(large.code == .decompressedTooLarge)
        let fits = RequestOptions(decompression: .on(maximumRatio: 2000, maximumBytes: 20_000_000))
        #expect(
            try await collect(bomb, coding: "gzip", upTo: .max, options: fits, version: version).answer.body.count
                == 20_000_000)
    }

    /// The limit of a collected body applies to the decoded body, exactly.
    @Test(arguments: ScriptedVersion.allCases)
    func theCallersLimitIsExact(version: ScriptedVersion) async throws {
        let coded = try Compressed.gzip(Self.text)
        for (body, coding) in [(coded, "gzip"), (Self.text, nil)] as [([UInt8], String?)] {
            #expect(
                try await collect(body, coding: coding, upTo: Self.text.count, options: on, version: version).answer
                    .body == Self.text)
            let error = try await transportError {
                _ = try await collect(body, coding: coding, upTo: Self.text.count - 1, options: on, version: version)
            }
            #expect(error.code == .responseTooLarge)
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aStreamedBodyIsDecodedIncrementally(version: ScriptedVersion) async throws {
        let coded = try Compressed.gzip(Array(repeating: 7, count: 5_000_000))
        try await ScriptedServer.with(version: version) { _ in
            [.text("HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: \(coded.count)\n\n"), .send(coded)]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let options = RequestOptions(decompression: .on(maximumRatio: 2000))
            let count = try await client.execute(.plain(port: server.port), options: options) { response, body in
                #expect(!response.headerFields.contains(.contentEncoding))
                var count = 0
                while let part = try await body.next() {
                    #expect(!part.isEmpty && part.count <= 64 * 1024 && part.allSatisfy { $0 == 7 })
                    count += part.count
                }
                return count
            }
            #expect(count == 5_000_000)
        }
    }

    /// The segmentation of the encoded bytes does not change the result.
    @Test(arguments: 0..<20)
    func everySegmentationDecodesTheSame(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let text = (0..<200_000).map { _ in UInt8.random(in: 97...101, using: &random) }
        let coded = try Compressed.gzip(text)
        let decoder = try BodyDecoder(.gzip, limits: .on())
        var decoded: [UInt8] = []
        var rest = coded[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...(seed < 3 ? 3 : 9000), using: &random))
            rest = rest.dropFirst(part.count)
            decoder.feed(Array(part))
            while let part = try decoder.next() { decoded += part }
        }
        try decoder.finish()
        #expect(decoded == text)
    }
}
